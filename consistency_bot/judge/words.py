"""The names that each side knows: what a change is the first to name, and what is a side's own name for a thing."""

import builtins
import re
from collections import deque
from collections.abc import Sequence
from functools import cached_property

from consistency_bot.align.renames import core, flat
from consistency_bot.judge.marks import Mark
from consistency_bot.judge.quads import SideVersions
from consistency_bot.judge.speech import words_of
from consistency_bot.syntax import Unit

_WORD = re.compile(r"[^\W\d]\w*")


class Words:
    """The words that both sides know already, to tell what a change is the first to name."""

    def __init__(self, a: SideVersions, b: SideVersions) -> None:
        self._sides = (a, b)

    @cached_property
    def _at_base(self) -> dict[str, frozenset[bytes]]:
        """By side; counted when somebody asks, since most changes leave nothing to explain."""
        return {side.name: words_of(side, "base") for side in self._sides}

    @cached_property
    def _at_head(self) -> dict[str, frozenset[bytes]]:
        return {side.name: words_of(side, "head") for side in self._sides}

    def new_names(self, mark: Mark) -> set[str]:
        """Names in the unit that its side gained, or lost, by this change and that the other side does not know."""
        mine, theirs = mark.half.side.name, mark.other.side.name
        names = names_of(mark.unit)
        own = self._at_head[mine] if mark.is_gone else self._at_base[mine]
        other = self._at_head[theirs] if not mark.is_gone else frozenset()
        return {name for name in names if name.encode() not in own and name.encode() not in other}

    def _is_own(self, name: str, mark: Mark) -> bool:
        """Whether the other side does not know the name."""
        word = name.encode()
        return word not in self._at_head[mark.other.side.name] and word not in self._at_base[mark.other.side.name]

    def has_own_names(self, mark: Mark) -> bool:
        """Whether the unit has a name that the other side does not know."""
        return any(self._is_own(name, mark) for name in names_of(mark.unit))

    def are_known_there(self, mark: Mark) -> bool:
        """Whether the other side knows every name in the unit, or the language does."""
        return all(hasattr(builtins, name) or not self._is_own(name, mark) for name in names_of(mark.unit))

    def outline(self, mark: Mark) -> tuple[str, ...]:
        """The unit with every name left out that the other side does not know."""
        out = []
        for token in flat(mark.terms):
            bare = core(token) or (token[1:] if token[0] == "'" else "")
            out.append(token.replace(bare, "\u00b7") if bare and self._is_own(bare, mark) else token)
        return tuple(out)


def names_of(unit: Unit) -> set[str]:
    """The bare names in a unit, those inside string constants included."""
    names: set[str] = set()
    for token in flat(unit.terms):
        bare = core(token)
        if bare:
            names.add(bare)
        elif token[0] == "'":
            names.update(_WORD.findall(token))
    return names


def without_own_names(marks: Sequence[Mark], words: Words) -> list[Mark]:
    """The marks without additions that both sides made alike, each with names of its own that the other does not know."""
    waiting: dict[object, deque[Mark]] = {}
    excused: set[int] = set()
    for mark in marks:
        if mark.is_gone:
            continue
        key = (mark.part.number, words.outline(mark))
        partners = waiting.get((key, id(mark.other)))
        if not partners:
            waiting.setdefault((key, id(mark.half)), deque()).append(mark)
        elif words.has_own_names(mark) and words.has_own_names(partners[0]):
            excused.update((id(mark), id(partners.popleft())))
    return [mark for mark in marks if id(mark) not in excused]
