"""Patterns that put one file on two sides: a mistake in the rules that shows only with the tree."""

import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.errors import RulesError
from consistency_bot.model import Rules, RulesSource, Side, Twins

CODE = b"def send(text, limit=3):\n    if len(text) > limit:\n        raise ValueError(text)\n    return post(text)\n"
MOVED = CODE.replace(b"> limit", b">= limit")
CLASS = b"class Sender:\n    pass\n\n\nclass Receiver:\n    pass\n"
FILES = {"shop/a.py": CODE, "shop/b.py": CODE, "shop/c.py": CLASS}


def problems_of(*sides: tuple[str, ...], moved: str = "shop/a.py") -> tuple[str, ...]:
    twins = Twins("till", tuple(Side("xyz"[at], patterns) for at, patterns in enumerate(sides)), line=7)
    change = change_between(FILES, FILES | {moved: MOVED + FILES[moved]})
    try:
        check_change(Rules((twins,), RulesSource("rules.yaml", "file")), change)
    except RulesError as error:
        return error.problems
    return ()


def test_a_file_that_a_wildcard_puts_on_two_sides_is_a_mistake_with_its_line_and_both_sides() -> None:
    (problem,) = problems_of(("shop/a.py",), ("shop/*.py",))
    assert problem.startswith("rules.yaml:7: twins till: side `y` has `shop/a.py`, which is on side `x` too; it takes:")


@pytest.mark.parametrize(
    ("sides", "count"),
    [
        ((("shop/a.py",), ("shop/[b].py", "shop/b*.py")), 0),
        ((("shop/?.py",), ("shop/b.py",), ("shop/**",)), 3),
        ((("shop/a.py", "shop/c.py::Sender"), ("shop/b*.py", "shop/c.py::Receiver")), 0),
        ((("shop/a.py", "shop/c.py::Sender"), ("shop/b.py", "shop/c*.py::Sender")), 1),
        ((("shop/a.py", "shop/c.py::Sender"), ("shop/[bc].py", "shop/c*")), 1),
    ],
)
def test_each_two_sides_with_something_in_common_are_told(sides: tuple[tuple[str, ...], ...], count: int) -> None:
    assert len(problems_of(*sides)) == count


@pytest.mark.parametrize(("async_path", "count"), [("shop/{name}*", 1), ("shop/{name}_async.py", 0)])
def test_a_pair_of_an_entry_with_captures_is_looked_at_too(async_path: str, count: int) -> None:
    assert len(problems_of(("shop/{name}.py",), (async_path,))) == count
