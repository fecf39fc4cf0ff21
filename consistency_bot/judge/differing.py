"""Every unit in which two sides differ at head, whenever they parted: what a waiver that nothing needs is told by."""

from collections.abc import Iterator
from typing import NamedTuple

from consistency_bot.judge.marks import Mark, Part
from consistency_bot.judge.places import opening_of, place_of
from consistency_bot.judge.sentences import concept_of
from consistency_bot.judge.versions import Half
from consistency_bot.model import Place


class Differing(NamedTuple):
    """One unit, or a whole function, that stands on one side alone: where, and where the other side has its gap."""

    concept: str
    places: tuple[Place, ...]


def differing_in(part: Part) -> Iterator[Differing]:
    """What one part of the twins says on one side more often than on the other at head."""
    for half, other in ((part.a, part.b), (part.b, part.a)):
        if half.head.definition is None:
            continue
        if other.head.definition is None:
            yield Differing("function", (opening_of(half),))
            continue
        for terms, indices in half.head.places.items():
            if len(indices) <= other.head.count(terms):
                continue
            alone = [index for index in indices if part.opposite(half, index) is None]
            for index in alone or indices:
                mark = Mark(part, half, other, index, False, "standing")
                yield Differing(concept_of(mark), (place_of(mark), _gap(part, half, other, index)))


def _gap(part: Part, half: Half, other: Half, index: int) -> Place:
    """Where a unit would stand on the other side: behind the likeness of the nearest one before it that has any."""
    opening = opening_of(other)
    before = part.opposite_before(half, index - 1)
    if before is None:
        return opening
    line = other.head.units[before[1]].end_line
    return Place(opening.side, opening.path, line + 1, line, opening.function)
