"""Which commits an event asks to be judged.

Everything comes from the event itself and from GitHub, nothing from an artifact or from the code under check.
"""

import re
from typing import Protocol

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.github.answers import PullRequest
from consistency_bot.github.event import Event, MergeGroup, Run

_QUEUE = re.compile(r"(?:refs/heads/)?gh-readonly-queue/(?P<base>.+)/pr-(?P<number>\d+)-(?P<sha>[0-9a-f]{40,64})")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


class Subject(msgspec.Struct, frozen=True):
    """One change: full ids of its commits, and where a remote has them.

    `pull` is None for the merge queue, whose pull requests are those that `queued` numbers, and more that the commits name.
    """

    head: str
    base: str
    head_source: str
    base_source: str
    pull: PullRequest | None = None
    queued: tuple[int, ...] = ()


class Finder(Protocol):
    """What finding the pull requests of an event asks of GitHub."""

    def pull(self, number: int) -> PullRequest:
        """The pull request as it is now."""

    def pulls_of(self, owner: str, branch: str) -> list[PullRequest]:
        """The open pull requests from a branch of an owner's repository."""

    def pulls_with(self, commit: str) -> list[PullRequest]:
        """The pull requests, open and closed, that have a commit."""


def subjects_of(name: str, event: Event, hub: Finder | None) -> tuple[Subject, ...]:
    """What to judge; empty where the event is about nothing that is to be judged any more.

    Raises UsageError for an event that is not known, or that cannot be followed up without a token.
    """
    if name in ("pull_request", "pull_request_target") and event.pull_request is not None:
        return (_of_pull(event.pull_request),)
    if name == "merge_group" and event.merge_group is not None:
        return (_of_group(event.merge_group),)
    if hub is None:
        raise UsageError(f"the event {name} names no commits: expected GITHUB_TOKEN in the environment, to ask GitHub")
    if name == "workflow_run" and event.workflow_run is not None:
        return _of_run(event.workflow_run, hub)
    if name == "issue_comment" and event.issue is not None:
        return (_of_pull(hub.pull(event.issue.number)),) if event.issue.pull_request is not None else ()
    if name == "workflow_dispatch":
        return _of_inputs(event.inputs or {}, hub)
    if name == "check_run" and event.check_run is not None:
        return _with_head(hub, _commit(event.check_run.head_sha))
    raise UsageError(
        f"the event {name} is not known: expected pull_request, merge_group, workflow_run, issue_comment,"
        " workflow_dispatch or check_run"
    )


def _of_inputs(inputs: dict[str, object], hub: Finder) -> tuple[Subject, ...]:
    """The pull request that somebody named, at the commit that they named; none where it has another head by now."""
    number, sha = str(inputs.get("pull", "")), str(inputs.get("sha", ""))
    if not number.isdigit():
        raise UsageError(f"expected the number of a pull request as the input `pull`, found {number!r}")
    pull = hub.pull(int(number))
    return (_of_pull(pull),) if pull.head.sha == _commit(sha) else ()


def _of_pull(pull: PullRequest) -> Subject:
    base = f"refs/heads/{pull.base.ref}"
    return Subject(_commit(pull.head.sha), _commit(pull.base.sha), f"refs/pull/{pull.number}/head", base, pull)


def _of_group(group: MergeGroup) -> Subject:
    found = _QUEUE.fullmatch(group.head_ref)
    numbers = (int(found["number"]),) if found is not None else ()
    head, base = _commit(group.head_sha), _commit(group.base_sha)
    return Subject(head, base, head, base, queued=numbers)


def _of_run(run: Run, hub: Finder) -> tuple[Subject, ...]:
    """What another workflow's run was about. `workflow_run.pull_requests` is empty for forks, so the head is looked up."""
    branch = run.head_branch or ""
    if run.event == "merge_group":
        # The queue's branch, which only GitHub can make, ends in the commit that the group stands on.
        found = _QUEUE.fullmatch(branch)
        if found is None:
            raise UsageError(f"expected a merge queue's branch, found {branch!r}")
        return (_of_group(MergeGroup(found["sha"], run.head_sha, branch)),)
    if not run.event.startswith("pull_request") or run.head_repository is None or not branch:
        return ()
    pulls = hub.pulls_of(run.head_repository.owner.login, branch)
    return tuple(
        _of_pull(each)
        for each in pulls
        if each.head.sha == run.head_sha
        and each.head.repo is not None
        and each.head.repo.full_name == run.head_repository.full_name
    )


def _with_head(hub: Finder, sha: str) -> tuple[Subject, ...]:
    """The open pull requests of which a commit is the head; of a check run's own list those from forks are left out."""
    return tuple(_of_pull(each) for each in hub.pulls_with(sha) if each.head.sha == sha and each.state == "open")


def _commit(sha: str) -> str:
    if _COMMIT.fullmatch(sha) is None:
        raise UsageError(f"expected a full commit id in the event, found {sha!r}")
    return sha
