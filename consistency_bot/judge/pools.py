"""What a side says beyond its counterparts, all its definitions together.

A worker's logic may have moved into a helper: what one side says in `train` the other says in `forward_step`. Such a
unit has no partner in the counterpart of its function, but it has one among the other side's units without partner.
"""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

import msgspec

from consistency_bot.align.renames import core, flat
from consistency_bot.judge.versions import Version, slot_of
from consistency_bot.syntax import Terms, Token

_DISTINCTIVE = 6
"""A unit of fewer tokens says too little to be recognised outside the function it belongs to."""

_DISTINCTIVE_TEXT = 24
"""A statement of fewer characters likewise, where its whole text is the same."""


_LOOKED_AT = 500
"""So many units are searched for a value; where all of its tokens stand in more, it says little."""

_NAMES_ENOUGH = 2
"""A value of fewer names and strings (`field()`, `x is None`) is passed in many places."""


class Spot(msgspec.Struct, frozen=True, eq=False, gc=False):
    """One unit without partner: the version it stands in and its index there."""

    version: Version
    index: int

    @property
    def statement(self) -> int:
        """The number of its statement."""
        return self.version.units[self.index].statement

    @property
    def raw(self) -> bytes:
        """The text of its statement without white space."""
        return _bare(self.version.raw_of(self.index))


class Pool:
    """The units of one side, at one revision, that have no partner in the counterpart of their definition."""

    def __init__(self, pairs: Iterable[tuple[Version, Version | None]]) -> None:
        self._by_terms: dict[Terms, list[Spot]] = {}
        self._by_text: dict[Terms, dict[bytes, Spot]] = {}
        for mine, theirs in pairs:
            for terms, places in mine.places.items():
                surplus = len(places) - (theirs.count(terms) if theirs is not None else 0)
                for index in places[-surplus:] if surplus > 0 else ():
                    self._by_terms.setdefault(terms, []).append(Spot(mine, index))

    def has(self, terms: Terms) -> bool:
        """Whether a unit without partner says this, however little it is."""
        return terms in self._by_terms

    def spots_of(self, terms: Terms) -> Sequence[Spot]:
        """Every unit without partner that says this, however little it is."""
        return self._by_terms.get(terms, ())

    def statements_calling(self, name: Token) -> Collection[tuple[int, int]]:
        """The statements, each by its version and number, in which a unit without partner is an argument of such a call."""
        return self._calls.get(name, frozenset())

    @cached_property
    def _calls(self) -> dict[Token, set[tuple[int, int]]]:
        out: dict[Token, set[tuple[int, int]]] = {}
        for terms, spots in self._by_terms.items():
            for spot in spots if terms[1:2] == ("(",) else ():
                if spot.version.units[spot.index].concept == "argument":
                    out.setdefault(terms[0], set()).add((id(spot.version), spot.statement))
        return out

    def find(self, terms: Terms, raw: bytes) -> Spot | None:
        """A unit that says this, recognisable outside its function; None where there is none or it says too little."""
        spots = self._by_terms.get(terms)
        if not spots:
            return None
        if weight(terms) >= _DISTINCTIVE:
            return spots[0]
        if len(raw) < _DISTINCTIVE_TEXT:
            return None
        if terms not in self._by_text:  # of several with one text the first one
            self._by_text[terms] = {spot.raw: spot for spot in reversed(spots)}
        return self._by_text[terms].get(_bare(raw))


class Unanswered:
    """What one version said and another one did not. `slots` are what it gave a value to."""

    def __init__(self, more: Version, less: Version) -> None:
        self._terms = [terms for terms, _ in more.beyond(less)]
        self.slots = frozenset(slot_of(terms) for terms in self._terms)

    @cached_property
    def _with(self) -> dict[Token, list[Terms]]:
        """What has a token in it, by token."""
        out: dict[Token, list[Terms]] = {}
        for terms in self._terms:
            for token in set(terms):
                out.setdefault(token, []).append(terms)
        return out

    def says_otherwise(self, terms: Terms) -> bool:
        """Whether the same value is passed or assigned in other words: to another call, or as a part of one."""
        value = value_of(terms)
        if sum(1 for token in flat(value) if core(token) or token[0] == "'") < _NAMES_ENOUGH:
            return False
        few = min((self._with.get(token, []) for token in value), key=len)
        return any(is_inside(value, each) for each in few[:_LOOKED_AT])


def _bare(raw: bytes) -> bytes:
    """The text of a statement without `from None`, which only hides where an exception came from."""
    return raw.removesuffix(b"fromNone")


def weight(terms: Terms) -> int:
    """How many tokens the unit has, groups opened."""
    return sum(1 if isinstance(token, str) else sum(weight(member) for member in token) for token in terms)


def is_inside(needle: Terms, hay: Terms) -> bool:
    """Whether the tokens of `needle` stand in `hay` in one run."""
    size = len(needle)
    return any(hay[start : start + size] == needle for start in range(len(hay) - size + 1))


def value_of(terms: Terms) -> Terms:
    """What the unit passes or assigns, without the name of the call or target; empty where it has no such thing."""
    if len(terms) > 3 and terms[1] == "(" and isinstance(terms[2], str) and terms[2].endswith("="):
        return terms[2:]
    if "=" in terms:
        return terms[terms.index("=") + 1 :]
    return ()
