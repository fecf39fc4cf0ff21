"""Which acknowledgements count: those of people who may change the repository, and whose words nobody has changed since."""

import re
from collections.abc import Iterable, Sequence
from typing import Protocol

import msgspec

from consistency_bot.acknowledgements import Acknowledgement, not_taken, read_acknowledgement
from consistency_bot.git import ACKNOWLEDGEMENT, Trailer
from consistency_bot.github.answers import Comment, PullRequest
from consistency_bot.model import NotTaken

COMMAND = "/consistency"
_ACK = re.compile(rf"{COMMAND}[ \t]+ack\b[ \t]*(.*)")
_IN_BODY = re.compile(rf"^[ \t]*(?:{ACKNOWLEDGEMENT}:|{COMMAND}[ \t]+ack\b)[ \t]*(.*)$", re.MULTILINE)

NO_RIGHT = "who wrote it may not write to this repository"
EDITED = "it was edited after it was written: write a new one"
NO_REASON = "it is not of the form `FINGERPRINT reason`, with eight digits of the fingerprint at least"


class Permissions(Protocol):
    """Who may change the repository."""

    def may_write(self, login: str) -> bool:
        """Whether an account has `write`."""


class Consent(msgspec.Struct, frozen=True):
    """`given` count. `refused` do not, each with the reason; `proposed` neither: they are the author's, without `write`."""

    given: tuple[Acknowledgement, ...] = ()
    refused: tuple[NotTaken, ...] = ()
    proposed: tuple[NotTaken, ...] = ()

    def __add__(self, other: "Consent") -> "Consent":
        return Consent(self.given + other.given, self.refused + other.refused, self.proposed + other.proposed)


def first_line(comment: Comment) -> str:
    """The line in which a command may stand."""
    return (comment.body or "").replace("\r\n", "\n").split("\n", 1)[0].strip()


def of_comments(comments: Iterable[Comment], hub: Permissions) -> Consent:
    """What comments acknowledge: a deleted one says nothing any more, a bot's and an edited one do not count."""
    given, refused = [], []
    for comment in comments:
        found = _ACK.fullmatch(first_line(comment))
        if found is None or comment.user is None or comment.user.type == "Bot":
            continue
        read = read_acknowledgement(found[1], "comment", comment.user.login)
        why = _why_not(comment, hub, read)
        if read is not None and not why:
            given.append(read)
        else:
            refused.append(not_taken(read or _unread(found[1], comment.user.login), why))
    return Consent(tuple(given), tuple(refused))


def _why_not(comment: Comment, hub: Permissions, read: Acknowledgement | None) -> str:
    if read is None:
        return NO_REASON
    if comment.is_edited:
        return EDITED
    return "" if comment.user is not None and hub.may_write(comment.user.login) else NO_RIGHT


def of_author(pull: PullRequest, trailers: Sequence[Trailer], is_trusted: bool) -> Consent:
    """What the pull request itself acknowledges, in its text and in its commits: for its author, not for who they name."""
    author = pull.user.login if pull.user is not None else ""
    said: list[tuple[Acknowledgement | None, str]] = []
    body = (pull.body or "").replace("\r\n", "\n")
    said += [(read_acknowledgement(found[1], "comment", author), found[1]) for found in _IN_BODY.finditer(body)]
    said += [(read_acknowledgement(each.value, "trailer", author), each.value) for each in trailers]
    read = tuple(each for each, _ in said if each is not None)
    refused = tuple(not_taken(_unread(text, author), NO_REASON) for each, text in said if each is None)
    if is_trusted:
        return Consent(read, refused)
    return Consent((), refused, tuple(not_taken(each, NO_RIGHT) for each in read))


def _unread(text: str, by: str) -> Acknowledgement:
    """One that gives no fingerprint or no reason, for telling that it is not taken."""
    digits, _, reason = text.strip().partition(" ")
    return Acknowledgement(digits, reason, "comment", by)
