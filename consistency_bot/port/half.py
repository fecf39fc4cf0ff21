"""One file in one version: its rows, its definitions, and which row belongs to which definition."""

from bisect import bisect_left, bisect_right
from functools import cached_property

from consistency_bot.port.folding import width_of
from consistency_bot.port.imports import Imported
from consistency_bot.syntax import Definition, Readings, Source
from consistency_bot.syntax.source_rows import Row, rows_of
from consistency_bot.syntax.text import utf8


class Half:
    """A file that can be read, or those of its classes and functions that `symbols` name.

    `like` is the same file in another version, from which this one is read more quickly.
    Raises `syntax.Undecodable` where it is no text, `attempts.GivenUp` where the grammar does not find its way in it.
    """

    def __init__(self, path: str, raw: bytes, symbols: tuple[str, ...] = (), like: "Half | None" = None) -> None:
        known = like.source if like is not None else None
        self.source: Source = Source(path, raw, Readings(), symbols=symbols, like=known)
        self.text = utf8(raw).decode("utf-8")  # not the source's own, which may lack comments at the margin

    @cached_property
    def rows(self) -> list[Row]:
        """Its rows in order."""
        return rows_of(self.text)

    @cached_property
    def sections(self) -> dict[Definition, list[int]]:
        """The rows of each definition that has any."""
        out: dict[Definition, list[int]] = {}
        for index, owner in enumerate(self.owners):
            out.setdefault(owner, []).append(index)
        return out

    @cached_property
    def owners(self) -> list[Definition]:
        """The innermost function or class around each row; functions inside functions belong to the outer one."""
        lines = [self.source.outline[0]] * (len(self.source.lines) + 2)
        for each in self.source.outline[1:]:
            lines[each.line : each.end_line + 1] = [each] * (each.end_line + 1 - each.line)
        return [lines[row.line] for row in self.rows]

    def owner_at(self, row: int) -> Definition:
        """The definition around a row; behind the last one that around the last."""
        return self.owners[min(row, len(self.owners) - 1)]

    @cached_property
    def imported(self) -> Imported:
        """What it imports, and where."""
        return Imported(self.rows, self.owners)

    def extent(self, definition: Definition) -> tuple[int, int]:
        """The first and the last row of a function or class, what stands in it included."""
        first = bisect_left(self.rows, definition.line, key=lambda row: row.line)
        return first, bisect_right(self.rows, definition.end_line, key=lambda row: row.line) - 1

    @cached_property
    def width(self) -> int | None:
        """The longest line that it allows itself where a formatter has laid it out; None where none has."""
        return width_of(self.rows)

    @cached_property
    def words(self) -> frozenset[str]:
        """Every name in its code; comments and docstrings do not count."""
        return frozenset(piece.text for row in self.rows if row.kind == "code" for piece in row.pieces if piece.is_name)
