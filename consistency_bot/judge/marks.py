"""Units in which two sides part at head and did not at base, before anybody asks why."""

from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from consistency_bot.judge.pools import Unanswered
from consistency_bot.judge.versions import Counts, Half, Hunk, Opposite
from consistency_bot.model import Verdict
from consistency_bot.syntax import Terms, Unit

_NEAR = 100
"""So many units before and after another one are near it."""

PIECES = frozenset({"argument", "entry", "element"})
"""Pieces of a statement, which agree or differ on their own."""

NAMED = frozenset({"argument", "entry", "default"})
"""What has a name that both sides would use, and that tells which other one it answers to."""

CONDITIONS = frozenset({"condition", "guard"})
"""What an `if` asks, a `raise` under it or not."""

EFFECTS = frozenset({"call", "augmented assignment", "raise", "delete"})
"""What does something."""

_ON_THEIR_OWN = PIECES | {"parameter", "default"}
"""A signature is one statement, with as many units."""


class Part:
    """One quad in the common words: both halves, and which units stand opposite each other."""

    def __init__(self, number: int, a: Half, b: Half) -> None:
        self.number = number
        self.a, self.b = a, b
        self._replaced: dict[int, frozenset[str]] = {}

    def other(self, half: Half) -> Half:
        """The half that this one is not."""
        return self.b if half is self.a else self.a

    @cached_property
    def likeness(self) -> float:
        """How much of what both halves said at base they said alike, from 0 to 1; 0 where one of them did not exist."""
        mine, theirs = self.a.base, self.b.base
        alike = sum(min(len(places), theirs.count(terms)) for terms, places in mine.places.items())
        return 2 * alike / max(1, len(mine.keys) + len(theirs.keys))

    @cached_property
    def at_head(self) -> Opposite:
        """From a to b at head."""
        return Opposite(self.a.head, self.b.head)

    @cached_property
    def back_at_head(self) -> Opposite:
        """From b to a at head."""
        return Opposite(self.b.head, self.a.head)

    def opposite(self, half: Half, index: int) -> int | None:
        """Where a unit of one half at head stands on the other half, if it does."""
        return (self.at_head if half is self.a else self.back_at_head).of(index)

    def opposite_before(self, half: Half, index: int) -> tuple[int, int] | None:
        """The nearest unit up to an index that stands on the other half too, and where; None where there is none."""
        opposite = self.at_head if half is self.a else self.back_at_head
        before = opposite.before[index] if index >= 0 else -1
        there = opposite.of(before) if before >= 0 else None
        return (before, there) if there is not None else None

    def replaced_alike(self, half: Half, hunk: Hunk) -> frozenset[str]:
        """Concepts of the units that stood in a half's hunk and that both halves lost, as often as each other."""
        found = self._replaced.get(id(hunk))
        if found is None:
            found = self._replaced[id(hunk)] = frozenset(self._replaced_in(half, hunk))
        return found

    def _replaced_in(self, half: Half, hunk: Hunk) -> Iterator[str]:
        other = self.other(half)
        for index in range(hunk.low0, hunk.high0) if other.base is not other.head else ():
            key = half.base.keys[index]
            left, gone = half.head.count(key), half.base.count(key) - half.head.count(key)
            if gone > 0 and (other.head.count(key), other.base.count(key) - other.head.count(key)) == (left, gone):
                yield half.base.units[index].concept

    @cached_property
    def _unanswered(self) -> tuple[Unanswered, Unanswered]:
        return Unanswered(self.a.base, self.b.base), Unanswered(self.b.base, self.a.base)

    def unanswered_by(self, half: Half) -> Unanswered:
        """What the other half said at base and this one did not."""
        return self._unanswered[half is self.a]

    @property
    def is_unread(self) -> bool:
        """Whether one of its four versions could not be read."""
        versions = (self.a.base, self.a.head, self.b.base, self.b.head)
        return any(each.definition is not None and each.definition.failure is not None for each in versions)

    def place_of(self, half: Half, hunk: Hunk) -> int | None:
        """Where a hunk stands at head, counted on side a: the unit kept before it; -1 at the start, None if unknown."""
        index = hunk.low1 - 1
        if index < 0 or half is self.a:
            return index
        return self.opposite(half, index)

    def is_new_place(self, half: Half, hunk: Hunk) -> bool:
        """Whether both sides changed this part, so that their additions can meet at one place."""
        other = self.other(half)
        return other.base is not other.head and self.place_of(half, hunk) is not None

    @property
    def is_whole(self) -> bool:
        """Whether both sides have it at base and head, or both got it in this change, or one lost it."""
        a0, a1, b0, b1 = (each.definition is not None for each in (self.a.base, self.a.head, self.b.base, self.b.head))
        if not (a0 or a1) or not (b0 or b1):
            return False
        return a0 == b0


class Mark:
    """One unit in which the sides part. `is_gone`: it stood on both and `half` lost it; else `half` alone got it.

    `index` counts in the version it stands in: base for what is gone, head for what came. `partner` is the unit on the
    other side that still says it. `is_own`: both sides go, or went before, ways of their own here, so nothing is owed.
    """

    __slots__ = ("half", "hunk", "index", "is_gone", "is_own", "other", "part", "partner", "terms", "unit", "verdict")

    def __init__(self, part: Part, half: Half, other: Half, index: int, is_gone: bool, verdict: Verdict) -> None:
        version = half.base if is_gone else half.head
        self.part = part
        self.half = half
        self.other = other
        self.index = index
        self.terms = version.keys[index]
        self.unit: Unit = version.units[index]
        self.is_gone = is_gone
        self.is_own = False
        self.verdict: Verdict = verdict
        self.hunk: Hunk | None = (half.at_base if is_gone else half.at_head).get(index)
        self.partner: int | None = None


class Parting(msgspec.Struct, frozen=True, gc=False):
    """Terms in which the sides agree less at head than at base: which side moved, which way, and by how many."""

    terms: Terms
    is_a: bool
    is_gone: bool
    amount: int
    verdict: Verdict


def partings(a0: Counts, a1: Counts, b0: Counts, b1: Counts) -> Iterator[Parting]:
    """The end-state table for bags of units: what the sides said alike at base and do not at head."""
    moved = _moved(a0, a1) | _moved(b0, b1)
    every = dict.fromkeys((a0, a1, b0, b1)) if moved else ()  # what a side left alone is one version
    for terms in dict.fromkeys(terms for each in every for terms in each.places if terms in moved):
        was_a, is_a, was_b, is_b = a0.count(terms), a1.count(terms), b0.count(terms), b1.count(terms)
        if abs(is_a - is_b) <= abs(was_a - was_b):
            continue
        verdict: Verdict = "diverged" if was_a != is_a and was_b != is_b else "missed"
        before, after = (was_a, is_a) if was_a != is_a else (was_b, is_b)
        yield Parting(terms, was_a != is_a, after < before, abs(after - before), verdict)


def _moved(base: Counts, head: Counts) -> set[Terms]:
    """What one version says more or less often than another."""
    if base is head:
        return set()
    return {terms for terms, _ in (*base.beyond(head), *head.beyond(base))}


def marks_of(part: Part) -> Iterator[Mark]:
    """The units of one part in which the sides agree less at head than at base."""
    if not part.is_whole:
        return
    for parting in partings(part.a.base, part.a.head, part.b.base, part.b.head):
        half, other = (part.a, part.b) if parting.is_a else (part.b, part.a)
        first: Mark | None = None
        for index in _changed(half, parting.terms, parting.is_gone)[: parting.amount]:
            mark = Mark(part, half, other, index, parting.is_gone, parting.verdict)
            if first is not None:  # what says the same has the same partner; looked for each time it costs the square
                mark.partner, mark.verdict = first.partner, first.verdict
            elif mark.is_gone:
                _find_partner(mark)
            first = first or mark
            yield mark


def sets_an_attribute(unit: Unit, terms: Terms) -> bool:
    """Whether a unit gives a value to what outlives the function: an attribute or an element."""
    return unit.concept == "assignment" and terms[1:2] != ("=",)


def _changed(half: Half, terms: Terms, is_gone: bool) -> list[int]:
    """Where the half lost or got this: inside its hunks, as far as the hunks know, and first what has a text of its own."""
    version, hunks = (half.base, half.at_base) if is_gone else (half.head, half.at_head)
    kept = (half.head if is_gone else half.base).texts
    places = version.places[terms]
    found = [place for place in places if place in hunks] or places[::-1]
    return sorted(found, key=lambda place: version.raw_of(place) in kept)


def _find_partner(mark: Mark) -> None:
    """The unit that still says it; where its statement was touched too, both sides moved.

    What agrees on its own is another thing than the statement around it: that one may have got another argument.
    """
    other = mark.other
    places = other.head.places.get(mark.terms)
    if not places:
        return
    taken = {mark.part.opposite(mark.half, index) for index in mark.half.head.places.get(mark.terms, ())}
    mark.partner = next((place for place in places if place not in taken), places[0])
    if mark.unit.concept in _ON_THEIR_OWN:
        return
    if other.base is not other.head and other.head.raw_of(mark.partner) not in other.base.texts:
        mark.verdict = "diverged"


def own_ways_in(marks: Sequence[Mark]) -> tuple[list[Mark], list[Mark]]:
    """The marks of stretches in which both sides only go their own ways, and all other marks that can be owed.

    Beside something that is owed, or lost, a value of one's own is not worth a word.
    """
    rest = [mark for mark in marks if not mark.is_own]
    told = frozenset(id(mark.hunk) for mark in rest)
    return [mark for mark in marks if mark.is_own and id(mark.hunk) not in told], rest


def mates_of(mark: Mark) -> list[int]:
    """The other units of an addition's statement that were kept, as far as they stand near it."""
    return mates_at(mark.half, mark.index)


def mates_at(half: Half, index: int) -> list[int]:
    """The units at head that were kept, in the statement of a unit and near it."""
    units = half.head.units_of(half.head.units[index].statement)
    near = range(max(units.start, index - _NEAR), min(units.stop, index + _NEAR + 1))
    return [each for each in near if each not in half.at_head]
