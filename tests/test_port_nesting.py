"""No port leaves a file that could not be read: blocks, arguments and lines stay whole."""

import pytest

from consistency_bot.port import Half, port
from consistency_bot.port.nesting import has_ordered_arguments, is_nested_well
from consistency_bot.syntax.source_rows import rows_of


@pytest.mark.parametrize(
    ("text", "is_well"),
    [
        ("", True),
        ("if one:\n    two()\nelif three:\n    pass\nelse:\n    four()\n", True),
        ("for one in two:\n    pass\nelse:\n    three()\n", True),
        ("try:\n    one()\nexcept Two:\n    three()\nelse:\n    four()\nfinally:\n    five()\n", True),
        ('def one():\n    """Two.\n\n  Three.\n    """\n', True),
        ("class One:  # two\n    # three\n    four = {5: 6}\n", True),
        ("if one:\ntwo()\n", False),
        ("if one:\n", False),
        ("one()\n    two()\n", False),
        ("if one:\n    two()\n  three()\n", False),
        ("try:\n    one()\ntwo()\n", False),
        ("def one():\n    try:\n        two()\n\n\nthree()\n", False),
        ("one()\nelse:\n    two()\n", False),
        ("with one:\n    two()\nexcept Three:\n    four()\n", False),
    ],
)
def test_a_header_has_its_block_and_a_block_its_header(text: str, is_well: bool) -> None:
    assert is_nested_well(rows_of(text)) is is_well


@pytest.mark.parametrize(
    ("statement", "is_ordered"),
    [
        ("call(1, two=3, *four, **five)", True),
        ("call(one=two(3), four=[5, 6])", True),
        ("call(one=2, three)", False),
        ("call([1, 2], two=call(three=4, five))", False),
        ("def call(one=2, *, three): pass", True),
    ],
)
def test_arguments_with_names_come_last(statement: str, is_ordered: bool) -> None:
    assert has_ordered_arguments(rows_of(statement)[0].words) is is_ordered


OLD = """\
def fetch(link, path):
    check(path)
    answer = link.send("GET", path, 3)
    value = (
        link.value_of(
            answer, path, retries=3
        )
    )
    note(path)
    return value
"""


def _ported(old: str, new: str, theirs: str) -> str:
    mine, mine_new, other = (Half("a.py", old.encode()), Half("a.py", new.encode()), Half("b.py", theirs.encode()))
    return port(mine, mine_new, other, lambda decision: True).text


def test_a_header_is_not_written_without_its_block() -> None:
    theirs = OLD.replace(
        "    note(path)\n", "    with link.opened(path, 3) as opened:\n        opened.take(value, 4)\n"
    )
    new = OLD.replace("    note(path)\n", "    if path:\n        note(path)\n")
    assert is_nested_well(rows_of(_ported(OLD, new, theirs)))


def test_what_would_come_behind_an_argument_with_a_name_is_left_to_a_person() -> None:
    theirs = OLD.replace('link.send("GET", path, 3)', 'link.send("GET", link.root(path, 3), 3)')
    new = OLD.replace('link.send("GET", path, 3)', 'link.send(verb="GET", path=path, tries=3)')
    assert _ported(OLD, new, theirs) == theirs


def test_a_statement_whose_outer_brackets_go_is_one_line_again_or_folded_in_its_own() -> None:
    new = OLD.replace(
        "value = (\n        link.value_of(\n            answer, path, retries=3\n        )\n    )",
        "value = link.value_of(answer, path, retries=4)",
    )
    theirs = OLD.replace("retries=3\n", "retries=3, wait=True\n")
    assert "    value = link.value_of(answer, path, retries=4, wait=True)\n" in _ported(OLD, new, theirs)
