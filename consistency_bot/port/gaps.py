"""Where rows that are added go on the other side."""

from collections.abc import Sequence

import msgspec

from consistency_bot.port.changes import Run
from consistency_bot.port.decisions import Added
from consistency_bot.port.half import Half
from consistency_bot.port.imports import is_import
from consistency_bot.port.matching import Matching
from consistency_bot.syntax import Definition
from consistency_bot.syntax.source_rows import Row


class Gap(msgspec.Struct, frozen=True):
    """Where in the other side's text, and the rows of this side and of that which tell the indentation.

    `is_certain` says that what stands around it is the same on both sides, or that order does not matter there.
    """

    at: int
    mine: int
    theirs: int
    is_certain: bool


class Gaps:
    """Finds the places. `new` is the later version of the matching's `mine`."""

    def __init__(self, matching: Matching, new: Half) -> None:
        self._there, self._exact, self._pairs = matching.there, matching.exact, matching.pairs
        self._mine, self._theirs, self._new = matching.mine, matching.theirs, new

    def of(self, before: int, after: int, rows: Sequence[int], run: Run) -> Gap | None:
        """The place for new rows `rows` between this side's old rows `before` and `after`; None where nothing tells."""
        low = self._there.get(before) if before >= 0 else -1
        high = self._there.get(after) if after < len(self._mine.rows) else len(self._theirs.rows)
        if low is not None and high is not None and high == low + 1:
            if before < 0:
                return self._before(after, True)
            return self._behind(before, self._is_nested_alike(before, after, high))
        added = [self._new.rows[row] for row in rows]
        defined = defined_in(added)
        owner = self._new.owners[rows[defined or 0]]
        if defined is not None or owner.kind != "function":
            around = owner.qualname if defined is None else owner.owner
            found = self._beside_a_definition(before, after, around)
            if found is not None:
                return found
        if after in self._there and _decorates(added):
            header = self._mine.rows[after]
            if header.first in _DEFINES or header.first == "@":
                return self._before(after, True)
        if before >= run.start and before in self._exact:
            return self._behind(before, True)
        found = self._between(before, after, added[0])
        if found is not None:
            return found
        if after < run.end and after in self._exact:
            return self._before(after, True)
        if before >= 0 and before in self._exact:
            return self._behind(before, False)
        if after in self._exact:
            return self._before(after, False)
        return None

    def _is_nested_alike(self, before: int, after: int, high: int) -> bool:
        """Whether two rows of one block are in one block over there too: else it could be in either."""
        if after not in self._there or self._mine.rows[before].indent != self._mine.rows[after].indent:
            return True
        return self._theirs.rows[self._there[before]].indent == self._theirs.rows[high].indent

    def _between(self, before: int, after: int, first: Row) -> Gap | None:
        """Between two neighbours over there, of which this side's have rows of its own between them."""
        low, high = self._nearest(before, -1), self._nearest(after, 1)
        if low is None or high is None or self._there[high] != self._there[low] + 1:
            return None
        if self._mine.rows[high].indent == first.indent:
            return self._before(high, True)
        return self._behind(low, True) if self._mine.rows[low].indent == first.indent else None

    def _nearest(self, row: int, step: int) -> int | None:
        """The first row from there on that has a counterpart, in the same definition and not far."""
        owners = self._mine.owners
        if not 0 <= row < len(owners):
            return None
        owner = owners[row]
        for _ in range(_FAR):
            if row in self._there:
                return row
            row += step
            if not 0 <= row < len(owners) or owners[row] is not owner:
                return None
        return None

    def _behind(self, row: int, is_certain: bool) -> Gap:
        there = self._there[row]
        return Gap(self._theirs.rows[there].end, row, there, is_certain)

    def _before(self, row: int, is_certain: bool) -> Gap:
        there = self._there[row]
        return Gap(self._theirs.rows[there].start, row, there, is_certain)

    def _beside_a_definition(self, before: int, after: int, owner: str) -> Gap | None:
        """Behind the counterpart of the definition that comes first, or else before that of the one that follows."""
        if before >= 0:
            previous = self._sibling(self._mine.owners[before], owner)
            if previous in self._pairs:
                first, _ = self._mine.extent(previous)
                low, high = self._theirs.extent(self._pairs[previous])
                return Gap(self._theirs.rows[high].end, first, low, True)
        if after < len(self._mine.rows):
            following = self._sibling(self._mine.owners[after], owner)
            if following in self._pairs:
                first, _ = self._mine.extent(following)
                low, _ = self._theirs.extent(self._pairs[following])
                return Gap(self._theirs.rows[low].start, first, low, True)
        return None

    def _sibling(self, definition: Definition, owner: str) -> Definition | None:
        """The definition or the one around it that stands in `owner`."""
        prefix = f"{owner}." if owner else ""
        name = definition.qualname
        if not name.startswith(prefix) or name == owner:
            return None
        qualname = prefix + name[len(prefix) :].partition(".")[0]
        if qualname == name:
            return definition
        return next((each for each in self._mine.source.outline if each.qualname == qualname), None)


_FAR = 6
_DEFINES = ("def", "class", "async")


def _decorates(rows: Sequence[Row]) -> bool:
    return rows[-1].first == "@" and all(row.first == "@" or row.kind == "comment" for row in rows)


def defined_in(rows: Sequence[Row]) -> int | None:
    """Which of the rows defines a function or a class, if that is what they start with, behind decorators and comments."""
    first = next((index for index, row in enumerate(rows) if row.first != "@" and row.kind == "code"), None)
    if first is None or rows[first].first not in _DEFINES:
        return None
    return first if rows[first].first != "async" or "def" in rows[first].words[:2] else None


def adds(changed: Sequence[Row], added: Sequence[Row]) -> Added:
    """What a run adds where it changes nothing and takes nothing away; `nothing` where it does."""
    if all(map(is_import, changed)):
        return "imports"
    if len(added) < len(changed):
        return "nothing"
    if defined_in(added) is not None:
        return "definitions"
    return "comments" if any(row.kind == "comment" for row in added) else "code"
