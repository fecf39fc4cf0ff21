"""How one side says what the other says: names, and which calls it awaits; learnt from rows that stand opposite."""

import builtins
import keyword
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from operator import itemgetter

from consistency_bot.align.translation import plain_name
from consistency_bot.syntax.source_rows import CLOSERS

SILENT = frozenset({"await", "async"})
"""What asynchronous code says and blocking code does not."""

_SHARE = 0.7
_LEAST_VOTES = 2
_LEAST_FOR_BUILTINS = 4
"""What everybody calls the same is seldom renamed."""
_Next = tuple[str, str]


class Votes:
    """What stands on the other side where a name stands on this one, with and without what follows it."""

    def __init__(self) -> None:
        self.names: dict[str, Counter[str]] = defaultdict(Counter)
        self.in_context: dict[tuple[str, _Next], Counter[str]] = defaultdict(Counter)

    def add(self, mine: str, following: _Next, theirs: str) -> None:
        """One place where the two stand opposite each other."""
        self.names[mine][theirs] += 1
        self.in_context[mine, following][theirs] += 1

    def of(self, name: str, following: _Next, least: int = 1) -> str | None:
        """What the name is called over there; None where nothing clear has been seen, or another name too seldom."""
        found = _winner(self.in_context.get((name, following)), name, least)
        return found or _winner(self.names.get(name), name, least)


def _winner(votes: Counter[str] | None, name: str, least: int = 1) -> str | None:
    if not votes:
        return None
    best, count = max(votes.items(), key=itemgetter(1))
    if best != name and count < least:
        return None
    return best if count >= _SHARE * votes.total() else None


class Words:
    """The names of one side in the words of the other.

    `known` are the names that the other side uses already.
    """

    def __init__(self, known: frozenset[str]) -> None:
        self.known = known
        self.everywhere = Votes()
        self.here: dict[object, Votes] = defaultdict(Votes)
        self.in_text = Votes()
        self._parts: list[tuple[str, str]] = []
        self._coined: dict[str, str] = {}

    def settle(self) -> None:
        """Learns the parts in which names differ, from all that has been seen."""
        votes: Counter[tuple[str, str]] = Counter()
        for name, seen in self.everywhere.names.items():
            best = _winner(seen, name)
            if best and best != name and (part := _part(name, best)):
                votes[part] += 1
        kept = [name for name, seen in self.everywhere.names.items() if _winner(seen, name) == name]
        self._parts = [
            (mine, theirs)
            for (mine, theirs), count in votes.most_common()
            if count >= _LEAST_VOTES and sum(mine in name for name in kept) <= count
        ]

    def coin(self, mine: str, theirs: str, new: str) -> None:
        """Learns a name that neither side had: what this side put before or behind `mine` goes around `theirs`."""
        if mine != theirs and mine in new:
            before, _, behind = new.partition(mine)
            self._coined.setdefault(new, before + theirs + behind)

    def of(self, name: str, following: _Next, place: object) -> str:
        """What the name is called over there; the name itself where nothing is known about it."""
        if name in self._coined:
            return self._coined[name]
        local = self.here.get(place)
        least = _LEAST_FOR_BUILTINS if hasattr(builtins, name) else _LEAST_VOTES if name in self.known else 1
        found = (local and local.of(name, following, least)) or self.everywhere.of(name, following, least)
        if found is not None:
            return found
        if name in self.known:
            return name
        for mine, theirs in self._parts:
            if mine in name:
                return name.replace(mine, theirs)
        return name

    def in_prose(self, text: str, place: object) -> str:
        """A string, a comment or a line of a docstring with the names of the other side in it."""

        def said(found: re.Match[str]) -> str:
            word = found[0]
            told = self.in_text.of(word, ("", ""), _LEAST_VOTES)
            if told is None and _IS_DISTINCTIVE.search(word):
                told = self.of(word, ("", ""), place)
            return told or word

        return _WORD.sub(said, text)


_WORD = re.compile(r"[^\W\d]\w+")
_IS_DISTINCTIVE = re.compile(r"[a-z][A-Z]|\w_\w|[A-Z]{2}[a-z]")


def words_in(text: str) -> list[str]:
    """The words of a string, a comment or a line of a docstring."""
    return _WORD.findall(text)


def _part(mine: str, theirs: str) -> tuple[str, str] | None:
    """What is left of two names without what they start and end with alike; None where that says too little."""
    start = 0
    while start < min(len(mine), len(theirs)) and mine[start] == theirs[start]:
        start += 1
    end = 0
    while end < min(len(mine), len(theirs)) - start and mine[-1 - end] == theirs[-1 - end]:
        end += 1
    a, b = mine[start : len(mine) - end], theirs[start : len(theirs) - end]
    return (a, b) if len(a) >= 3 and start + end >= 3 else None


def is_name(token: str) -> bool:
    """Whether it is a name that could be called differently on another side."""
    return token.isidentifier() and not keyword.iskeyword(token)


def tells_the_side(words: Sequence[str]) -> bool:
    """Whether a statement says of what is named as asynchronous that it is so, or not: `self.is_async = True`."""
    if len(words) < 3 or words[-2] != "=" or words[-1] not in ("True", "False"):
        return False
    target = words[: min(words.index(each) for each in ("=", ":") if each in words)]
    return any(plain_name(word) != word for word in target)


def plain(token: str) -> str:
    """The token without what only marks it as asynchronous, and a string whatever its quotes."""
    if token[:1] == '"' and "'" not in token and "\\" not in token and not token.startswith('"""'):
        return f"'{token[1:-1]}'"
    return plain_name(token) if token.isidentifier() else token


def following(tokens: Sequence[str], index: int) -> _Next:
    """The two tokens after one; empty where there are none."""
    return (tokens[index + 1] if index + 1 < len(tokens) else ""), (
        tokens[index + 2] if index + 2 < len(tokens) else ""
    )


def spoken(tokens: Iterable[str]) -> list[int]:
    """The indices of the tokens that say something on both sides alike: no `await`, no comma before a closing bracket."""
    tokens = list(tokens)
    return [
        index
        for index, token in enumerate(tokens)
        if token not in SILENT and not (token == "," and index + 1 < len(tokens) and tokens[index + 1] in CLOSERS)
    ]
