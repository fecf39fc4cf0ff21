"""Twins whose last day has passed: a reminder with every change that touches them."""

from datetime import date
from pathlib import Path

import msgspec
import pytest
from checks import CODE, MOVED, RULES, topic_repository
from memory_tree import change_between, rules_from

from consistency_bot.check import check_change
from consistency_bot.cli import main
from consistency_bot.model import Mode, Report, Rules, RulesSource, Side, Twins
from consistency_bot.report.wording import next_step

DAY = date(2026, 6, 30)
BASE = {"a/x.py": CODE.encode(), "b/x.py": CODE.encode(), "a/y.py": CODE.encode(), "b/y.py": CODE.encode()}


def report_of(changed: dict[str, bytes], today: date | None, mode: Mode = "block", name: str = "x") -> Report:
    sides = (Side("a", (f"a/{name}.py",)), Side("b", (f"b/{name}.py",)))
    rules = Rules((Twins("old", sides, mode=mode, expires=DAY),), RulesSource("rules.yaml", "file"))
    return check_change(rules, change_between(BASE, BASE | changed), today=today)


BOTH = {"a/x.py": MOVED.encode(), "b/x.py": MOVED.encode()}


@pytest.mark.parametrize("today", [None, date(2026, 1, 1), DAY])
def test_up_to_its_last_day_an_entry_is_like_any_other(today: date | None) -> None:
    assert report_of(BOTH, today).findings == ()


@pytest.mark.parametrize(("mode", "blocks"), [("block", True), ("warn", False)])
def test_after_its_last_day_an_entry_is_broken_and_named_as_expired(mode: Mode, blocks: bool) -> None:
    report = report_of(BOTH, date(2026, 7, 1), mode)
    (finding,) = report.findings
    assert (finding.rule, finding.verdict, finding.concept, finding.blocks) == ("bodies", "broken", "expires", blocks)
    assert finding.message == (
        "the twins old expired: their last day was 2026-06-30. Take the entry out of the rules if they are twins no more,"
        " or give it a later day."
    )
    assert finding.changed is not None
    assert (finding.changed.side, finding.changed.path) == ("a", "a/x.py")
    assert report.conclusion == ("drift" if blocks else "in_step")


def test_an_expired_entry_is_judged_all_the_same() -> None:
    found = report_of({"a/x.py": MOVED.encode()}, date(2027, 1, 1)).findings
    assert [each.verdict for each in found] == ["broken", "missed"]


def test_an_expired_entry_that_the_change_leaves_alone_or_that_is_off_says_nothing() -> None:
    assert report_of({"c.py": b"X = 1\n"}, date(2027, 1, 1)).findings == ()
    assert report_of(BOTH, date(2027, 1, 1), "off").findings == ()


def test_an_entry_that_makes_several_pairs_expires_once() -> None:
    changed = {path: MOVED.encode() for path in BASE}
    report = report_of(changed, date(2027, 1, 1), name="{name}")
    assert [each.id for each in report.twins_checked] == ["old[x]", "old[y]"]
    (finding,) = report.findings
    assert (finding.twins, finding.message.partition(" expired")[0]) == ("old[x]", "the twins old")


def test_the_command_line_knows_what_day_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    repository = topic_repository(tmp_path, monkeypatch)
    repository.write("b.py", MOVED)
    for day, status in (("2000-01-01", 1), ("9999-12-31", 0)):
        repository.write("rules.yaml", RULES.replace("{id: clients,", f"{{id: clients, expires: {day},"))
        assert main(["check", "--format", "json"]) == status
        found = msgspec.json.decode(capsys.readouterr().out.encode())["findings"]
        assert [each["verdict"] for each in found] == ["broken"] * status
        assert main(["check", "--fail-on", "never"]) == 0
        capsys.readouterr()


EXPIRED = """\
version: 1
twins:
  - {id: x, sides: {a: a/x.py, b: b/x.py}, expires: 2026-06-30}
rules:
  - {id: keys, twins: x, check: config_keys, under: [cfg], expires: 2026-06-30}
patches:
  fix: {function: "a/x.py::run", needed: "torch>=2.9", expires: 2026-06-30}
"""


def test_whoever_reads_that_something_expired_is_told_what_to_do_about_that() -> None:
    found = check_change(rules_from(EXPIRED), change_between(BASE, BASE | BOTH), today=date(2027, 1, 1))
    told = {each.rule: next_step(each) for each in found.findings if each.concept == "expires"}
    assert told == {
        "bodies": "take the twins out of the rules, or give them a later day if they are twins still.",
        "keys": "take the rule out, or give it a later day if its reason still holds.",
        "fix": "take the patch out of the code and the rules, or give it a later day if it is needed still.",
    }
