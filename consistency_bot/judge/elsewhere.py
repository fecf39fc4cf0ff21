"""What the other side says outside the counterpart: a worker's logic may stand in another function of its twin."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from consistency_bot.align.definitions import Pairing
from consistency_bot.judge.far_statements import far_statement
from consistency_bot.judge.marks import Mark, Part, mates_at, mates_of
from consistency_bot.judge.places import at
from consistency_bot.judge.pools import Pool, Spot, weight
from consistency_bot.judge.quads import SideVersions
from consistency_bot.judge.said_above import is_said_there
from consistency_bot.judge.speech import Speech
from consistency_bot.judge.versions import Half, Hunk, slot_of
from consistency_bot.model import Place
from consistency_bot.syntax import UNPARSED, Definition, Terms

_REACH = 6
"""So many units back at most are looked at for where an addition would go."""

_FEW = 20
"""What more units of a side say alike says little about where one of them belongs."""


class Elsewhere:
    """Asks both sides for what their counterparts do not say. Bodies are read when somebody asks."""

    def __init__(self, a: SideVersions, b: SideVersions, at_base: Pairing, speech: Speech) -> None:
        self._a, self._b = a, b
        self._at_base = at_base
        self._speech = speech
        self._halves: dict[tuple[str, Definition], Half] = {}

    def spot_of(self, mark: Mark, index: int) -> Spot | None:
        """Where the other side says what stands at an index of the mark's half at head; None where it does not."""
        return self._spot_at_head(mark.half, mark.other.side, index)

    def statement_of(self, mark: Mark) -> Spot | None:
        """A statement of the other side, in any function, that says most of what an addition's statement said before.

        Some unit of it; None where there is none, or where so little is said alike that it may be any.
        """
        return self._far_statement(mark.half, mark.other.side, mark.index)

    def _far_statement(self, half: Half, other: SideVersions, index: int) -> Spot | None:
        return far_statement(half, index, self._pools[half.side.name], self._pools[other.name])

    def place_of(self, mark: Mark) -> Place | None:
        """Where an addition would go on the other side, where what stands before it is said outside the counterpart."""
        if mark.is_gone or mark.hunk is None or mark.partner is not None:
            return None
        far = self.statement_of(mark)
        if far is not None and not _is_answered(mark):
            return self._place_at_head(mark, far)
        for index in range(mark.hunk.low1 - 1, max(-1, mark.hunk.low1 - 1 - _REACH), -1):
            if mark.part.opposite(mark.half, index) is not None:
                return None
            spot = self.spot_of(mark, index)
            opposite = self.half_of(mark.other.side, spot.version.definition) if spot is not None else None
            places = opposite.head.places.get(mark.half.head.keys[index]) if opposite is not None else None
            if opposite is not None and places:
                line = opposite.head.units[places[-1]].end_line
                return at(opposite, line + 1, line)
        return None

    def half_around(self, mark: Mark, far: Spot) -> Half | None:
        """The function of the other side in which a spot stands; None where the change took it away."""
        return self.half_of(mark.other.side, far.version.definition)

    def _place_at_head(self, mark: Mark, far: Spot) -> Place | None:
        """Where a statement of the other side stands now."""
        opposite = self.half_around(mark, far)
        places = opposite.head.places.get(far.version.keys[far.index]) if opposite is not None else None
        if opposite is None or not places:
            return None
        unit = opposite.head.units[places[-1]]
        return at(opposite, unit.line, unit.end_line)

    def serves_one_side(self, mark: Mark) -> bool:
        """Whether it sets up a new attribute that only functions without counterpart use: a feature of one side."""
        terms = mark.terms
        if mark.is_gone or terms[:1] != ("self",) or terms[2:3] != ("=",) or mark.half.base.definition is None:
            return False
        name = str(terms[1])[1:].encode()
        side = mark.half.side
        if any(name in each.text for each in side.base):
            return False
        users = [each for each in side.head if name in each.text and each is not mark.half.head.definition]
        return bool(users) and not any(self._has_counterpart(side, each) for each in users)

    def _has_counterpart(self, side: SideVersions, head: Definition) -> bool:
        paired = self._at_base.pairs if side is self._a else self._at_base.back
        return side.own.back.get(head) in paired

    def _spot_at_head(self, half: Half, other: SideVersions, index: int) -> Spot | None:
        return self._pools[other.name].find(half.head.keys[index], half.head.raw_of(index))

    def lost(self, parts: Sequence[Part]) -> Iterator[Mark]:
        """Units lost whose only likeness stands in another function of the other side, and still does."""
        for part in parts:
            for half, other in ((part.a, part.b), (part.b, part.a)):
                if half.base is half.head or half.head.definition is None:
                    continue
                for terms, places in half.gone:
                    if len(places) <= other.base.count(terms):
                        continue
                    if _lost(other, terms) >= _lost(half, terms):
                        continue
                    index = half.gone_of(places)
                    spot = self._pools[other.side.name].find(terms, half.base.raw_of(index))
                    if spot is not None and spot.version.definition is not other.base.definition:
                        yield from self._mark_at(part, half, other.side, index, spot)

    def _mark_at(self, part: Part, half: Half, side: SideVersions, index: int, spot: Spot) -> Iterator[Mark]:
        opposite = self.half_of(side, spot.version.definition)
        places = opposite.head.places.get(half.base.keys[index]) if opposite is not None else None
        terms = half.base.keys[index]
        if opposite is not None and places and _lost(opposite, terms) < _lost(half, terms):
            mark = Mark(apart(part, half, opposite), half, opposite, index, True, "missed")
            mark.partner = places[0]
            yield mark

    def came(self, parts: Sequence[Part]) -> Iterator[Mark]:
        """Units added to a function without counterpart, between units that stand in one function of the other side."""
        for part in parts:
            half, other = (part.a, part.b) if part.a.definition is not None else (part.b, part.a)
            if other.definition is None and half.base.definition is not None and half.head.definition is not None:
                for hunk in half.hunks:
                    yield from self._added(part, half, other.side, hunk)

    def _added(self, part: Part, half: Half, side: SideVersions, hunk: Hunk) -> Iterator[Mark]:
        home = self._home_of(half, side, hunk) if hunk.low0 == hunk.high0 else None
        opposite = self.half_of(side, home)
        if opposite is not None:
            own = apart(part, half, opposite)
            for index in range(hunk.low1, hunk.high1):
                if opposite.head.count(half.head.keys[index]) == 0:
                    yield Mark(own, half, opposite, index, False, "missed")

    def _home_of(self, half: Half, side: SideVersions, hunk: Hunk) -> Definition | None:
        """The function of the other side that says what stands around an addition, or the call that got an argument."""
        before, after = hunk.low1 - 1, hunk.high1
        if before < 0 or after >= len(half.head.keys):
            around = []
        else:
            around = [self._spot_at_head(half, side, index) for index in (before, after)]
        homes = Counter(spot.version.definition for spot in around if spot is not None)
        if len(homes) == 1 and homes.total() == 2:
            return next(iter(homes))
        far = self._far_statement(half, side, hunk.low1) if mates_at(half, hunk.low1) else None
        return far.version.definition if far is not None else None

    def half_of(self, side: SideVersions, base: Definition | None) -> Half | None:
        """A definition of one side, told by what it was at base; None where the change took it away."""
        if base is None or base not in side.own.pairs:
            return None
        half = self._halves.get((side.name, base))
        if half is None:
            half = self._halves[side.name, base] = self._speech.half(side, (base, side.own.pairs[base]))
        return half

    def said_before(self, side: SideVersions, terms: Terms) -> list[Definition]:
        """The functions of a side that said this at base, and their counterparts did not; empty where too many did."""
        spots = self._pools[side.name].spots_of(terms)
        every = dict.fromkeys(spot.version.definition for spot in spots) if len(spots) <= _FEW else {}
        return [each for each in every if each is not None]

    def counterpart_at_head(self, side: SideVersions, base: Definition) -> Definition | None:
        """What the counterpart of a side's definition at base is now; None where it has none any more."""
        paired, there = (self._at_base.pairs, self._b) if side is self._a else (self._at_base.back, self._a)
        before = paired.get(base)
        return there.own.pairs.get(before) if before is not None else None

    def without_caught_up(self, marks: Sequence[Mark]) -> list[Mark]:
        """The marks without additions that the other side said before; where both go their own way the mark knows it."""
        kept = [mark for mark in marks if mark.is_gone or not self._is_caught_up(mark)]
        for mark in kept:
            mark.is_own = not mark.is_gone and self._is_own(mark)
        return kept

    def _is_caught_up(self, mark: Mark) -> bool:
        """Whether the other side said it before, in its own way or place."""
        if mark.unit.concept in UNPARSED:
            return self._is_in_pool(mark)
        if is_said_there(mark):
            return True
        if _is_answered(mark):
            return False
        return self._is_in_pool(mark) or mark.part.unanswered_by(mark.half).says_otherwise(mark.terms)

    def _is_own(self, mark: Mark) -> bool:
        """Whether the other side gives its own value there, or this side always says it so and the other one never does."""
        if mark.unit.concept in UNPARSED:
            return False
        if _is_filled(mark):
            return True
        return weight(mark.terms) > 3 and not _is_answered(mark) and self._pools[mark.half.side.name].has(mark.terms)

    def _is_in_pool(self, mark: Mark) -> bool:
        """Whether the other side said it before in another place."""
        return self._pools[mark.other.side.name].find(mark.terms, mark.half.head.raw_of(mark.index)) is not None

    @cached_property
    def _pools(self) -> dict[str, Pool]:
        """What each side said at base without partner."""
        pairs, back = self._at_base.pairs, self._at_base.back
        left = {each: self._speech.version(self._a, each) for each in self._a.base}
        right = {each: self._speech.version(self._b, each) for each in self._b.base}
        return {
            self._a.name: Pool(
                (mine, right.get(pairs[each]) if each in pairs else None) for each, mine in left.items()
            ),
            self._b.name: Pool((mine, left.get(back[each]) if each in back else None) for each, mine in right.items()),
        }


def apart(part: Part, half: Half, opposite: Half) -> Part:
    """A part of its own for code that stands elsewhere, never taken for the part it was found from."""
    return Part(-1 - part.number, half, opposite)


def _lost(half: Half, terms: Terms) -> int:
    """How much less often a half says something now."""
    return half.base.count(terms) - half.head.count(terms)


def _is_filled(mark: Mark) -> bool:
    """Whether the other side gave a value of its own before to what the unit gives one to.

    Not where this side gave it one before as well and does so once more now: then only the addition is new.
    """
    slot = slot_of(mark.terms)
    if not slot or slot not in mark.part.unanswered_by(mark.half).slots:
        return False
    before = mark.half.base.slots[slot]
    return before == 0 or before >= mark.half.head.slots[slot]


def _is_answered(mark: Mark) -> bool:
    """Whether the rest of its statement stands on the other side: nothing elsewhere can then say it in its place."""
    return any(mark.part.opposite(mark.half, index) is not None for index in mates_of(mark))
