"""Smoke jobs on GitHub: what is known of each at a commit, in statuses of their own, and how one is started by hand.

What a run came to is a commit status for each job, so that every later run of ours finds it there; the comment and the
one status for all are made of these.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Protocol

import msgspec

from consistency_bot.github.answers import CommitStatus, PullRequest
from consistency_bot.github.consent import COMMAND
from consistency_bot.github.verdict import State, Status, cut
from consistency_bot.planned import Planned
from consistency_bot.report.inert import code, fenced, prose
from consistency_bot.visible import visible

CONTEXT = "consistency-bot/smoke"
WORKFLOW = "smoke.yml"
"""The file of the workflow that runs jobs, in the branch that a pull request goes to."""

MOST_SHOWN = 12
_ASKED = re.compile(r"(?P<job>\S+)[ \t]+(?P<sha>[0-9a-f]{40}(?:[0-9a-f]{24})?)")
_ADDRESS = re.compile(r"https://[\w.:/?&=#%-]+")


class Statuses(Protocol):
    """What smoke jobs ask of GitHub."""

    def statuses(self, sha: str) -> Sequence[CommitStatus]:
        """All statuses of a commit, the newest first."""

    def start_workflow(self, file: str, branch: str, inputs: dict[str, str]) -> None:
        """Start the branch's version of a workflow."""


class Result(msgspec.Struct, frozen=True):
    """What a run of a job came to, in a status's words."""

    job: str
    state: State
    description: str


class Known(msgspec.Struct, frozen=True):
    """A job that the change asks for, and the newest status of a run of it; None where there was none."""

    job: Planned
    status: CommitStatus | None


def context_of(job: str) -> str:
    """The name of a job's own status."""
    return f"{CONTEXT}/{job}"


def known_of(jobs: Sequence[Planned], statuses: Sequence[CommitStatus]) -> tuple[Known, ...]:
    """Each job with what is known of it."""
    newest: dict[str, CommitStatus] = {}
    for each in statuses:
        newest.setdefault(each.context, each)
    return tuple(Known(job, newest.get(context_of(job.job))) for job in jobs)


def has_failed(known: Sequence[Known]) -> bool:
    """Whether a run came to a bad end."""
    return any(each.status is not None and each.status.state in ("failure", "error") for each in known)


def status_of_jobs(known: Sequence[Known]) -> Status:
    """The one status: success where all that were asked for passed, pending while one has not run."""
    states = {each.job.job: each.status.state if each.status is not None else "pending" for each in known}
    bad = [job for job, state in states.items() if state in ("failure", "error")]
    waiting = [job for job, state in states.items() if state == "pending"]
    if bad:
        return Status("failure", cut(f"Failed: {', '.join(bad)}"))
    if waiting:
        return Status("pending", cut(f"Not run yet: {', '.join(waiting)}"))
    return Status("success", cut(f"Passed: {', '.join(states)}" if states else "The change asks for no smoke job"))


def told(known: Sequence[Known], head: str) -> Iterator[str]:
    """The comment's paragraphs about smoke jobs; none where the change asks for none."""
    if not known:
        return
    lines = [
        f"- {code(each.job.job)} ({prose(each.job.reason)}): {_outcome(each.status)}" for each in known[:MOST_SHOWN]
    ]
    if len(known) > MOST_SHOWN:
        lines.append(f"- and {len(known) - MOST_SHOWN} more")
    yield "**Smoke jobs that this change asks for**:\n" + "\n".join(lines)
    again = [each.job.job for each in known if each.status is None or each.status.state != "success"][:MOST_SHOWN]
    if again:
        which = "this line" if len(again) == 1 else "one of these lines"
        yield f"To run one by hand, begin a comment with {which}; it takes write access:"
        yield fenced([visible(f"{COMMAND} smoke {job} {head}") for job in again], "text")


def _outcome(status: CommitStatus | None) -> str:
    if status is None:
        return "not run yet"
    word = {"success": "passed", "failure": "**failed**", "error": "**not run**"}.get(status.state, "running")
    said = f", {prose(status.description)}" if status.description else ""
    address = status.target_url or ""
    return f"{word}{said}" + (f" ([run]({address}))" if _ADDRESS.fullmatch(address) else "")


def start(hub: Statuses, pull: PullRequest, jobs: Sequence[Planned], said: str) -> str:
    """Start the job that a comment names, for the commit that it names; why not, "" where it was started."""
    found = _ASKED.fullmatch(said.strip())
    if found is None:
        return "Not started: it takes the job's name and the full commit id of the head, as the line to copy has them."
    if found["sha"] != pull.head.sha:
        return f"Not started: {code(found['sha'][:12])} is not the head any more, which is {code(pull.head.sha[:12])}."
    if found["job"] not in {job.job for job in jobs}:
        names = ", ".join(code(job.job) for job in jobs[:MOST_SHOWN]) or "none"
        return f"Not started: the base commit's rules have no smoke job {code(found['job'])}. There are: {names}."
    inputs = {"pull": str(pull.number), "sha": found["sha"], "job": found["job"]}
    hub.start_workflow(WORKFLOW, pull.base.ref, inputs)
    return ""
