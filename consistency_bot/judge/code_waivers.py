"""Waivers in the code, `# consistency: differs(NAME) reason`, as the files at head have them.

A comment that is none of ours is passed over; one that means to be a waiver and is not one comes with what is wrong
with it. Nothing here is an error: the code under check is anybody's.
"""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import msgspec

from consistency_bot.attempts import GivenUp
from consistency_bot.concepts import CONCEPTS, spelt
from consistency_bot.judge.hints import HINT, may_waive
from consistency_bot.model import Change, Rules
from consistency_bot.syntax import Undecodable

if TYPE_CHECKING:
    from consistency_bot.syntax.comments import Comment, Comments

TAKES = "`# consistency: differs(NAME) reason`"
_WAIVER = re.compile(r"differs\s*\(([^()]*)\)(.*)", re.IGNORECASE)
_FIRST_WORD = re.compile(r"[\w-]+")
_WORDS = frozenset("differ differs disable ignore noqa skip waive waived waiver".split())
_LONGEST = 100
_MOST_NAMES = 10
_MOST_LINES = 2_000
"""Lines between the first and the last difference that are compared one by one; beyond, all of them count as new."""


class CodeWaiver(msgspec.Struct, frozen=True):
    """One comment that waives, or would: where it stands, the lines it is about, and the names in its parentheses.

    `problem` says why it cannot be taken, and is empty where it can. `said` is what the comment says.
    """

    path: str
    line: int
    first: int
    last: int
    said: str
    names: frozenset[str] = frozenset()
    reason: str = ""
    problem: str = ""
    added_by_head: bool = False


class CodeWaivers:
    """The waivers of one file at head, and which of its lines they can be about."""

    def __init__(self, path: str, change: Change, known: Sequence[str]) -> None:
        self._path = path
        self._change = change
        self._known = known
        self._data = change.head.read(path) or b""
        self._ends: dict[int, int] = {}

    @cached_property
    def all(self) -> tuple[CodeWaiver, ...]:
        """In the order of the file, those with problems among them. Empty for nearly every file, and soon told."""
        found = self._comments.all if self._comments is not None else []
        added = self._added() if found else frozenset()
        read = (read_waiver(self._path, comment, self._known) for comment in found)
        return tuple(msgspec.structs.replace(each, added_by_head=each.line in added) for each in read if each)

    def end_of_statement(self, line: int) -> int:
        """The last line of the statement that the code of this line belongs to."""
        if line not in self._ends:
            self._ends[line] = self._comments.end_of_statement(line) if self._comments is not None else line
        return self._ends[line]

    @cached_property
    def _comments(self) -> "Comments | None":
        if not may_waive(self._data):
            return None
        from consistency_bot.syntax.comments import Comments  # only a file that may have a waiver pays for it

        try:
            return Comments(self._path, self._data)
        except (Undecodable, GivenUp):
            return None

    def _added(self) -> frozenset[int]:
        """The lines of head's file that the change brings along."""
        old = next((each.old for each in self._change.paths if each.new == self._path), self._path)
        before = self._change.base.read(old) if old is not None else None
        return added_lines(before or b"", self._data)


def read_waiver(path: str, comment: "Comment", known: Sequence[str]) -> CodeWaiver | None:
    """What a comment waives, among the names that are `known`; None where it is only prose about consistency."""
    said = comment.text if len(comment.text) <= _LONGEST else comment.text[:_LONGEST] + "…"
    waiver = CodeWaiver(path, comment.line, comment.first, comment.last, f"# consistency: {said}")
    found = _WAIVER.match(comment.text)
    if found is None:
        return msgspec.structs.replace(waiver, problem="it names nothing") if _is_meant(comment.text) else None
    names = [name.strip(" \t`'\"") for name in found[1].split(",")]
    names = [name[:_LONGEST] for name in names if name]
    reason = re.split(r"\s#\s", found[2], maxsplit=1)[0].strip(" \t:-\u2013\u2014,")
    problems = [_unknown(name, known) for name in names[:_MOST_NAMES] if not is_known(name, known)]
    problems += [f"it names more than {_MOST_NAMES} things"] * (len(names) > _MOST_NAMES)
    problems += [] if names else ["it names nothing"]
    problems += [] if any(char.isalnum() for char in reason) else ["it gives no reason"]
    return msgspec.structs.replace(waiver, names=frozenset(names), reason=reason, problem=", and ".join(problems))


def known_names(rules: Rules) -> tuple[str, ...]:
    """What a waiver may name: rules, twins and concepts."""
    return ("bodies", *(rule.id for rule in rules.declared), *(twins.id for twins in rules.twins), *CONCEPTS)


def is_known(name: str, known: Sequence[str]) -> bool:
    """Whether this is one of the names; a concept may be spelt in any of its ways."""
    return name in known or spelt(name) in map(spelt, CONCEPTS)


def _unknown(name: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches  # only a mistake costs it

    near = get_close_matches(name, known, 1)
    return f"there is no rule, twins or concept `{name}`" + (f" (did you mean `{near[0]}`?)" if near else "")


def _is_meant(text: str) -> bool:
    """Whether somebody meant to waive: `differs condition`, `ignore[call]`. People write prose after a colon too."""
    word = _FIRST_WORD.match(text)
    return word is not None and (word[0].lower() in _WORDS or text[word.end() :].startswith(("(", "[")))


def added_lines(before: bytes, after: bytes) -> frozenset[int]:
    """The lines of `after`, counted from 1, that are not in `before`.

    A line with a marked comment is compared by the comment alone: a waiver does not become new when the code beside it
    changes, which is what it is there for. One that moved is new.
    """
    old, new = _keys(before), _keys(after)
    low = 0
    while low < min(len(old), len(new)) and old[low] == new[low]:
        low += 1
    high = 0
    while high < min(len(old), len(new)) - low and old[-1 - high] == new[-1 - high]:
        high += 1
    old, middle = old[low : len(old) - high], new[low : len(new) - high]
    if len(old) + len(middle) > _MOST_LINES:
        return frozenset(range(low + 1, low + len(middle) + 1))
    from difflib import SequenceMatcher  # only a file with such comments costs it

    codes = SequenceMatcher(None, old, middle).get_opcodes()
    return frozenset(low + row + 1 for tag, _, _, j1, j2 in codes if tag != "equal" for row in range(j1, j2))


def _keys(data: bytes) -> list[bytes]:
    rows = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    return [row[found.start() :].strip() if (found := HINT.search(row)) else row.strip() for row in rows]
