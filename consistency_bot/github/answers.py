"""What GitHub tells, as far as it matters here. Decoded from its answers and events; fields that are not named are dropped."""

import msgspec

WRITING = frozenset({"admin", "write"})
"""Permissions that may change the repository. GitHub folds roles: `maintain` reads as write, `triage` as read."""


class User(msgspec.Struct, frozen=True):
    """An account. `type` is User, Bot or Organization."""

    login: str
    type: str = "User"


class Repository(msgspec.Struct, frozen=True):
    """A repository by its `OWNER/NAME`."""

    full_name: str


class End(msgspec.Struct, frozen=True):
    """One end of a pull request. `ref` is a branch's name, anybody's text; `repo` is None when a fork was deleted."""

    ref: str
    sha: str
    repo: Repository | None = None


class Label(msgspec.Struct, frozen=True):
    """A label by its name."""

    name: str


class PullRequest(msgspec.Struct, frozen=True):
    """A pull request; `user` is None when the account was deleted."""

    number: int
    head: End
    base: End
    user: User | None = None
    body: str | None = None
    state: str = "open"
    labels: tuple[Label, ...] = ()


class CommitStatus(msgspec.Struct, frozen=True):
    """What somebody said about a commit, under a name of their choice."""

    context: str
    state: str
    description: str | None = None
    target_url: str | None = None


class Comment(msgspec.Struct, frozen=True):
    """A comment on a pull request; GitHub sets `updated_at` anew at every edit, and never takes it back."""

    id: int
    body: str | None
    user: User | None
    created_at: str
    updated_at: str

    @property
    def is_edited(self) -> bool:
        """Whether somebody, its author or another, changed it after it was written."""
        return self.updated_at != self.created_at
