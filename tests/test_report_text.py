"""The report for people. What it looks like is in `golden/text-*.txt`."""

from pathlib import Path
from typing import get_args

import msgspec
import pytest
from payloads import PAYLOADS, report_of
from reports import HOSTILE, HOSTILE_PATH, NOTHING, REPORT, V1, V2, finding, lines

from consistency_bot.model import Finding, Place, Report, Verdict
from consistency_bot.report import View, ansi, render
from consistency_bot.report.wording import MEANING, NEXT

GOLDEN = Path(__file__).parent / "golden"


def with_finding(found: Finding) -> Report:
    return msgspec.structs.replace(NOTHING, findings=(found,))


@pytest.mark.parametrize(
    ("name", "report", "view"),
    [
        ("text-all-verdicts", REPORT, View(lines)),
        ("text-coloured", REPORT, View(lines, ansi)),
        ("text-nothing", NOTHING, View()),
        ("text-hostile", HOSTILE, View(lambda _: (HOSTILE_PATH,))),
    ],
)
def test_the_text_is_the_golden_one(name: str, report: Report, view: View) -> None:
    assert render(report, "text", view) == (GOLDEN / f"{name}.txt").read_text("utf-8")


def test_every_verdict_comes_with_what_to_do_next() -> None:
    assert set(NEXT) == set(MEANING) == set(get_args(Verdict))


def test_nothing_in_a_report_can_act_on_the_terminal() -> None:
    text = render(HOSTILE, "text", View(lambda _: (HOSTILE_PATH, "\tcode\x07\u2066")))
    assert text.replace("\n", "").isprintable()
    assert "\\x1b[31m\\u202e" in text
    assert "\\udcff" in text


@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS)
def test_a_text_stays_on_its_line(text: str) -> None:
    written = render(report_of(text), "text", View(lambda _: (text, text)))
    assert written.replace("\n", "").isprintable()
    plain = render(report_of("x"), "text", View(lambda _: ("x", "x")))
    assert written.count("\n") == plain.count("\n")


def test_a_place_is_named_once_where_its_lines_stand_below() -> None:
    place, other = Place("v2", V2, 4, 5, "f"), Place("v1", V1, 11, 10, "g")
    message = f"v2 now has `x` in `f` ({V2}:4); v1 has no such thing in `g` ({V1}:11)."
    text = render(with_finding(finding("missed", place, other, message=message)), "text", View(lines))
    assert "\n  v2 now has `x` in `f`; v1 has no such thing in `g`.\n" in text
    assert text.count(f"{V2}:4") == text.count(f"{V1}:11") == 1


def test_a_gap_shows_the_nearest_lines_that_say_something() -> None:
    gap = finding("missed", Place("v1", "a.py", 4, 3), None)
    text = render(with_finding(gap), "text", View(lambda _: ("before", "", "", "", "after")))
    assert "1 | before\n         | …\n       5 | after\n" in text


def test_no_side_is_said_to_be_right() -> None:
    text = render(REPORT, "text", View(lines)).lower()
    assert not any(word in text for word in ("bug", "wrong", "incorrect", "should"))


def test_places_beyond_the_end_of_a_file_show_no_lines() -> None:
    beyond = finding("missed", Place("v1", "a.py", 7, 9), Place("v2", "b.py", 100, 99))
    text = render(with_finding(beyond), "text", View(lambda _: ("x",)))
    assert "a.py:7" in text
    assert "| x" not in text


def test_a_format_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(KeyError):
        render(NOTHING, "yaml", View())


@pytest.mark.parametrize(
    ("verdict", "said"),
    [
        ("missed", "drift, but nothing blocks: 1 finding"),
        ("diverged", "drift, but nothing blocks: 1 finding"),
        ("broken", "drift, but nothing blocks: 1 finding"),
        ("one_sided", "nothing blocks: 1 finding"),
        ("undecided", "nothing blocks: 1 finding, not all decided (undecided)"),
        ("standing", "nothing blocks: 1 finding"),
        ("repaired", "in step: 1 finding"),
    ],
)
def test_where_nothing_blocks_only_a_repair_is_said_to_be_in_step(verdict: Verdict, said: str) -> None:
    found = msgspec.structs.replace(finding(verdict, Place("v1", "a.py", 1, 1), None), blocks=False)
    assert render(with_finding(found), "text", View()).splitlines()[-1] == f"{said}; checked nothing"


@pytest.mark.parametrize("verdict", get_args(Verdict))
def test_what_a_waiver_can_name_is_shown_for_drift_that_does_not_block(verdict: Verdict) -> None:
    found = msgspec.structs.replace(finding(verdict, Place("v1", "a.py", 1, 1), None), blocks=False)
    text = render(with_finding(found), "text", View())
    assert (f"  fingerprint: {found.fingerprint}\n" in text) == (verdict in {"missed", "diverged", "broken"})


def test_what_blocks_stands_before_what_does_not() -> None:
    here = Place("v1", "a.py", 1, 1)
    two = [msgspec.structs.replace(finding("missed", here, None), message=each, blocks=each == "B") for each in "AB"]
    text = render(msgspec.structs.replace(NOTHING, findings=tuple(two)), "text", View())
    assert text.index("\n  B\n") < text.index("\n  A\n")


def test_the_command_that_may_write_the_other_sides_change_is_named_and_not_promised_to_work() -> None:
    text = render(with_finding(finding("missed", Place("v2", V2, 4, 5, "f"), None)), "text", View(lines))
    assert "\n  port: `consistency-bot port 01234567` writes the other side's change, if it can\n" in text
