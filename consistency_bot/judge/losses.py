"""What one side lost and says nowhere any more, while the other side says it in a function of another name.

Where both took a statement out of one function, the two are alike there; whether it only moved is a question to the
whole side. And what stands in a function here and in a helper of it there is one thing, however short.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property

from consistency_bot.align.renames import core, flat
from consistency_bot.align.variables import ANY
from consistency_bot.judge.elsewhere import Elsewhere, apart
from consistency_bot.judge.marks import CONDITIONS, EFFECTS, PIECES, Mark, Part, sets_an_attribute
from consistency_bot.judge.pools import weight
from consistency_bot.judge.quads import SideVersions
from consistency_bot.judge.reach import Reach
from consistency_bot.judge.speech import Speech
from consistency_bot.judge.versions import Half, Version
from consistency_bot.syntax import UNPARSED, Definition, Terms

_DISTINCTIVE = 6
"""A unit of fewer tokens that does nothing is named again by chance."""

_TELLING = EFFECTS | CONDITIONS

_NEVER = PIECES | UNPARSED | {"parameter", "default", "decorator", "definition", "import"}
"""Pieces follow their statement; the others belong to the place where they stand."""


class _WholeSide:
    """What one side says at head, all its definitions together."""

    def __init__(self, halves: Sequence[Half]) -> None:
        self.reach = Reach(halves[0].side) if halves else None
        self._said = {_shape(key, half.head) for half in halves for key in half.head.keys}
        self._new = [frozenset(flat(terms)) for half in halves for terms, _ in half.new]

    def says(self, terms: Terms, version: Version) -> bool:
        """Whether it says this, by whatever names of variables, or anything new that has all the other words of it."""
        words = _words(terms, version)
        return _shape(terms, version) in self._said or any(words <= each for each in self._new)


class Losses:
    """Looks for what a side lost beyond the function that it stood in. Whole sides are read when something may be lost."""

    def __init__(self, parts: Sequence[Part], elsewhere: Elsewhere, speech: Speech) -> None:
        self._parts = parts
        self._elsewhere = elsewhere
        self._speech = speech
        self._whole: dict[str, _WholeSide] = {}

    def beyond(self, marks: Sequence[Mark]) -> Iterator[Mark]:
        """A mark for each unit that a side no longer says anywhere and the other one does; none that is told already."""
        told = {(mark.half.side.name, mark.terms) for mark in marks if mark.is_gone}
        for part in self._parts:
            for half, other in ((part.a, part.b), (part.b, part.a)):
                if half.base is half.head or half.head.definition is None or half.base.definition is None:
                    continue
                for terms, places in half.gone:
                    index = half.gone_of(places)
                    is_new = (half.side.name, terms) not in told and not half.head.count(terms)
                    if is_new and not other.head.count(terms) and _says_enough(half.base, index):
                        yield from self._lost(part, half, other, index)

    def _lost(self, part: Part, half: Half, other: Half, index: int) -> Iterator[Mark]:
        terms = half.base.keys[index]
        moved = self._moved_to(other, terms) if other.base.count(terms) else self._stands_in(half, other, terms)
        if moved is None or self._whole_of(half.side).says(terms, half.base):
            return
        home, partner = moved
        if not self._shares(half, home):
            mark = Mark(apart(part, half, home), half, home, index, True, "missed")
            mark.partner = partner
            yield mark

    def _moved_to(self, left: Half, terms: Terms) -> tuple[Half, int] | None:
        """Where what left a half came to in this change, on its side."""
        found = self._came[left.side.name].get(_shape(terms, left.base), ())
        return next(((home, place) for home, place in found if home is not left), None)

    def _stands_in(self, half: Half, other: Half, terms: Terms) -> tuple[Half, int] | None:
        """Where the other side said it before and does now, in a function that leads to the counterpart, or back."""
        for before in self._elsewhere.said_before(other.side, terms):
            home = self._elsewhere.half_of(other.side, before)
            places = home.head.places.get(terms) if home is not None else None
            if home is None or not places or home.head.definition is None:
                continue
            there = self._elsewhere.counterpart_at_head(other.side, before)
            if self._connects(other.side, home.head.definition, other.head.definition) or self._connects(
                half.side, there, half.head.definition
            ):
                return home, places[0]
        return None

    def _shares(self, half: Half, home: Half) -> bool:
        """Whether a half leads to the very function of the other side that says it."""
        mine, theirs = half.head.definition, home.head.definition
        reach = self._whole_of(half.side).reach
        return reach is not None and mine is not None and theirs is not None and reach.goes_out_to(theirs.name, mine)

    def _connects(self, side: SideVersions, one: Definition | None, other: Definition | None) -> bool:
        reach = self._whole_of(side).reach
        return reach is not None and one is not None and other is not None and reach.connects(one, other)

    @cached_property
    def _came(self) -> dict[str, dict[Terms, list[tuple[Half, int]]]]:
        """What came to the functions of each side, and where it stands at head."""
        out: dict[str, dict[Terms, list[tuple[Half, int]]]] = {}
        for half in (half for part in self._parts for half in (part.a, part.b)):
            came = out.setdefault(half.side.name, {})
            for terms, places in half.new:
                came.setdefault(_shape(terms, half.head), []).append((half, half.new_of(places)))
        return out

    def _whole_of(self, side: SideVersions) -> _WholeSide:
        whole = self._whole.get(side.name)
        if whole is None:
            halves = [half for part in self._parts for half in (part.a, part.b) if half.side is side]
            read = {half.head.definition for half in halves}
            rest = [(side.own.back.get(each), each) for each in side.head if each not in read]
            halves += [self._speech.half(side, pair) for pair in rest]
            whole = self._whole[side.name] = _WholeSide(halves)
        return whole


def _says_enough(version: Version, index: int) -> bool:
    """Whether it does or asks something, or is long enough to be known again, and has a word that is no variable's."""
    unit = version.units[index]
    terms = version.keys[index]
    if unit.concept in _NEVER or version.definition is None or version.definition.kind != "function":
        return False
    is_telling = unit.concept in _TELLING or sets_an_attribute(unit, terms) or weight(terms) >= _DISTINCTIVE
    return is_telling and bool(_words(terms, version))


def _shape(terms: Terms, version: Version) -> Terms:
    """The unit without the names of variables."""
    return tuple([ANY if token in version.variables else token for token in flat(terms)])


def _words(terms: Terms, version: Version) -> frozenset[str]:
    """The names, strings and numbers in it, without variables."""
    tokens = [token for token in flat(terms) if token not in version.variables]
    return frozenset(token for token in tokens if core(token) or token[0] == "'" or token.isdigit())
