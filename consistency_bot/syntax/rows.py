"""What statements say, kept for every other statement with the same text: twins and revisions share most of theirs."""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from consistency_bot.syntax.terms import Terms

Row: TypeAlias = tuple[str, Terms, int, int]
"""Of one unit: concept, terms, and the first and last line relative to the statement's own first line."""

_Key: TypeAlias = tuple[str, bytes]
"""A statement's kind and its text."""


class Rows:
    """The rows of statements in files that bind the same names.

    `near` has those of a file with other imports: a statement without any of the names that `parted` lists, which mean
    something else there, says the same.
    """

    __slots__ = ("_near", "_parted", "known")

    def __init__(self, near: "Rows | None", parted: Iterable[bytes]) -> None:
        self.known: dict[_Key, list[Row]] = {}
        self._near: dict[_Key, list[Row]] = near.known if near is not None else {}
        self._parted = tuple(parted)

    def find(self, how: str, text: bytes) -> list[Row] | None:
        """What a statement of this kind and text says; None where none has been read yet."""
        key = (how, text)
        found = self.known.get(key)
        if found is None and key in self._near and not any(name in text for name in self._parted):
            found = self.known[key] = self._near[key]
        return found

    def keep(self, how: str, text: bytes, rows: list[Row]) -> None:
        """Keeps what a statement says."""
        self.known[how, text] = rows


class Readings:
    """The rows of all files that are read together."""

    __slots__ = ("_by_names", "_last")

    def __init__(self) -> None:
        self._by_names: dict[frozenset[tuple[str, str]], Rows] = {}
        self._last: tuple[frozenset[tuple[str, str]], Rows | None] = (frozenset(), None)

    def of_file(self, aliases: Mapping[str, str], prefixes: Iterable[str]) -> Rows:
        """The rows for a file with these imports, next to those of the file before it: mostly its other revision."""
        names = frozenset((*aliases.items(), *((prefix, "") for prefix in prefixes)))
        rows = self._by_names.get(names)
        if rows is None:
            others, near = self._last
            rows = self._by_names[names] = Rows(near, {name.encode() for name, _ in names ^ others})
        self._last = (names, rows)
        return rows
