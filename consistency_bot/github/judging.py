"""One change, judged from git objects and from what people said on GitHub."""

from collections.abc import Sequence
from contextlib import AbstractContextManager
from datetime import date
from typing import Protocol

import msgspec
from msgspec.structs import replace

from consistency_bot.acknowledgements import (
    FEWEST_DIGITS,
    acknowledge,
    refused,
    with_not_taken,
    without_proposed,
)
from consistency_bot.check import check_change
from consistency_bot.errors import RulesError
from consistency_bot.git import ACKNOWLEDGEMENT, read_change, read_trailers
from consistency_bot.git.fetching import BASE, fetch_change
from consistency_bot.git.history import History
from consistency_bot.github.answers import Comment, CommitStatus, PullRequest
from consistency_bot.github.body import Around, comment_text
from consistency_bot.github.consent import NO_RIGHT, Permissions, of_author, of_comments
from consistency_bot.github.marker import Seen, with_seen
from consistency_bot.github.owners import read_owners
from consistency_bot.github.smoke import Known, has_failed, known_of
from consistency_bot.github.subject import Subject
from consistency_bot.model import Change, Conclusion, Finding, Report, Rules, SmokeRequest
from consistency_bot.planned import Planned, planned
from consistency_bot.report import Links, View, render
from consistency_bot.report.markdown import MOST_OPEN
from consistency_bot.report.results import outcome_of
from consistency_bot.report.sources import lines_at_head
from consistency_bot.rules import RulesText, load_rules

MOST_PORTED = MOST_OPEN
"""Findings whose ports are made unasked, those that are open in the comment: a port takes judging once more."""


class Nobody:
    """For a job without a token: of nobody is it known that they may write."""

    def may_write(self, login: str) -> bool:
        """Never."""
        return False

    def statuses(self, sha: str) -> Sequence[CommitStatus]:
        """None."""
        return ()


class Asked(Permissions, Protocol):
    """Whom judging asks."""

    def statuses(self, sha: str) -> Sequence[CommitStatus]:
        """All statuses of a commit, the newest first."""


class Said(msgspec.Struct, frozen=True):
    """What people said about a change. `is_known` tells a change whose pull requests are all in `pulls`."""

    pulls: tuple[PullRequest, ...]
    comments: tuple[Comment, ...]
    seen: tuple[Seen, ...] = ()
    is_known: bool = True


class Judged(msgspec.Struct, frozen=True):
    """A report with what was said about it, and the texts that need the sources: `annotations` and `text`.

    `calls_for_comment` tells a change about which a pull request should have a comment. `jobs` are all smoke jobs of the
    base commit's rules, `smoke` those that the change asks for, with what is known of them.
    """

    report: Report
    text: str
    annotations: str
    seen: tuple[Seen, ...]
    calls_for_comment: bool
    notes: tuple[str, ...]
    jobs: tuple[Planned, ...] = ()
    smoke: tuple[Known, ...] = ()


class Clone(msgspec.Struct, frozen=True):
    """Where the objects are: a folder, the remote to fetch from ("" for none), and the repository's address on the web."""

    folder: str
    remote: str
    address: str


def fetch(clone: Clone, subject: Subject) -> None:
    """Bring the change's commits to where there is a remote to fetch them from. Raises GitError."""
    if clone.remote:
        fetch_change(clone.folder, clone.remote, subject.base_source, subject.head_source, subject.head)


def _reading(clone: Clone, subject: Subject) -> AbstractContextManager[Change]:
    """The change in the clone; of a remote's base, which moves on, the one that was fetched last counts."""
    return read_change(clone.folder, BASE if clone.remote else subject.base, subject.head)


def jobs_of(clone: Clone, subject: Subject) -> tuple[Planned, ...]:
    """All smoke jobs of the base commit's rules, with nothing judged. Raises BotError where the rules cannot be read."""
    fetch(clone, subject)
    with _reading(clone, subject) as change:
        return _jobs(load_rules(change, None))


def _jobs(rules: Rules) -> tuple[Planned, ...]:
    return planned(rules, [SmokeRequest(job.name, "") for job in rules.jobs])


def judge(clone: Clone, subject: Subject, said: Said, hub: Asked, today: date, wanted: str = "") -> Judged:
    """The change, whose commits have been fetched, judged by the base commit's rules. Raises BotError where it cannot be.

    `wanted` are the first digits of a finding that gets a port in any case; the first few get one unasked.
    """
    with _reading(clone, subject) as change:
        rules = load_rules(change, None)
        labels = {label.name for pull in said.pulls for label in pull.labels}
        report = check_change(rules, change, False, today, labels)
        report, around = _with_consent(report, clone, said, hub)
        known = known_of(planned(rules, report.smoke), hub.statuses(subject.head)) if report.smoke else ()
        report = _with_ports(report, rules, change, wanted)
        edited = _by_edited_rules(change, rules, today)
        seen = with_seen(said.seen, subject.head, _in_a_word(report))
        around = replace(around, edited=edited, seen=seen, owners=read_owners(change.base), smoke=known)
        history = History(clone.folder, change.base_name, change.head_name)
        links = Links(clone.address, change.head_name)
        view = View(lines_at_head(change), links=links, touched=history.touched)
        text = comment_text(report, view, around)
        annotations = render(report, "github", view)
    is_called_for = _is_noteworthy(report) or (isinstance(edited, Report) and _is_noteworthy(edited))
    notes = (*rules.notes, *([f"the last changes are not told: {history.why_not}"] if history.why_not else []))
    is_called_for = is_called_for or bool(around.proposed) or has_failed(known)
    return Judged(report, text, annotations, seen, is_called_for, notes, _jobs(rules), known)


def _with_consent(report: Report, clone: Clone, said: Said, permissions: Permissions) -> tuple[Report, Around]:
    """The report with what is acknowledged, and what was said that does not count."""
    authors = {each.user.login if each.user is not None else "" for each in said.pulls}
    is_trusted = said.is_known and bool(authors) and all(login and permissions.may_write(login) for login in authors)
    proposed: tuple[Finding, ...] = ()
    if not is_trusted:
        report, proposed = without_proposed(report)
    consent = of_comments(said.comments, permissions)
    trailers = read_trailers(clone.folder, report.base, report.head, ACKNOWLEDGEMENT)
    for number, pull in enumerate(said.pulls):
        # Nobody can tell whose commits a queue holds: they count if all its authors may write.
        consent += of_author(pull, trailers if number == 0 else (), is_trusted)
    report, unmatched = acknowledge(report, consent.given)
    untaken = (*unmatched, *consent.refused)
    wished = (*(refused(each, NO_RIGHT) for each in proposed), *consent.proposed)
    return with_not_taken(report, (*untaken, *wished)), Around(proposed=wished, untaken=untaken)


def _with_ports(report: Report, rules: Rules, change: Change, wanted: str) -> Report:
    """The report with the other side's edits, where a side missed something: of the first few findings, and the wanted."""
    if not any(each.verdict == "missed" for each in report.findings):
        return report
    from consistency_bot.porting import Ports, is_portable, with_made  # most changes have nothing to port

    able = sorted((each for each in report.findings if is_portable(each)), key=lambda each: not each.blocks)
    chosen = able[:MOST_PORTED]
    if len(wanted) >= FEWEST_DIGITS:
        chosen += [each for each in able[MOST_PORTED:] if each.fingerprint.startswith(wanted.lower())]
    return with_made(report, Ports(report, rules, change).of(chosen))


def _by_edited_rules(change: Change, rules: Rules, today: date) -> Report | str | None:
    """What head's own rules would say, or why they would say nothing; None where head does not edit them."""
    if not (rules.source.changed_by_head and rules.source.from_ == "base"):
        return None
    data = change.head.read(rules.source.path)
    if data is None:
        return f"{rules.source.path} is not there any more."
    try:
        return check_change(load_rules(change, RulesText(rules.source.path, data)), change, False, today)
    except RulesError as error:
        return str(error)


def _in_a_word(report: Report) -> Conclusion:
    """What came out, for the line of history: drift that only warns is drift there."""
    return "drift" if outcome_of(report.findings) == "fail" else report.conclusion


def _is_noteworthy(report: Report) -> bool:
    return outcome_of(report.findings) != "pass" or any(
        each.waived is not None and each.waived.source in ("comment", "trailer") for each in report.findings
    )
