"""Workflow annotations. What they look like is in `golden/github-*.txt`."""

import re
from pathlib import Path

import msgspec
import pytest
from payloads import PAYLOADS, report_of
from reports import HOSTILE, NOTHING, REPORT, V1, V2, finding, lines

from consistency_bot.model import Finding, Place, Report, Waived
from consistency_bot.report import View, render
from consistency_bot.visible import visible

GOLDEN = Path(__file__).parent / "golden"
CHANGED, COUNTERPART = Place("v2", V2, 4, 5, "WorkerV2.train"), Place("v1", V1, 11, 10, "Worker.train")
MISSED = finding("missed", CHANGED, COUNTERPART)
UNDECIDED = finding("undecided", CHANGED, COUNTERPART)
ONE_SIDED = finding("one_sided", CHANGED, COUNTERPART)

Command = tuple[str, dict[str, str], str]


def commands(text: str) -> list[Command]:
    """Every line as GitHub's runner reads it: the command, its properties, its message. Fails on any other line."""
    return [_command(line) for line in text.removesuffix("\n").split("\n")]


def _command(line: str) -> Command:
    found = re.fullmatch(r"::(\w+) ([^:]*)::(.*)", line)
    assert found is not None, line
    properties = dict(part.split("=", 1) for part in found[2].split(","))
    return found[1], {name: _unescaped(value) for name, value in properties.items()}, _unescaped(found[3])


def _unescaped(text: str) -> str:
    for escape, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(escape, char)
    return text


def of(*findings: Finding) -> Report:
    return msgspec.structs.replace(REPORT, findings=findings)


@pytest.mark.parametrize(
    ("name", "report"),
    [("all-verdicts", REPORT), ("nothing", NOTHING), ("hostile", HOSTILE)],
    ids=lambda each: str(each)[:12],
)
def test_the_annotations_are_the_golden_ones(name: str, report: Report) -> None:
    assert render(report, "github", View(lines)) == (GOLDEN / f"github-{name}.txt").read_text("utf-8")


def test_a_blocking_finding_is_an_error_where_the_change_is_and_a_notice_on_the_other_side() -> None:
    error, notice, _ = commands(render(of(MISSED), "github", View()))
    assert error[:2] == (
        "error",
        {"file": V2, "line": "4", "endLine": "5", "title": "missed: condition in WorkerV2.train"},
    )
    assert error[2].startswith("What is missed is told here.\nNext: make the same change")
    assert notice[:2] == (
        "notice",
        {"file": V1, "line": "11", "title": "other side, missed: condition in WorkerV2.train"},
    )


@pytest.mark.parametrize(
    ("each", "levels"),
    [
        (UNDECIDED, ["warning", "notice"]),
        (msgspec.structs.replace(MISSED, blocks=False), ["warning", "notice"]),
        (ONE_SIDED, ["notice"]),
        (finding("repaired", CHANGED, COUNTERPART), []),
        (finding("standing", CHANGED, COUNTERPART), []),
        (msgspec.structs.replace(MISSED, blocks=False, waived=Waived("code", "ada", "because")), []),
        (msgspec.structs.replace(MISSED, changed=None), ["error"]),
        (msgspec.structs.replace(MISSED, changed=None, counterpart=None), ["error"]),
    ],
    ids=["undecided", "warn", "one-sided", "repaired", "standing", "acknowledged", "one place", "no place"],
)
def test_the_level_says_how_much_a_finding_matters(each: Finding, levels: list[str]) -> None:
    *told, last = commands(render(of(each), "github", View()))
    assert [level for level, _, _ in told] == levels
    assert last[:2] == ("notice", {"title": "consistency-bot"})


def test_a_step_has_no_more_annotations_than_github_shows_and_the_last_one_counts_the_rest() -> None:
    report = of(*[ONE_SIDED] * 30, *[UNDECIDED] * 30, *[MISSED] * 12)
    told = commands(render(report, "github", View()))
    levels = [level for level, _, _ in told]
    assert {level: levels.count(level) for level in ("error", "warning", "notice")} == dict.fromkeys(
        ("error", "warning", "notice"), 10
    )
    assert levels[0] == "error"
    assert told[-1][2] == (
        "Drift: 12 findings block; 12 missed, 30 undecided, 30 one-sided;"
        " 52 more than GitHub shows in one step; the other formats have them all."
    )


def test_the_last_line_tells_the_verdict_where_all_is_in_step() -> None:
    assert commands(render(NOTHING, "github", View())) == [("notice", {"title": "consistency-bot"}, "In step.")]


@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS)
def test_a_text_shows_and_commands_nothing(text: str) -> None:
    written = render(report_of(text), "github", View())
    assert written.isprintable() or set(filter(lambda char: not char.isprintable(), written)) == {"\n"}
    told = commands(written)
    assert [level for level, _, _ in told] == ["error", "notice", "warning", "notice"]
    for _, properties, message in told[:-1]:
        assert properties.keys() <= {"file", "line", "endLine", "title"}
        assert properties.get("file", text) == text
        assert ("file" in properties) == text.isprintable()
        assert visible(text) in message
    assert [each[0] for each in told] == [each[0] for each in commands(render(report_of("x"), "github", View()))]
