"""`status`: a side that is frozen takes no more changes, a side that is retired must not come back."""

import msgspec
import pytest
from memory_tree import Files, change_between

from consistency_bot.check import check_change
from consistency_bot.model import Change, Finding, Report
from consistency_bot.rules import RulesText, load_rules

CODE = (
    b"class Worker:\n    def run(self, x):\n        return self.step(x, 1)\n\n    def stop(self):\n        self.off()\n"
)
MOVED = CODE.replace(b"x, 1", b"x, 2")


def report_of(base: Files, head: Files, status: str, more: str = "") -> Report:
    text = f"version: 1\ntwins:\n  - {{id: pair, sides: {{a: a.py, b: b.py{more}}}, status: {status}}}\n"
    return _report(change_between(base, head), text)


def _report(change: Change, text: str) -> Report:
    return check_change(load_rules(change, RulesText("rules.yaml", text.encode())), change, True)


def only(report: Report) -> Finding:
    (finding,) = report.findings
    return finding


BOTH = {"a.py": CODE, "b.py": CODE}


def test_a_change_to_a_frozen_side_is_broken() -> None:
    report = report_of(BOTH, {"a.py": MOVED, "b.py": MOVED}, "{frozen: a}")
    finding = only(report)
    assert (finding.verdict, finding.blocks, finding.concept) == ("broken", True, "status")
    assert finding.changed is not None
    assert (finding.changed.side, finding.changed.line, finding.changed.function) == ("a", 2, "Worker.run")
    assert finding.message == (
        "a no longer takes changes: it is frozen (twins pair), and this change touches `Worker.run` (a.py:2)."
    )
    assert report.conclusion == "drift"


def test_nothing_is_owed_to_a_frozen_side() -> None:
    assert report_of(BOTH, {"a.py": CODE, "b.py": MOVED}, "active").findings[0].verdict == "missed"
    assert report_of(BOTH, {"a.py": CODE, "b.py": MOVED}, "{frozen: a}").findings == ()


def test_a_comment_is_a_change_to_a_frozen_side_too() -> None:
    finding = only(report_of(BOTH, {"a.py": b"# Old.\n" + CODE, "b.py": CODE}, "{frozen: a}"))
    assert finding.verdict == "broken"
    assert finding.message.endswith("(a.py:1), outside of all functions, or in comments and layout alone.")


def test_what_was_taken_out_of_a_frozen_side_is_a_change() -> None:
    less = CODE[: CODE.index(b"    def stop")]
    finding = only(report_of(BOTH, {"a.py": less, "b.py": CODE}, "{frozen: a}"))
    assert "touches `Worker.stop`" in finding.message


def test_several_changed_functions_are_counted() -> None:
    finding = only(report_of(BOTH, {"a.py": MOVED.replace(b"off", b"end"), "b.py": CODE}, "{frozen: a}"))
    assert "touches `Worker.run` (a.py:2) and 1 more." in finding.message


def test_a_frozen_side_may_be_taken_away() -> None:
    finding = only(report_of(BOTH, {"b.py": CODE}, "{frozen: a}"))
    assert (finding.verdict, finding.blocks) == ("one_sided", False)
    assert "this pair ends here" in finding.message
    assert "`status: {retired: a}`" in finding.message


def test_a_frozen_side_that_can_no_longer_be_read_is_unknown() -> None:
    finding = only(report_of(BOTH, {"a.py": b"def (:", "b.py": CODE}, "{frozen: a}"))
    assert finding.verdict == "unknown"


def test_the_other_sides_of_a_frozen_one_are_held_against_each_other() -> None:
    files = {**BOTH, "c.py": CODE}
    found = report_of(files, {**files, "b.py": MOVED}, "{frozen: a}", ", c: c.py").findings
    assert [(each.verdict, each.counterpart and each.counterpart.side) for each in found] == [("missed", "c")]


def test_a_retired_side_that_comes_back_is_broken() -> None:
    finding = only(report_of({"b.py": CODE}, BOTH, "{retired: a}"))
    assert (finding.verdict, finding.blocks, finding.concept) == ("broken", True, "status")
    assert finding.message == "a is retired: this change brings it back (a.py:1)."


def test_a_retired_side_that_is_edited_is_broken() -> None:
    finding = only(report_of(BOTH, {"a.py": MOVED, "b.py": CODE}, "{retired: a}"))
    assert finding.message == "a is retired: this change edits it where it was to go (a.py:1)."


def test_taking_a_retired_side_away_is_what_was_to_come() -> None:
    assert report_of(BOTH, {"b.py": CODE}, "{retired: a}").findings == ()


def test_a_retired_side_that_is_not_there_is_no_matter() -> None:
    assert report_of({"b.py": CODE}, {"b.py": MOVED}, "{retired: a}").findings == ()
    assert report_of(BOTH, {"a.py": CODE, "b.py": MOVED}, "{retired: a}").findings == ()


def test_a_trespass_is_told_by_the_mode_of_the_twins() -> None:
    text = "version: 1\ntwins:\n  - {id: pair, sides: {a: a.py, b: b.py}, status: {frozen: a}, mode: warn}\n"
    report = _report(change_between(BOTH, {"a.py": MOVED, "b.py": CODE}), text)
    assert (only(report).verdict, only(report).blocks, report.conclusion) == ("broken", False, "in_step")


def test_a_pair_of_captures_can_be_frozen() -> None:
    text = 'version: 1\ntwins:\n  - {id: pairs, sides: {old: "old/{name}.py", new: "new/{name}.py"}, status: {frozen: old}}\n'
    files = {"old/x.py": CODE, "new/x.py": CODE}
    finding = only(_report(change_between(files, {**files, "old/x.py": MOVED}), text))
    assert (finding.verdict, finding.twins) == ("broken", "pairs[x]")


def test_a_declared_rule_asks_nothing_of_a_frozen_side() -> None:
    text = (
        "version: 1\ntwins:\n  - {id: pair, sides: {a: a.py, b: b.py}, status: STATUS}\n"
        "rules:\n  - {id: patches, twins: pair, check: patch_calls, names: fix}\n"
    )
    head = {"a.py": CODE, "b.py": MOVED.replace(b"        self.off()", b"        fix()\n        self.off()")}
    change = change_between(BOTH, head)
    assert "patches" in {each.rule for each in _report(change, text.replace("STATUS", "active")).findings}
    assert _report(change, text.replace("STATUS", "{frozen: a}")).findings == ()


@pytest.mark.parametrize("name", ["frozen", "retired"])
def test_a_report_with_a_trespass_is_json(name: str) -> None:
    report = report_of(BOTH, {"a.py": MOVED, "b.py": CODE}, f"{{{name}: a}}")
    assert msgspec.json.decode(msgspec.json.encode(report))["findings"][0]["concept"] == "status"
