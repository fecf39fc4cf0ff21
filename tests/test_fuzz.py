"""The fuzz target for a moment, and what it has found; `fuzz_run.py` runs it for long."""

import pytest
from fuzz_changes import RULES, Also, changes, hold_all
from hypothesis import HealthCheck, given, settings
from memory_tree import Files, change_between

from consistency_bot.align.translation import plain_name
from consistency_bot.check import check_change

FOUND = {
    "a subscript without an index": "a[]\n",
    "a with without an item": "with :\n    x\n",
    "a loop without a variable": "for in x:\n    y\n",
    "a comprehension without a variable": "[x for in y]\n",
    "a condition that is missing": "if :\n    x\n",
    "a loop's condition that is missing": "while :\n    x\n",
    "a named expression without a value": "(x := )\n",
    "a text with an open brace": "f'{'\n",
    "an open parenthesis before an await": "(a = await\n",
    "a call of an ellipsis": "...(x=1)\n",
}


@settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(changes())
def test_no_damage_makes_a_check_fail_or_contradict_itself(change: tuple[Files, Files, Also]) -> None:
    hold_all(*change)


@pytest.mark.parametrize("found", FOUND)
@pytest.mark.parametrize("inside", ["{}", "def f(x):\n    {}    return x\n"])
def test_what_made_it_fail_once_is_judged(found: str, inside: str) -> None:
    code = inside.format(FOUND[found].replace("\n", "\n    " if "def" in inside else "\n")).encode()
    base = {"a.py": code, "b.py": code}
    for head in (base | {"a.py": code + b"y = 1\n"}, base | {"a.py": b"", "b.py": code + code}):
        findings = check_change(RULES, change_between(base, head)).findings
        assert all("internal error" not in each.message for each in findings)


def test_a_blocking_name_in_capitals_is_plain_as_well() -> None:
    assert plain_name("SyncAccounts") == plain_name("AsyncAccounts") == "Accounts"
    assert plain_name("Synchronizer") == "Synchronizer"


BLOCKING = b"def f(n):\n    first = time.sleep(n)\n    time.sleep(n + 1)\n    time.sleep(n + 2)\n    return first\n"
AWAITING = BLOCKING.replace(b"def", b"async def").replace(b"time.", b"await asyncio.")


@pytest.mark.parametrize(("a", "b"), [(BLOCKING, AWAITING), (AWAITING, BLOCKING)])
def test_a_name_is_learnt_whichever_side_is_declared_first(a: bytes, b: bytes) -> None:
    base = {"a.py": a, "b.py": b}
    assert not check_change(RULES, change_between(base, {"a.py": b, "b.py": a})).findings
    missed = check_change(RULES, change_between(base, base | {"a.py": a.replace(b"n + 1", b"n + 3")})).findings
    assert [each.verdict for each in missed] == ["missed"]
    moved = {name: data.replace(b"    return", b"    more(n)\n    return") for name, data in base.items()}
    assert not check_change(RULES, change_between(base, moved)).findings


BRANCHES = b"def f(x):\n    if x == 1:\n        go(x, 0)\n        return\n    if x > 9:\n        raise ValueError\n"
JOINED = BRANCHES.replace(b"    if x > 9", b"    elif x == 2:\n        go(x, 0)\n        return\n    if x > 9").replace(
    b"go(x, 0)", b"go(x)"
)


def test_a_place_ends_after_its_start_where_branches_with_one_body_are_one() -> None:
    base = {"a.py": BRANCHES, "b.py": BRANCHES}
    hold_all(base, base | {"a.py": JOINED}, "no change has no finding")


AWAITED = b"async def put(self, key):\n    size = len(key)\n    await self.journal.write(key)\n    return size\n"


def test_two_asynchronous_sides_that_both_wait_no_longer_agree() -> None:
    base = {"a.py": AWAITED, "b.py": AWAITED}
    hold_all(base, {name: data.replace(b"await ", b"") for name, data in base.items()}, "sides alike have no finding")
