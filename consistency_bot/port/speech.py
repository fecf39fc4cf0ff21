"""Rows of this side as the other side would write them."""

from collections.abc import Sequence

import msgspec

from consistency_bot.port.awaiting import Awaiting, calls_in, start_of
from consistency_bot.port.half import Half
from consistency_bot.port.imports import is_import, module_of
from consistency_bot.port.matching import Matching
from consistency_bot.port.words import SILENT, is_name
from consistency_bot.syntax import Definition
from consistency_bot.syntax.source_rows import Row


class Said(msgspec.Struct, frozen=True):
    """A token to be written. `foreign` says that this side has long had the name and the other does not know it."""

    text: str
    gap: str
    is_foreign: bool = False


class Speech:
    """Puts rows of `new`, a later version of the matching's `mine`, into the other side's words."""

    def __init__(self, matching: Matching, new: Half) -> None:
        self.matching, self.new = matching, new
        self._old_names = matching.mine.words
        self._homes = {(each.kind, each.qualname): each for each in matching.mine.source.outline}
        self._awaiting = Awaiting(matching.theirs)
        self.is_awaiting_here = _direction(matching)

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
        return "kept"

    def say(self, number: int) -> list[Said]:
        """The row's tokens in the other side's words, in order; fewer than it has where it says `await`."""
        return [each for group in self.say_each(number) for each in group]

    def say_each_token(self, number: int) -> list[list[Said]]:
        """The same as `say_each` with the module of an import token by token."""
        row = self.new.rows[number]
        if not is_import(row):
            return self.say_each(number)
        end = row.words.index("import") if row.first == "from" and "import" in row.words else 0
        return [
            [Said(piece.text if index < end else self._text(row, row.words, index, number), piece.gap)]
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
        for index, piece in enumerate(row.pieces):
            lead = piece.gap if gap is None else gap
            gap = None
            if turn == "lost" and piece.text in SILENT:
                gap = lead
                out.append([])
                continue
            out.append([Said(self._text(row, words, index, number), lead, self._is_foreign(row, words, index, number))])
        if turn == "gained" and row.kind == "code":
            self._await(words, out)
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
        return self.matching.word(words, index, self.home(number))

    def _is_foreign(self, row: Row, words: Sequence[str], index: int, number: int) -> bool:
        token = words[index]
        if row.kind != "code" or not is_name(token) or token not in self._old_names:
            return False
        if index + 1 < len(words) and words[index + 1] == "=" and "(" in words[:index]:
            return False
        said = self.matching.word(words, index, self.home(number))
        return said not in self.matching.words.known

    def _await(self, words: Sequence[str], out: list[list[Said]]) -> None:
        starts = set()
        for index in calls_in(words):
            said = out[index][-1].text if out[index] else words[index]
            if self._awaiting.is_awaited(said):
                starts.add(start_of(words, index))
        if words[0] in ("with", "for") and self._awaiting.is_asynchronous(words):
            out[0] = [Said("async", out[0][0].gap), Said(words[0], " ")]
        for start in starts:
            first = out[start][0]
            out[start] = [Said("await", first.gap), Said(first.text, " ", first.is_foreign), *out[start][1:]]


def _direction(matching: Matching) -> bool:
    """Whether this side awaits and the other does not."""
    pairs = [(a.is_async, b.is_async) for a, b in matching.pairs.items() if a.kind == "function"]
    return sum(a and not b for a, b in pairs) > sum(a and b for a, b in pairs)
