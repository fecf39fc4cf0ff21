"""What the change did to each side, counted in units: `changes` of `twins_checked`."""

import pytest
from memory_tree import Files, change_between

from consistency_bot.check import check_change
from consistency_bot.model import Rules, RulesSource, Side, Twins, TwinsChecked, UnitsChanged

SIDES = (Side("a", ("a.py",)), Side("b", ("b.py",)))
RULES = Rules((Twins("pair", SIDES, why="One is owed what the other gets.", mode="warn"),), RulesSource("r", "file"))
CODE = b"def f(x):\n    # why\n    y = g(x)\n    if y:\n        raise ValueError(y)\n    return y\n"


def checked(base: Files, head: Files) -> TwinsChecked:
    (record,) = check_change(RULES, change_between(base, head)).twins_checked
    return record


@pytest.mark.parametrize(
    ("head", "added", "changed", "removed"),
    [
        (CODE.replace(b"# why", b"# what for"), 0, 0, 0),
        (CODE.replace(b"return y", b"return y + 1"), 0, 1, 0),
        (CODE.replace(b"    return y\n", b"    y += 1\n    return y\n"), 1, 0, 0),
        (CODE.replace(b"    return y\n", b""), 0, 0, 1),
        (CODE.replace(b"if y:", b"if y > 1:").replace(b"    return y\n", b"    send(y)\n    return y\n"), 1, 1, 0),
        (b"", 0, 0, 5),
        (CODE + b"\ndef h(x):\n    return x\n", 2, 0, 0),
    ],
    ids=["a comment", "a value", "a new statement", "a lost one", "both", "everything", "a new function"],
)
def test_units_that_came_went_and_changed_are_counted(head: bytes, added: int, changed: int, removed: int) -> None:
    record = checked({"a.py": CODE, "b.py": CODE}, {"a.py": CODE, "b.py": head})
    assert record.modified == ("b",)
    assert record.changes == {"b": UnitsChanged(added, changed, removed)}


def test_a_renamed_function_is_counted_by_what_it_says_now() -> None:
    head = CODE.replace(b"def f", b"def better_f").replace(b"return y", b"return y + 1")
    record = checked({"a.py": CODE, "b.py": CODE}, {"a.py": CODE, "b.py": head})
    assert record.changes == {"b": UnitsChanged(0, 1, 0)}


def test_a_side_that_cannot_be_read_has_no_count() -> None:
    record = checked({"a.py": CODE, "b.py": CODE}, {"a.py": CODE + b"x = 1\n", "b.py": b"def f(:\n"})
    assert record.modified == ("a", "b")
    assert list(record.changes) == ["a"]


def test_what_the_rules_say_about_the_twins_comes_along() -> None:
    record = checked({"a.py": CODE, "b.py": CODE}, {"a.py": CODE, "b.py": b"x = 1\n" + CODE})
    assert (record.why, record.mode) == ("One is owed what the other gets.", "warn")
