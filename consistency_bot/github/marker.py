"""The hidden first line of our comment: which commit and run it is about, and what was checked before."""

import re

import msgspec

from consistency_bot.model import Conclusion

_MARKER = re.compile(
    r"<!-- consistency-bot:v1 head=([0-9a-f]{40,64}) run=(\d{1,19})\.(\d{1,9}) seen=([0-9a-z:,_]{0,2000}) -->\n"
)
_SEEN = re.compile(r"([0-9a-f]{7}):(in_step|drift|unknown)")
MOST_SEEN = 20
"""Commits that one comment remembers."""

Seen = tuple[str, Conclusion]


class Marker(msgspec.Struct, frozen=True):
    """Who wrote a comment's text: for which head, in which run and attempt.

    `seen` are the commits checked so far, the oldest first and this one last, each with what came out.
    """

    head: str
    run: int
    attempt: int
    seen: tuple[Seen, ...] = ()

    def __str__(self) -> str:
        seen = ",".join(f"{commit}:{conclusion}" for commit, conclusion in self.seen)
        return f"<!-- consistency-bot:v1 head={self.head} run={self.run}.{self.attempt} seen={seen} -->\n"

    def is_newer_than(self, other: "Marker") -> bool:
        """Whether this run began after the other one. GitHub counts runs upwards."""
        return (self.run, self.attempt) > (other.run, other.attempt)


def read_marker(body: str) -> Marker | None:
    """The marker that a text begins with; None where it begins otherwise."""
    found = _MARKER.match(body)
    if found is None:
        return None
    head, run, attempt, seen = found.groups()
    return Marker(head, int(run), int(attempt), tuple(_SEEN.findall(seen)))


def text_below(body: str) -> str:
    """The text without its marker."""
    return _MARKER.sub("", body, count=1)


def with_seen(before: tuple[Seen, ...], commit: str, conclusion: Conclusion) -> tuple[Seen, ...]:
    """The commits checked so far, with this one at the end; one that is there already is told anew."""
    kept = tuple(each for each in before if each[0] != commit[:7])
    return (*kept, (commit[:7], conclusion))[-MOST_SEEN:]
