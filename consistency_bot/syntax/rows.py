"""What code says, kept for all other code with the same text: twins and revisions share most of theirs."""

from collections.abc import Iterable, Mapping
from typing import Generic, TypeAlias, TypeVar

from consistency_bot.syntax.terms import Terms
from consistency_bot.syntax.units import Block

Row: TypeAlias = tuple[str, Terms, int, int]
"""Of one unit of a statement: concept, terms, and the first and last line relative to the statement's own first line."""

_Said = TypeVar("_Said")


class Kept(Generic[_Said]):
    """What texts say in files that bind the same names, by what is asked of a text (`how`) and the text.

    `near` has what they say in a file with other imports: a text without any of the names that `parted` lists, which
    mean something else there, says the same.
    """

    __slots__ = ("_near", "_parted", "known")

    def __init__(self, near: "Kept[_Said] | None", parted: Iterable[bytes]) -> None:
        self.known: dict[tuple[str, bytes], _Said] = {}
        self._near: Mapping[tuple[str, bytes], _Said] = near.known if near is not None else {}
        self._parted = tuple(parted)

    def find(self, how: str, text: bytes) -> _Said | None:
        """What a text says; None where none like it has been read yet."""
        key = (how, text)
        found = self.known.get(key)
        if found is None and key in self._near and max(map(text.find, self._parted), default=-1) < 0:
            found = self.known[key] = self._near[key]
        return found

    def keep(self, how: str, text: bytes, said: _Said) -> None:
        """Keeps what a text says."""
        self.known[how, text] = said


class Known:
    """What statements say, and compound statements with all that is in them; `near` and `parted` are those of `Kept`."""

    __slots__ = ("blocks", "rows")

    def __init__(self, near: "Known | None", parted: Iterable[bytes]) -> None:
        names = tuple(parted)
        self.rows: Kept[list[Row]] = Kept(near.rows if near is not None else None, names)
        self.blocks: Kept[Block] = Kept(near.blocks if near is not None else None, names)


class Readings:
    """What is known of all files that are read together."""

    __slots__ = ("_by_names", "_last")

    def __init__(self) -> None:
        self._by_names: dict[frozenset[tuple[str, str]], Known] = {}
        self._last: tuple[frozenset[tuple[str, str]], Known | None] = (frozenset(), None)

    def of_file(self, aliases: Mapping[str, str], prefixes: Iterable[str]) -> Known:
        """What is known for a file with these imports, and of the file before it: mostly its other revision."""
        names = frozenset((*aliases.items(), *((prefix, "") for prefix in prefixes)))
        known = self._by_names.get(names)
        if known is None:
            others, near = self._last
            known = self._by_names[names] = Known(near, {name.encode() for name, _ in names ^ others})
        self._last = (names, known)
        return known
