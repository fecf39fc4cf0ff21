"""The one comment: found, made, edited in place, and healed where two runs made one each."""

from collections.abc import Sequence
from typing import Protocol

from consistency_bot.errors import GitHubError, Refused
from consistency_bot.github.answers import Comment, PullRequest
from consistency_bot.github.marker import Marker, read_marker, text_below


class Conversation(Protocol):
    """What writing a comment asks of GitHub."""

    def pull(self, number: int) -> PullRequest:
        """The pull request as it is now."""

    def comments(self, number: int) -> list[Comment]:
        """All comments on it, the oldest first."""

    def create_comment(self, number: int, body: str) -> int:
        """Make one; its id."""

    def edit_comment(self, comment: int, body: str) -> None:
        """Give one another text."""

    def delete_comment(self, comment: int) -> None:
        """Take one away."""


def is_ours(comment: Comment, me: str) -> bool:
    """Whether a bot of this name wrote it. Anybody can copy a marker, nobody can write in a bot's name."""
    return comment.user is not None and comment.user.type == "Bot" and comment.user.login == me


def ours_among(comments: Sequence[Comment], me: str) -> list[Comment]:
    """Our comments with a marker at their beginning, the oldest first: one, unless two runs made one each."""
    found = [each for each in comments if is_ours(each, me) and read_marker(each.body or "") is not None]
    return sorted(found, key=lambda each: each.id)


def write_comment(hub: Conversation, number: int, me: str, marker: Marker, text: str, *, may_create: bool) -> str:
    """Let our one comment say `text`, and say what was done, in a few words.

    Nothing is written where the pull request has another head by now, where a newer run has written for this one,
    where the text is there already, or where there is no comment and `may_create` says that none is called for.
    Raises GitHubError.
    """
    if hub.pull(number).head.sha != marker.head:
        return "not written: the pull request has a newer commit, whose own run tells about it"
    ours = ours_among(hub.comments(number), me)
    if not ours:
        if not may_create:
            return "not written: there is nothing to tell"
        made = _create(hub, number, me, f"{marker}{text}")
        ours = ours_among(hub.comments(number), me)
        if ours and ours[0].id == made:
            _delete(hub, ours[1:])
            return "created"
    if not ours:
        return "not written: somebody deleted it at once"
    _delete(hub, ours[1:])
    return _update(hub, ours[0], marker, text)


def _update(hub: Conversation, comment: Comment, marker: Marker, text: str) -> str:
    there = read_marker(comment.body or "")
    if there is not None and there.head == marker.head and there.is_newer_than(marker):
        return "not written: a newer run has told about this commit"
    if there is not None and there.head == marker.head and text_below(comment.body or "") == text:
        return "not written: it says so already"
    hub.edit_comment(comment.id, f"{marker}{text}")
    return "edited"


def _create(hub: Conversation, number: int, me: str, body: str) -> int:
    """The id of a comment with this text. After a server error it is looked for first: it may have been stored."""
    try:
        return hub.create_comment(number, body)
    except Refused:
        raise
    except GitHubError:
        stored = [each for each in ours_among(hub.comments(number), me) if each.body == body]
        return stored[0].id if stored else hub.create_comment(number, body)


def _delete(hub: Conversation, comments: Sequence[Comment]) -> None:
    for comment in comments:
        hub.delete_comment(comment.id)
