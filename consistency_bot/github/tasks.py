"""The commands `github report`, `status` and `command`: from an event to what is written on GitHub.

Each run computes everything anew from git and from the comments that are there, so that a run that is lost, repeated or
late does no harm. A token that may not write changes nothing about what comes out.
"""

from collections.abc import Callable, Sequence
from datetime import date
from functools import partial
from typing import Protocol

import msgspec

from consistency_bot.errors import BotError, Refused
from consistency_bot.github.answers import Comment
from consistency_bot.github.check_run import Checks, write_check_run
from consistency_bot.github.consent import Permissions
from consistency_bot.github.event import Event
from consistency_bot.github.identity import Viewer, identity
from consistency_bot.github.judging import Clone, Judged, Nobody, Said, fetch, jobs_of, judge
from consistency_bot.github.label import Labels, set_label
from consistency_bot.github.marker import Marker, Seen, read_marker, with_seen
from consistency_bot.github.smoke import CONTEXT as SMOKE_CONTEXT
from consistency_bot.github.smoke import Result, Statuses, context_of, status_of_jobs
from consistency_bot.github.sticky import Conversation, ours_among, write_comment
from consistency_bot.github.subject import Finder, Subject, subjects_of
from consistency_bot.github.surroundings import Surroundings
from consistency_bot.github.verdict import CONTEXT, Status, failed, status_of
from consistency_bot.model import Report
from consistency_bot.report.markdown import BUDGET

MOST_LINES_OF_ERROR = 40


class Hub(Conversation, Finder, Permissions, Viewer, Checks, Labels, Statuses, Protocol):
    """Everything that is asked of GitHub."""

    def set_status(self, sha: str, context: str, state: str, description: str, target: str) -> None:
        """Give a commit a status."""

    def react(self, comment: int, content: str) -> None:
        """Put a reaction under a comment."""


class Given(msgspec.Struct, frozen=True):
    """What a job is told. `hub` is None without a token. `fail_on` is about the job alone, not about the commit status.
    `label` is what a pull request's label by verdict begins with, "" for none. `results` are what smoke jobs came to.
    """

    clone: Clone
    surroundings: Surroundings
    event: Event
    hub: Hub | None
    fail_on: str
    label: str
    today: date
    results: tuple[Result, ...] = ()


class Outcome(msgspec.Struct, frozen=True):
    """What came out. `notes` say, sentence by sentence, what was written and what was not."""

    judged: tuple[Judged, ...]
    notes: tuple[str, ...]
    blocks: bool


def report(given: Given) -> Outcome:
    """Judge what the event is about, then write the comment, the label, an App's check run and the commit status.

    Raises BotError where it cannot be judged; the commit's status then says so.
    """
    return report_on(given, _subjects(given))


def report_on(given: Given, subjects: Sequence[Subject]) -> Outcome:
    """The same for who has asked already what the event is about."""
    return _run(given, subjects, _write_pull)


def smoke(given: Given) -> Outcome:
    """Tell what smoke jobs came to, in a status for each, and write everything anew.

    Results are the run's own word, and it ran a pull request's code: a job that the base commit's rules do not have is
    left out.
    """
    subjects = _subjects(given)
    names = {job.job for subject in subjects for job in jobs_of(given.clone, subject)}
    notes = [f"the rules have no smoke job {each.job}: left out" for each in given.results if each.job not in names]
    for each in given.results if subjects else ():
        if each.job in names:
            status = Status(each.state, each.description)
            notes += _write_status(given, subjects[0].head, status, context_of(each.job))
    outcome = report_on(given, subjects)
    return Outcome(outcome.judged, (*notes, *outcome.notes), outcome.blocks)


def status(given: Given) -> Outcome:
    """The same, without comment and label."""
    return _run(given, _subjects(given), lambda _, __, ___: [])


def _subjects(given: Given) -> tuple[Subject, ...]:
    return subjects_of(given.surroundings.event, given.event, given.hub)


Writer = Callable[[Given, Subject, Judged], list[str]]


def _run(given: Given, subjects: Sequence[Subject], write: Writer) -> Outcome:
    notes: list[str] = []
    current = [now for each in subjects if (now := _as_it_is(given, each, notes)) is not None]
    try:
        judged = [judged_as_said(given, each) for each in current]
    except BotError as error:
        _tell_failure(given, current, error)
        raise
    notes += [note for each in judged for note in each.notes]
    if judged:  # the status first: nothing that goes wrong with a comment may leave it out
        reports = [each.report for each in judged]
        notes += _write_status(given, current[0].head, status_of(reports))
        if any(each.jobs for each in judged):
            known = [job for each in judged for job in each.smoke]
            notes += _write_status(given, current[0].head, status_of_jobs(known), SMOKE_CONTEXT)
    else:
        notes.append("nothing to judge: the event is about no open pull request at this commit")
    for subject, each in zip(current, judged, strict=True):
        notes += write(given, subject, each)
        notes += _write_check_run(given, each)
    blocks = given.fail_on == "block" and any(each.blocks for one in judged for each in one.report.findings)
    return Outcome(tuple(judged), tuple(notes), blocks)


def judged_as_said(given: Given, subject: Subject, wanted: str = "") -> Judged:
    """A change with what people said about it; nothing is written. Raises BotError where it cannot be judged.

    Its pull request must be as it is now. `wanted` are the first digits of a finding that gets a port in any case.
    """
    fetch(given.clone, subject)
    return judge(given.clone, subject, _said_about(given, subject), given.hub or Nobody(), given.today, wanted)


def _tell_failure(given: Given, subjects: Sequence[Subject], error: BotError) -> None:
    """Let the commit's status, and the comment if there is one, say that it could not be judged."""
    from consistency_bot.report.inert import fenced
    from consistency_bot.visible import visible

    lines = [visible(line) for line in str(error).split("\n")[:MOST_LINES_OF_ERROR]]
    text = f"### Not judged\n\n{fenced(lines, 'text')}\n"[:BUDGET]
    for sha in dict.fromkeys(each.head for each in subjects):
        _write_status(given, sha, failed(str(error)))
    hub, me, around = given.hub, identity_of(given), given.surroundings
    for subject in subjects if hub is not None and me else ():
        number = subject.pull.number if subject.pull is not None else None
        if hub is not None and number is not None:
            seen = with_seen(_seen(hub.comments(number), me), subject.head, "unknown")
            marker = Marker(subject.head, around.run, around.attempt, seen)
            _done("comment", partial(write_comment, hub, number, me, marker, text, may_create=False))


def _as_it_is(given: Given, subject: Subject, notes: list[str]) -> Subject | None:
    """The change with its pull request as it is now; None where that has another head: an event may come late."""
    if given.hub is None or subject.pull is None:
        return subject
    pull = given.hub.pull(subject.pull.number)
    if pull.head.sha == subject.head:
        return msgspec.structs.replace(subject, pull=pull)
    notes.append(f"#{pull.number} has a newer commit than {subject.head[:12]}, whose own run judges it")
    return None


def _said_about(given: Given, subject: Subject) -> Said:
    """What people said about a change, in its pull request or in all those of a merge queue's group."""
    hub, pull = given.hub, subject.pull
    if hub is None:
        return Said((pull,) if pull is not None else (), ())
    if pull is not None:
        comments = hub.comments(pull.number)
        return Said((pull,), tuple(comments), _seen(comments, identity_of(given)))
    return _queued(hub, subject, given.clone)


def _queued(hub: Hub, subject: Subject, clone: Clone) -> Said:
    """The pull requests of a group: the one that the queue's branch names, and those that its commits name."""
    from consistency_bot.github.queue import numbers_of

    named = numbers_of(clone, subject)
    pulls, comments = [], []
    for number in dict.fromkeys((*subject.queued, *named.numbers)):
        try:
            pulls.append(hub.pull(number))
            comments += hub.comments(number)
        except Refused:  # a commit's message may name what is not there
            named = msgspec.structs.replace(named, is_known=False)
    return Said(tuple(pulls), tuple(comments), is_known=named.is_known)


def identity_of(given: Given) -> str:
    """Our login; empty where it is unknown."""
    return identity(given.surroundings.login, given.surroundings.app, given.hub) if given.hub is not None else ""


def _seen(comments: Sequence[Comment], me: str) -> tuple[Seen, ...]:
    markers = [read_marker(each.body or "") for each in ours_among(comments, me)]
    return markers[0].seen if markers and markers[0] is not None else ()


def _write_pull(given: Given, subject: Subject, judged: Judged) -> list[str]:
    pull = subject.pull
    if pull is None:
        return []
    if given.hub is None:
        return [f"comment on #{pull.number}: not written: there is no token"]
    me = identity_of(given)
    if not me:
        return [
            f"comment on #{pull.number}: not written: it is not known which bot this token is (CONSISTENCY_BOT_LOGIN)"
        ]
    around = given.surroundings
    marker = Marker(subject.head, around.run, around.attempt, judged.seen)
    hub = given.hub
    deed = f"comment on #{pull.number}"
    notes = _done(
        deed, lambda: write_comment(hub, pull.number, me, marker, judged.text, may_create=judged.calls_for_comment)
    )
    if given.label:
        notes += _done("label", lambda: _write_label(hub, pull.number, given.label, judged.report))
    return notes


def _write_label(hub: Hub, number: int, prefix: str, report: Report) -> str:
    if hub.pull(number).head.sha != report.head:
        return "not written: the pull request has a newer commit, whose own run labels it"
    return set_label(hub, number, prefix, report)


def _write_check_run(given: Given, judged: Judged) -> list[str]:
    """In app mode alone."""
    hub, around = given.hub, given.surroundings
    if hub is None or not around.app:
        return []
    return _done("check run", lambda: write_check_run(hub, judged.report, judged.text, around.run_address))


def _write_status(given: Given, sha: str, status: Status, context: str = CONTEXT) -> list[str]:
    hub = given.hub
    deed = f"status of {sha[:12]}" if context == CONTEXT else f"status {context} of {sha[:12]}"
    if hub is None:
        return [f"{deed}: not written: there is no token ({status.state}: {status.description})"]

    def write() -> str:
        hub.set_status(sha, context, status.state, status.description, given.surroundings.run_address)
        return f"{status.state}: {status.description}"

    return _done(deed, write)


def _done(deed: str, write: Callable[[], str]) -> list[str]:
    """What was done; a token without the right is told of, and is no error: a fork's has none."""
    try:
        return [f"{deed}: {write()}"]
    except Refused as error:
        return [f"{deed}: not written: this token may not ({error})"]
