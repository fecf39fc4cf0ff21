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
