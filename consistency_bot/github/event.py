"""What happened, from the event file that GitHub gives a job. Every text in it is anybody's."""

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.github.answers import Comment, PullRequest, Repository, User


class Owner(msgspec.Struct, frozen=True):
    """Who a repository belongs to."""

    login: str


class Origin(Repository, frozen=True):
    """The repository that a run's commit comes from."""

    owner: Owner


class Run(msgspec.Struct, frozen=True):
    """The run of another workflow that ended. `event` is what that one ran for."""

    event: str
    head_sha: str
    head_branch: str | None = None
    head_repository: Origin | None = None


class MergeGroup(msgspec.Struct, frozen=True):
    """Pull requests that a merge queue tries together: the commits between which they lie, and the queue's branch."""

    base_sha: str
    head_sha: str
    head_ref: str


class Issue(msgspec.Struct, frozen=True):
    """What a comment stands under; `pull_request` is None where it is an issue."""

    number: int
    pull_request: dict[str, object] | None = None


class App(msgspec.Struct, frozen=True):
    """Who made a check run; a `slug` is not in every event."""

    slug: str = ""


class CheckRun(msgspec.Struct, frozen=True):
    """A check run, of anybody's."""

    id: int
    name: str
    head_sha: str
    app: App | None = None


class Button(msgspec.Struct, frozen=True):
    """The button on a check run that somebody pressed."""

    identifier: str


class Event(msgspec.Struct, frozen=True):
    """One event; which of the fields are there depends on its name."""

    action: str = ""
    pull_request: PullRequest | None = None
    merge_group: MergeGroup | None = None
    workflow_run: Run | None = None
    issue: Issue | None = None
    comment: Comment | None = None
    check_run: CheckRun | None = None
    requested_action: Button | None = None
    sender: User | None = None
    inputs: dict[str, object] | None = None


def read_event(data: bytes, path: str) -> Event:
    """The event in a file's bytes. Raises UsageError where they hold something else; `path` is for that message."""
    try:
        return msgspec.json.decode(data, type=Event)
    except msgspec.MsgspecError as error:
        raise UsageError(
            f"--event {path}: expected the file that GITHUB_EVENT_PATH names in a job, found: {error}"
        ) from None
