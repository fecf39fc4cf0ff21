"""Rows of this side as the other side would write them."""

import builtins
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from consistency_bot.port.awaiting import (
    AWAITED_NAMES,
    PLAIN_NAMES,
    Awaiting,
    calls_in,
    closing,
    is_read_on,
    needless,
    start_of,
)
from consistency_bot.port.half import Half
from consistency_bot.port.imports import is_import, module_of
from consistency_bot.port.layout import aligned
from consistency_bot.port.matching import Matching
from consistency_bot.port.words import SILENT, is_name
from consistency_bot.syntax import Definition
from consistency_bot.syntax.source_rows import CLOSERS, Row


class Said(msgspec.Struct, frozen=True):
    """A token to be written. `foreign` is the name where this side has long had it and the other does not know it.

    `is_aligned` says that it starts a line which is aligned with the bracket around it.
    """

    text: str
    gap: str
    foreign: str = ""
    is_aligned: bool = False

    def with_gap(self, gap: str) -> "Said":
        """The same after another gap."""
        return replace(self, gap=gap)


class Speech:
    """Puts rows of `new`, a later version of the matching's `mine`, into the other side's words."""

    def __init__(self, matching: Matching, new: Half) -> None:
        self.matching, self.new = matching, new
        self._old_names = matching.mine.words
        self._origins = (matching.mine.imported.origins, matching.theirs.imported.origins)
        self._homes = {(each.kind, each.qualname): each for each in matching.mine.source.outline}
        self._awaiting = Awaiting(matching.theirs)
        self._quote = _quote_of(matching.theirs)
        self.is_awaiting_here, self.is_awaiting_there = _directions(matching)
        self._turned: frozenset[Definition] = frozenset()
        self._turned_names: frozenset[str] = frozenset()
        if self.is_awaiting_there:
            self._turn_new_functions()

    def home(self, row: int) -> Definition:
        """The definition of the old version in which a row of the new one stands; the nearest there is."""
        owner = self.new.owners[row]
        kind, name = owner.kind, owner.qualname
        while (kind, name) not in self._homes and name:
            kind, name = "class", name.rpartition(".")[0]
        return self._homes.get((kind, name)) or self._homes["module", ""]

    def turn(self, row: int) -> str:
        """What becomes of `await`: `gained`, `lost` or `kept`."""
        home, owner = self.home(row), self.new.owners[row]
        opposite = self.matching.pairs.get(home)
        if opposite is not None and home.kind == "function":
            if home.is_async == opposite.is_async:
                return "kept"
            return "lost" if home.is_async else "gained"
        if owner.is_async:
            return "lost" if self.is_awaiting_here else "kept"
        return "gained" if owner in self._turned else "kept"

    def _turn_new_functions(self) -> None:
        """Finds the new functions that await something over there, and so have to be asynchronous themselves."""
        fresh = [
            (owner, rows)
            for owner, rows in self.new.sections.items()
            if owner.kind == "function" and not owner.is_async and self.home(rows[0]).kind != "function"
        ]
        while True:
            more = {owner for owner, rows in fresh if owner not in self._turned and self._has_to_wait(owner, rows)}
            if not more:
                return
            self._turned |= more
            self._turned_names |= {owner.name for owner in more}

    def _has_to_wait(self, owner: Definition, numbers: Sequence[int]) -> bool:
        return owner.name in AWAITED_NAMES or any(
            self._is_awaited(said, index)
            for number in numbers
            if self.new.rows[number].kind == "code"
            for said in [self._words(number)]
            for index in calls_in(said)
        )

    def _words(self, number: int) -> list[str]:
        words = self.new.rows[number].words
        return [self.matching.word(words, index, self.home(number)) for index in range(len(words))]

    def _is_awaited(self, said: Sequence[str], index: int) -> bool:
        """Whether a call in a row that is in the other side's words already is awaited there."""
        waits = self._awaiting.is_waited_on(said, index)
        if said[index] in self._turned_names and waits is not False:
            return True
        known = self._awaiting.is_awaited(said[index])
        return bool(waits if known is None else known)

    def say(self, number: int) -> list[Said]:
        """The row's tokens in the other side's words, in order; fewer than it has where it says `await`."""
        return [each for group in self.say_each(number) for each in group]

    def say_each_token(self, number: int) -> list[list[Said]]:
        """The same as `say_each` with the module of an import token by token."""
        row = self.new.rows[number]
        if not is_import(row):
            return self.say_each(number)
        words = row.words
        end = words.index("import") if row.first == "from" and "import" in words else 0
        return [
            [Said(piece.text if index < end else self._text(row, words, index, number), piece.gap)]
            for index, piece in enumerate(row.pieces)
        ]

    def say_each(self, number: int) -> list[list[Said]]:
        """The same, for each token of the row what is said instead of it; nothing for a silent one."""
        row = self.new.rows[number]
        if is_import(row) and module_of(row):
            return self._import(row, number)
        words, turn = row.words, self.turn(number)
        out: list[list[Said]] = []
        gap: str | None = None
        lines = aligned(row.pieces) if row.kind == "code" else [False] * len(row.pieces)
        unsaid = needless(words) if turn == "lost" and row.kind == "code" else set[int]()
        for index, piece in enumerate(row.pieces):
            lead = piece.gap if gap is None else gap
            gap = None
            if turn == "lost" and (piece.text in SILENT or index in unsaid):
                gap = lead if piece.text not in CLOSERS else None
                out.append([])
                continue
            foreign = self._foreign(row, words, index, number)
            out.append([Said(self._text(row, words, index, number), lead, foreign, lines[index])])
        if turn == "gained" and row.kind == "code":
            self._await(words, out, self.new.owners[number])
        return out

    def _import(self, row: Row, number: int) -> list[list[Said]]:
        """The module as a whole; the names one by one."""
        words = row.words
        end = words.index("import")
        module = self.matching.modules.of(module_of(row))
        out = [[Said("from", row.pieces[0].gap)], [Said(module, " ")], *([] for _ in range(2, end))]
        out.extend(
            [Said(self._text(row, words, index, number), row.pieces[index].gap)] for index in range(end, len(words))
        )
        return out

    def _text(self, row: Row, words: Sequence[str], index: int, number: int) -> str:
        token = words[index]
        if row.kind == "prose":
            return self.matching.words.in_prose(token, self.home(number))
        if index and words[index - 1] == "def" and self.turn(number) != "kept":
            known = (AWAITED_NAMES if self.turn(number) == "gained" else PLAIN_NAMES).get(token)
            if known is not None:
                return known
        said = self.matching.word(words, index, self.home(number))
        return _quoted(said, self._quote) if said[:1] in _QUOTES and self._quote else said

    def _foreign(self, row: Row, words: Sequence[str], index: int, number: int) -> str:
        """The name that the other side does not know; empty for keywords of calls and for what things of its own have."""
        token = words[index]
        if row.kind != "code" or not is_name(token) or token not in self._old_names or hasattr(builtins, token):
            return ""
        if index + 1 < len(words) and words[index + 1] == "=" and "(" in words[:index]:
            return ""
        if index > 1 and words[index - 1] == "." and not self._is_checked(words[start_of(words, index)]):
            return ""
        said = self.matching.word(words, index, self.home(number))
        return "" if said in self.matching.words.known else token

    def _is_checked(self, root: str) -> bool:
        """Whether attributes of this have to be known over there: the object itself, and another module of one name."""
        mine, theirs = self._origins
        if root in ("self", "cls"):
            return True
        return root in mine and root in theirs and mine[root] != theirs[root]

    def _await(self, words: Sequence[str], out: list[list[Said]], owner: Definition) -> None:
        starts: dict[int, int] = {}
        said = [out[index][-1].text if out[index] else words[index] for index in range(len(words))]
        for index in calls_in(words):
            if self._awaiting.is_own(words, index, said[index]) or self._is_awaited(said, index):
                starts.setdefault(start_of(words, index), index)
        if words[0] in ("with", "for") and self._awaiting.is_asynchronous(words):
            out[0] = [Said("async", out[0][0].gap), Said(words[0], " ")]
        if words[0] == "def" and owner in self._turned:
            out[0] = [Said("async", out[0][0].gap), Said("def", " ")]
        for start, index in starts.items():
            first, *rest = out[start]
            awaited = [replace(first, text="await", foreign=""), Said(first.text, " ", first.foreign)]
            if is_read_on(words, index):
                awaited[:1] = [replace(first, text="(", foreign=""), Said("await", "")]
                out[closing(words, index + 1)].append(Said(")", ""))
            out[start] = [*awaited, *rest]


_QUOTES = frozenset("\"'")


def _quote_of(half: Half) -> str:
    """The one quote that the file's strings have; "" where it has both, or no strings."""
    found = {
        piece.text[0]
        for row in half.rows
        if row.kind == "code"
        for piece in row.pieces
        if piece.text[0] in _QUOTES and not _QUOTES & set(piece.text[1:-1])
    }
    return found.pop() if len(found) == 1 else ""


def _quoted(text: str, quote: str) -> str:
    """A string in that quote, where nothing in it stands against it."""
    is_plain = text[0] != quote and not {*_QUOTES, "\\"} & set(text[1:-1])
    return f"{quote}{text[1:-1]}{quote}" if is_plain else text


def _directions(matching: Matching) -> tuple[bool, bool]:
    """Whether this side awaits where the other does not, and whether the other does where this one does not."""
    pairs = [(a.is_async, b.is_async) for a, b in matching.pairs.items() if a.kind == "function"]
    here, there = sum(a and not b for a, b in pairs), sum(b and not a for a, b in pairs)
    return here > there, there > here
