"""`consistency-bot demo`: a throw-away repository, five pull requests, and what the real check says about each."""

import sys
from collections.abc import Callable, Iterator
from textwrap import fill, indent
from typing import TextIO

from consistency_bot.check import check_change
from consistency_bot.demo.repository import DemoRepository, demo_repository
from consistency_bot.demo.story import PULL_REQUESTS, PullRequest, Told
from consistency_bot.git import read_change
from consistency_bot.model import Finding, Place, Report
from consistency_bot.porting import with_ports
from consistency_bot.report import View, render
from consistency_bot.report.excerpt import is_gap
from consistency_bot.report.sources import lines_at_head
from consistency_bot.rules import load_rules

__all__ = ["run_demo"]

WIDTH = 100
_Lines = Callable[[str], tuple[str, ...]]

_INTRODUCTION = (
    "Two training workers implement one thing: dtensor_policy_worker.py (v1) and dtensor_policy_worker_v2.py (v2). They"
    " now stand in a throw-away git repository, with a rules.yaml that calls them twins. Five invented pull requests"
    " follow, and what consistency-bot says to each: a check of the branch against main, nothing prepared."
)


def run_demo(out: TextIO | None = None) -> int:
    """Tell the story on `out` (default: standard output); 0 if it came out as told, 1 if not, and then says where.

    Raises GitError where git is missing or a patch no longer fits the example, UsageError without the example.
    """
    target = sys.stdout if out is None else out
    failed = []
    _write(target, fill(_INTRODUCTION, WIDTH) + "\n")
    with demo_repository() as repository:
        for number, pull_request in enumerate(PULL_REQUESTS, 1):
            problems = _tell(target, repository, number, pull_request)
            if problems:
                failed.append(str(number))
    if failed:
        _write(target, f"\nNot as told: pull request {', '.join(failed)}. This is a bug of consistency-bot.\n")
        return 1
    _write(target, f"\nAll {len(PULL_REQUESTS)} came out as told.\n")
    return 0


def _tell(out: TextIO, repository: DemoRepository, number: int, pull_request: PullRequest) -> list[str]:
    """One pull request's part of the story; what came out otherwise than told, none if nothing did."""
    branch = repository.open_pull_request(pull_request.patch)
    title = f"{number}. {repository.title(branch)}"
    _write(out, f"\n{title}\n{'=' * len(title)}\n{fill(pull_request.about, WIDTH)}\n\n")
    _write(out, "\n".join(repository.diffstat(branch)) + "\n\n")
    with read_change(repository.path, "main", branch) as change:
        rules = load_rules(change, None)
        report = with_ports(check_change(rules, change, False), rules, change)
        lines = lines_at_head(change)
        problems = list(_otherwise(pull_request.told, report, lines))
        _write(out, indent(render(report, "text", View(lines)), "    "))
    _write(out, f"\n    expected: {_expectation(pull_request.told)}. ")
    _write(out, "Got: as expected.\n" if not problems else f"Got something else: {'; '.join(problems)}.\n")
    return problems


def _expectation(told: tuple[Told, ...]) -> str:
    """What has to come out, in words."""
    if not told:
        return "in step, nothing to say"
    return ", ".join(f"1 {one.verdict} that {'blocks' if one.blocks else 'does not block'}" for one in told)


def _otherwise(told: tuple[Told, ...], report: Report, lines: _Lines) -> Iterator[str]:
    """How the findings differ from what was to be told."""
    left = list(report.findings)
    for expected in told:
        found = next((finding for finding in left if _is_told(expected, finding, lines)), None)
        if found is None:
            yield f"no {expected.verdict} in {expected.function} with the two places meant"
        else:
            left.remove(found)
    yield from (f"a {finding.verdict} more than expected ({finding.concept})" for finding in left)


def _is_told(expected: Told, finding: Finding, lines: _Lines) -> bool:
    if (finding.verdict, finding.blocks) != (expected.verdict, expected.blocks):
        return False
    return (
        any((place.function or "").rpartition(".")[2] == expected.function for place in finding.places)
        and expected.changed in _code(lines, finding.changed)
        and expected.counterpart in _code(lines, finding.counterpart)
    )


def _code(lines: _Lines, place: Place | None) -> str:
    """The lines at a place of head, or those on either side of it where something would be inserted."""
    if place is None:
        return ""
    first, last = (place.line - 1, place.line) if is_gap(place) else (place.line, place.end_line)
    return "\n".join(lines(place.path)[max(first - 1, 0) : last])


def _write(out: TextIO, text: str) -> None:
    """Write even what `out` has no letter for: an old terminal sees an escape instead of a traceback."""
    encoding = out.encoding or "utf-8"
    out.write(text.encode(encoding, "backslashreplace").decode(encoding))
