"""App mode: a check run of our own, with an annotation at both places of every finding.

Only an App's token makes one in a suite of its own; with GITHUB_TOKEN it would land in an arbitrary workflow's.
"""

from collections.abc import Iterator
from typing import Any, Literal, Protocol

from consistency_bot.github.ported import has_port
from consistency_bot.model import Finding, Place, Report
from consistency_bot.report.annotations import level_of
from consistency_bot.report.results import counted, headline
from consistency_bot.report.wording import next_step, subject
from consistency_bot.visible import visible

NAME = "consistency-bot findings"
"""Another name than the required status has, so that nobody requires the wrong one."""

RECHECK, PORT = "recheck", "port"
BUTTONS = {
    RECHECK: {"label": "Re-run", "description": "Judge this commit anew.", "identifier": RECHECK},
    PORT: {"label": "Show port", "description": "Comment with the other side's edits.", "identifier": PORT},
}
"""Three at most; a label and an identifier have 20 characters at most, a description 40."""

AT_ONCE = 50
"""Annotations that GitHub takes in one request; more take more requests."""

MOST = 500
LONGEST_SUMMARY = 65_535
LONGEST_TITLE = 200
Level = Literal["failure", "warning", "notice"]
Annotation = dict[str, str | int]


class Checks(Protocol):
    """What writing a check run asks of GitHub."""

    def create_check(self, check: dict[str, Any]) -> int:
        """Make one; its id."""

    def update_check(self, check_id: int, check: dict[str, Any]) -> None:
        """Add to it."""


def write_check_run(hub: Checks, report: Report, text: str, details: str) -> str:
    """Make a check run for the report's head, and say so in a few words. Raises GitHubError.

    `text` is the comment's, `details` the address of this run. It is completed by the last request: one that ends half
    way is never green.
    """
    found = list(_annotations(report))[:MOST]
    output = {"title": headline(report), "summary": text[:LONGEST_SUMMARY]}
    batches = [found[start : start + AT_ONCE] for start in range(0, len(found), AT_ONCE)] or [[]]
    is_blocked = any(each.blocks for each in report.findings)
    done = {"status": "completed", "conclusion": "failure" if is_blocked else "success"}
    buttons = [BUTTONS[RECHECK], *([BUTTONS[PORT]] if has_port(report) else [])]
    first = {"name": NAME, "head_sha": report.head, "details_url": details, "status": "in_progress"}
    last: dict[str, Any] = {**done, "actions": buttons}
    check = hub.create_check(
        first | {"output": {**output, "annotations": batches[0]}} | (last if len(batches) == 1 else {})
    )
    for number, batch in enumerate(batches[1:], 2):
        hub.update_check(check, {"output": {**output, "annotations": batch}} | (last if number == len(batches) else {}))
    return f"{headline(report)} ({counted(report.findings) or 'no finding'}), {len(found)} annotations"


def _annotations(report: Report) -> Iterator[Annotation]:
    for finding in sorted(report.findings, key=lambda each: not each.blocks):
        level = _level(finding)
        places = [place for place in finding.places if place.path.isprintable()]
        for number, place in enumerate(places if level is not None else ()):
            yield _annotation(finding, place, level if number == 0 and level is not None else "notice")


def _annotation(finding: Finding, place: Place, level: Level) -> Annotation:
    first = max(place.line, 1)
    message = f"{visible(finding.message)}\nNext: {next_step(finding)}\nFinding {finding.fingerprint}"
    title = visible(f"{finding.verdict.replace('_', '-')}: {subject(finding)}")[:LONGEST_TITLE]
    where: Annotation = {"path": place.path, "start_line": first, "end_line": max(place.end_line, first)}
    return where | {"annotation_level": level, "title": title, "message": message}


def _level(finding: Finding) -> Level | None:
    level = level_of(finding)
    return "failure" if level == "error" else level
