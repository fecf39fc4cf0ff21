"""Annotations of a GitHub workflow: one command a line, which the runner attaches to lines of the pull request.

Each finding that somebody should look at is told at both its places: an error or a warning where the change is, a
notice on the other side. So the errors that GitHub counts are the findings that block. What is one-sided is one notice.

Source of the escapes and limits: GitHub's documentation of workflow commands, and the runner's own parser.
"""

from collections.abc import Iterator
from typing import Literal

from consistency_bot.model import DRIFT, Finding, Place, Report
from consistency_bot.report.results import counted, headline
from consistency_bot.report.view import View
from consistency_bot.report.wording import next_step, subject
from consistency_bot.visible import visible

Level = Literal["error", "warning", "notice"]

MOST: dict[Level, int] = {"error": 10, "warning": 10, "notice": 9}
"""Annotations of one step that GitHub shows, ten of each level; the last notice is ours, and sums up."""

LONGEST_TITLE = 200
"""GitHub takes 255 characters of a title, ours before escapes."""


def render_github(report: Report, _: View) -> str:
    """The commands, those that block first, then a notice that sums up and says how many findings it had no room for.

    Where there is room for an error or a warning but for no more notices, the message alone names the other side.
    """
    lines: list[str] = []
    room = dict(MOST)
    untold = 0
    for finding in sorted(report.findings, key=lambda each: list(MOST).index(level_of(each) or "notice")):
        for number, (level, line) in enumerate(_annotations(finding)):
            if room[level]:
                room[level] -= 1
                lines.append(line)
            elif number == 0:
                untold += 1
                break
    lines.append(_command("notice", {"title": "consistency-bot"}, _summary(report, untold)))
    return "\n".join(lines) + "\n"


def level_of(finding: Finding) -> Level | None:
    """How loud a finding is; None where there is nothing to do about it."""
    if finding.waived is not None or finding.verdict in ("repaired", "standing"):
        return None
    if finding.blocks:
        return "error"
    return "warning" if finding.verdict in DRIFT | {"unknown", "undecided"} else "notice"


def _annotations(finding: Finding) -> Iterator[tuple[Level, str]]:
    """One command for each place, or a single one without a place where the finding has none."""
    level = level_of(finding)
    if level is None:
        return
    title = f"{finding.verdict.replace('_', '-')}: {subject(finding)}"[:LONGEST_TITLE]
    message = f"{visible(finding.message)}\nNext: {next_step(finding)}"
    places = finding.places
    if level == "notice":
        places = places[:1]
    if not places:
        yield level, _command(level, {"title": title}, message)
    for number, place in enumerate(places):
        here: Level = "notice" if number else level
        yield here, _command(here, _where(place) | {"title": f"other side, {title}" if number else title}, message)


def _where(place: Place) -> dict[str, str]:
    """The properties that attach an annotation to lines. A path that acts or hides is not written: the message has it."""
    if not place.path.isprintable():
        return {}
    where = {"file": place.path, "line": str(max(place.line, 1))}
    return where | ({"endLine": str(place.end_line)} if place.end_line > place.line else {})


def _command(level: Level, properties: dict[str, str], message: str) -> str:
    said = ",".join(f"{name}={_property(visible(value))}" for name, value in properties.items())
    return f"::{level} {said}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _summary(report: Report, untold: int) -> str:
    parts = [headline(report)]
    if report.findings:
        parts.append(counted(report.findings))
    if untold:
        parts.append(f"{untold} more than GitHub shows in one step; the other formats have them all")
    return "; ".join(parts) + "."
