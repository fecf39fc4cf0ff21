"""Which lines a comment `# consistency: …` is about. The table is the specification.

In a text, `<` marks the lines that the comment is about, at their ends; the comment itself is always one of them.
"""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from consistency_bot.judge.code_waivers import added_lines
from consistency_bot.syntax import Undecodable
from consistency_bot.syntax.comments import MOST, Comments

TABLE = {
    "behind a statement": """
x = 1
y = 2  # consistency: me <
z = 3
""",
    "above a statement": """
x = 1
# consistency: me <
y = 2 <
z = 3
""",
    "above a statement, among other comments": """
x = 1
# Why. <
# consistency: me <
# Because. <
y = 2 <
""",
    "above an empty line: nothing but the gap": """
x = 1
 <
# consistency: me <

y = 2
""",
    "above a statement of several lines": """
# consistency: me <
y = foo( <
    a, <
    b, <
) <
z = 3
""",
    "behind the first line of a statement": """
y = foo(  # consistency: me <
    a, <
) <
""",
    "behind the last line of a statement": """
y = foo( <
    a, <
)  # consistency: me <
""",
    "behind one argument": """
y = foo(
    a=1,
    b=2,  # consistency: me <
    c=3,
)
""",
    "above one argument": """
y = foo(
    a=1,
    # consistency: me <
    b=bar( <
        2, <
    ), <
    c=3,
)
""",
    "behind the end of one argument": """
y = foo(
    b=bar( <
        2, <
        3),  # consistency: me <
    c=3,
)
""",
    "behind the last argument, above the closing bracket": """
y = foo(
    a=1,
    # consistency: me <
)
""",
    "behind a line that goes on with a backslash": """
y = 1 + \\ <
    2  # consistency: me <
""",
    "above a condition: not what it guards": """
# consistency: me <
if x: <
    y()
""",
    "above a condition of several lines": """
# consistency: me <
if (a <
        and b): <
    y()
""",
    "behind an elif": """
if a:
    x()
elif b:  # consistency: me <
    y()
""",
    "above an elif, as deep as the block before it": """
if a:
    x()
    # consistency: me <
elif b: <
    y()
""",
    "at the end of a deeper block: not what follows the block": """
if a:
    x()
    # consistency: me <
y()
""",
    "above an except": """
try:
    x()
# consistency: me <
except (A, <
        B): <
    y()
""",
    "behind a finally": """
try:
    x()
finally:  # consistency: me <
    y()
""",
    "above a case": """
match x:
    # consistency: me <
    case 1: <
        y()
""",
    "above a function: its header": """
# consistency: me <
def f( <
    a, <
    b=2, <
): <
    return a
""",
    "behind a default": """
def f(
    a,
    b=2,  # consistency: me <
):
    return a
""",
    "above a decorated function": """
# consistency: me <
@one <
@two( <
    1) <
def f(a): <
    return a
""",
    "between a decorator and its function": """
@one
# consistency: me <
def f(a): <
    return a
""",
    "behind the header of a decorated function": """
@one <
def f(a):  # consistency: me <
    return a
""",
    "above a class": """
# consistency: me <
class A(B): <
    x = 1
""",
    "above a method: not the gap before it": """
class A:
    def f(self):
        return 1

    # consistency: me <
    def g(self): <
        return 2
""",
    "in a gap: the whole of it": """
def f():
    x()
 <
    # Why. <
    # consistency: me <
    y() <
""",
    "above the first statement of a file": """
# consistency: me <
import a <
""",
    "at the end of a file": """
x()
# consistency: me <
""",
    "behind another remark to a tool": """
x = 1  # noqa: E501  # consistency: me <
""",
    "without any white space": """
x=1#consistency:me <
""",
    "in capitals": """
x = 1  # Consistency: me <
""",
    "before a statement that cannot be read": """
x = 1  # consistency: me <
def f(:
    y = (
""",
}


@pytest.mark.parametrize("marked", TABLE.values(), ids=TABLE)
def test_a_comment_is_about_these_lines(marked: str) -> None:
    lines = marked.removeprefix("\n").split("\n")
    expected = [number for number, line in enumerate(lines, 1) if line.endswith("<")]
    text = "\n".join(line.removesuffix("<").rstrip() for line in lines)
    (comment,) = Comments("a.py", text.encode()).all
    assert comment.text == "me"
    assert list(range(comment.first, comment.last + 1)) == expected
    assert comment.line in expected


def test_a_line_may_have_several_comments() -> None:
    first, second = Comments("a.py", b"x = 1  # consistency: one # consistency: two\n").all
    assert (first.text, second.text) == ("one", "two")
    assert first[2:] == second[2:] == (1, 1)


@pytest.mark.parametrize(
    "text",
    [
        "x = '# consistency: differs(call) no'\n",
        '"""\n# consistency: differs(call) no\n"""\n',
        "# Write `# consistency: differs(call) why` above it.\n",
        "# in all consistency: no mark before it\n",
        "consistency: int = 1\n",
    ],
)
def test_what_is_no_comment_of_ours_is_passed_over(text: str) -> None:
    assert Comments("a.py", text.encode()).all == []


@pytest.mark.parametrize(
    ("line", "last"), [(1, 1), (2, 5), (3, 5), (6, 7), (8, 8), (9, 9), (11, 12), (12, 12), (13, 13), (99, 99)]
)
def test_a_statement_ends_with_its_header_or_with_its_last_line(line: int, last: int) -> None:
    text = "x = 1\ny = foo(\n    1,\n    2,\n)\nif (a or\n    b):\n    c()\n# d\n\n@e\ndef f(): pass\n"
    assert Comments("a.py", text.encode()).end_of_statement(line) == last


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1  # consistency: me\nb: 2\n", (1, 1)),
        ("a: 1\n\n# consistency: me\nb: 2\nc: 3\n", (2, 4)),
        ("int a; // consistency: me\n", (1, 1)),
        ("/* consistency: me */\nint a;\nint b;\n", (1, 2)),
        ("<!-- consistency: me -->\n<p>\n", (1, 2)),
        ("-- consistency: me\r\nSELECT 1\r\n", (1, 2)),
        ("a\n# consistency: me", (2, 2)),
        ("a\n# consistency: me\n\nb", (2, 2)),
    ],
)
def test_a_file_of_another_kind_has_comments_too(text: str, expected: tuple[int, int]) -> None:
    (comment,) = Comments("a.conf", text.encode()).all
    assert (comment.text, comment.first, comment.last) == ("me", *expected)


def test_windows_line_ends_and_a_byte_order_mark_move_no_line() -> None:
    (comment,) = Comments("a.py", b"\xef\xbb\xbfx = 1\r\n# consistency: me\r\ny = 2\r\n").all
    assert (comment.line, comment.text, comment.first, comment.last) == (2, "me", 2, 3)


def test_a_file_that_is_not_text_has_none() -> None:
    with pytest.raises(Undecodable):
        Comments("a.py", b"# consistency: me\n\xff\n")
    assert Comments("a.txt", b"# consistency: \xff\n").all[0].text == "\ufffd"


@pytest.mark.parametrize(
    "text",
    [
        b"# consistency: differs(call) x\n" * 50_000,
        b"x = 1  # consistency: differs(call) x\n" * 20_000,
        b"# consistency: " * 50_000,
        b"# consistency: me\nx = " + b"(" * 10_000 + b"1" + b")" * 10_000 + b"\n",
        b"".join(b" " * depth + b"if x:  # consistency: me\n" for depth in range(1_500)) + b" " * 1_500 + b"y()\n",
        b"x = (\n" + b"1 +  # consistency: me\n" * 20_000 + b"1)\n",
        b"#" * 100_000 + b" consistency: me\n",
    ],
    ids=["lines of them", "statements", "one line of them", "brackets", "blocks", "one statement", "marks"],
)
def test_a_file_made_to_be_slow_is_read_in_time(text: bytes) -> None:
    before = time.process_time()
    assert 0 < len(Comments("a.py", text).all) <= MOST
    assert time.process_time() - before < 5  # seconds: some hundred times of what it takes


@settings(max_examples=150, deadline=None, derandomize=True)
@given(
    st.lists(
        st.sampled_from(
            [
                "# consistency: me",
                "if x:",
                "    ",
                "y(",
                ")",
                "'''",
                "def f(a,",
                "@d",
                "\n",
                "\n",
                "\t",
                "\\",
                "x = 1",
                "class",
            ]
        )
        | st.text(max_size=3),
        max_size=30,
    )
)
def test_no_text_gives_anything_but_comments_that_are_about_their_own_lines(pieces: list[str]) -> None:
    text = " ".join(pieces).encode("utf-8", "replace")
    for path in ("a.py", "a.txt"):
        try:
            comments = Comments(path, text)
        except Undecodable:
            continue
        count = text.count(b"\n") + text.count(b"\r") + 1
        for comment in comments.all:
            assert 1 <= comment.first <= comment.line <= comment.last <= count
        assert all(comments.end_of_statement(line) >= line for line in range(1, count + 1))


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("a\nb\n", "a\nb\n", []),
        ("a\nb\n", "a\nx\nb\n", [2]),
        ("a\nb\n", "b\na\n", [1]),
        ("a  # consistency: w\n", "b  # consistency: w\n", []),
        ("a  # consistency: w\n", "a  # consistency: v\n", [1]),
        ("a\n# consistency: w\nb\nc\n", "a\nb\nc\n# consistency: w\n", [4]),
        ("", "a\n", [1]),
    ],
)
def test_the_lines_that_a_change_adds(before: str, after: str, expected: list[int]) -> None:
    assert sorted(added_lines(before.encode(), after.encode())) == expected


def test_of_files_too_different_to_compare_every_line_counts_as_added() -> None:
    before, after = ("\n".join(f"{word} {number}" for number in range(3_000)).encode() for word in "ab")
    assert added_lines(before, after) == frozenset(range(1, 3_001))
