"""GitHub for `--dry-run`: questions are asked, deeds only noted down."""

from collections.abc import Sequence
from typing import Any

from consistency_bot.github.answers import Comment, CommitStatus, PullRequest
from consistency_bot.github.tasks import Hub


class Rehearsal:
    """Reads through another one and writes nothing; `deeds` are what would have been written, the comments' texts among them."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.deeds: list[str] = []

    def pull(self, number: int) -> PullRequest:
        """The pull request as it is now."""
        return self._hub.pull(number)

    def pulls_of(self, owner: str, branch: str) -> list[PullRequest]:
        """The open pull requests from a branch of an owner's repository."""
        return self._hub.pulls_of(owner, branch)

    def pulls_with(self, commit: str) -> list[PullRequest]:
        """The pull requests that have a commit."""
        return self._hub.pulls_with(commit)

    def comments(self, number: int) -> list[Comment]:
        """All comments on it, the oldest first."""
        return self._hub.comments(number)

    def may_write(self, login: str) -> bool:
        """Whether an account has `write`."""
        return self._hub.may_write(login)

    def viewer(self) -> str:
        """Whose token it is."""
        return self._hub.viewer()

    def labels(self, number: int) -> list[str]:
        """The names of a pull request's labels."""
        return self._hub.labels(number)

    def create_comment(self, number: int, body: str) -> int:
        """Noted; no comment has the id that comes back."""
        self.deeds.append(f"create a comment on #{number}:\n{body}")
        return 0

    def edit_comment(self, comment: int, body: str) -> None:
        """Noted."""
        self.deeds.append(f"edit comment {comment}:\n{body}")

    def delete_comment(self, comment: int) -> None:
        """Noted."""
        self.deeds.append(f"delete comment {comment}")

    def react(self, comment: int, content: str) -> None:
        """Noted."""
        self.deeds.append(f"react to comment {comment} with {content}")

    def set_status(self, sha: str, context: str, state: str, description: str, target: str) -> None:
        """Noted."""
        self.deeds.append(f"set the status {context} of {sha}: {state}, {description}")

    def statuses(self, sha: str) -> Sequence[CommitStatus]:
        """All statuses of a commit, the newest first."""
        return self._hub.statuses(sha)

    def start_workflow(self, file: str, branch: str, inputs: dict[str, str]) -> None:
        """Noted."""
        self.deeds.append(f"start the workflow {file} of {branch} with {inputs}")

    def add_label(self, number: int, label: str) -> None:
        """Noted."""
        self.deeds.append(f"put the label {label!r} on #{number}")

    def remove_label(self, number: int, label: str) -> None:
        """Noted."""
        self.deeds.append(f"take the label {label!r} off #{number}")

    def create_check(self, check: dict[str, Any]) -> int:
        """Noted; no check run has the id that comes back."""
        self.deeds.append(f"create the check run {check['name']!r} of {check['head_sha']}")
        return 0

    def update_check(self, check_id: int, check: dict[str, Any]) -> None:
        """Noted."""
        self.deeds.append(f"add {len(check['output']['annotations'])} annotations to it")
