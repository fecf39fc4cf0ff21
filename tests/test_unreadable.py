"""A side that was readable and is not: `unknown`, which blocks, and never a traceback."""

import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.model import Rules, RulesSource, Side, Twins

RULES = Rules(
    twins=(Twins(id="pair", sides=(Side("a", ("a.py",)), Side("b", ("b.py",)))),),
    source=RulesSource("rules.yaml", "file"),
)
GOOD = b"def f(x):\n    return x + 1\n"


@pytest.mark.parametrize("data", [b"def f(x:\n    return (x\n", b"x = '\xff'\n", b"x = 1\0\n"])
def test_a_side_that_cannot_be_read_any_more_is_unknown_and_blocks(data: bytes) -> None:
    change = change_between({"a.py": GOOD, "b.py": GOOD}, {"a.py": data, "b.py": GOOD})
    report = check_change(RULES, change)
    assert report.conclusion == "unknown"
    assert [(each.verdict, each.blocks) for each in report.findings] == [("unknown", True)]
    assert report.findings[0].changed is not None
    assert report.findings[0].changed.path == "a.py"


def test_a_function_nested_too_deeply_is_unknown_and_the_others_are_judged() -> None:
    deep = b"def g(x):\n    return " + b"(" * 9000 + b"x" + b")" * 9000 + b"\n"
    change = change_between({"a.py": GOOD, "b.py": GOOD}, {"a.py": GOOD.replace(b"1", b"2") + deep, "b.py": GOOD})
    report = check_change(RULES, change)
    assert {each.verdict for each in report.findings if each.blocks} == {"unknown", "missed"}


def test_a_side_whose_file_is_gone_ends_the_pair_and_both_gone_is_nothing() -> None:
    change = change_between({"a.py": GOOD, "b.py": GOOD}, {"a.py": GOOD})
    assert [(each.verdict, each.blocks) for each in check_change(RULES, change).findings] == [("one_sided", False)]
    assert check_change(RULES, change_between({"a.py": GOOD, "b.py": GOOD}, {})).findings == ()


def test_all_lists_what_stands_and_counts_units() -> None:
    other = b"def f(x):\n    return x + 2\n"
    change = change_between({"a.py": GOOD, "b.py": other}, {"a.py": GOOD + b"\nX = 1\n", "b.py": other + b"\nX = 1\n"})
    assert check_change(RULES, change).findings == ()
    report = check_change(RULES, change, show_standing=True)
    assert [each.verdict for each in report.findings] == ["standing"]
    assert (report.twins_checked[0].units, report.twins_checked[0].agreeing) == (6, 4)


NEWER = {
    "parameters of types": b"def first[T: int, *Ts, **P](x: T) -> T:\n    return x\n",
    "a type statement": b"type Pair[T] = tuple[T, T]\n",
    "groups of exceptions": b"try:\n    go()\nexcept* ValueError as group:\n    stop(group)\n",
    "exceptions without parentheses": b"try:\n    go()\nexcept ValueError, TypeError:\n    stop()\n",
    "quotes in quotes": b"x = f'{f'{names['a']}'}'\n",
    "a template": b"x = t'{name!r:>{width}}'\n",
    "a pattern": b"match x:\n    case {'a': [Point(x=0), *_], **rest} if rest:\n        go(rest)\n",
    "what nobody has thought of yet": b"lazy import a.b\nx = y |> z\n",
}


@pytest.mark.parametrize("syntax", NEWER)
def test_syntax_that_is_newer_than_this_python_is_read_or_unknown(syntax: str) -> None:
    files = {"a.py": NEWER[syntax] + GOOD, "b.py": NEWER[syntax] + GOOD}
    assert not check_change(RULES, change_between(files, files | {"c.py": b""})).findings
    moved = check_change(RULES, change_between(files, files | {"a.py": NEWER[syntax] + GOOD.replace(b"+ 1", b"+ 2")}))
    assert {each.verdict for each in moved.findings if each.blocks} <= {"missed", "unknown"}
    assert moved.conclusion != "in_step"


def test_a_file_that_ends_anywhere_is_judged_or_unknown() -> None:
    whole = b"@cached\nasync def g(x, *, y=(1, 2)):\n    '''Doc.'''\n    with a(f'{x}') as b:\n        return {'k': [y for y in b if x]}\n"
    for end in range(len(whole)):
        report = check_change(
            RULES, change_between({"a.py": whole, "b.py": whole}, {"a.py": whole[:end], "b.py": whole})
        )
        assert all("internal error" not in each.message for each in report.findings)
        assert report.conclusion != "in_step" or whole[end:].strip() in (b"", b"}")
