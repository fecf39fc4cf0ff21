"""What only moved on its own side: a statement that left one function and came to another is not lost."""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice

from consistency_bot.align.renames import core, flat
from consistency_bot.align.variables import bound_names, loose
from consistency_bot.judge.marks import Mark, Part
from consistency_bot.judge.pools import is_inside, value_of, weight
from consistency_bot.judge.reach import Reach
from consistency_bot.judge.versions import Half, Version
from consistency_bot.syntax import Terms

_DISTINCTIVE = 6
"""A unit of fewer tokens comes to two functions by chance."""

_SHORT = 2
"""Units of so few tokens (`return None`) are recognised only in a function that is new or gone as a whole."""

_SAME_START = 3
"""A unit whose first tokens stay, and that now calls an extracted function, had its value extracted."""

_SAYS_ENOUGH = 4
"""A value of fewer tokens may be handed to anybody."""

_MOST_HOMES = 100
"""What came to more places than these is not asked for the way to each of them."""

_MIN_SHARE = 0.4
"""A new function that says so much of what another one lost was extracted from it."""

_Said = Sequence[tuple[Terms, list[int]]]
"""What a version says, and all the places where it does."""


class Moves:
    """What left and what came on one side, by definition."""

    def __init__(self, halves: Iterable[Half]) -> None:
        self._came: dict[Terms, Counter[int]] = {}
        self._left: dict[Terms, Counter[int]] = {}
        self._results: dict[int, frozenset[str]] = {}
        self._explained: Counter[Terms] = Counter()
        new: list[Half] = []
        self._halves: dict[int, Half] = {}
        self._reach: Reach | None = None
        for half in halves:
            self._halves[id(half)] = half
            self._count(half, half.new, (half.head, half.base), self._came)
            self._count(half, half.gone, (half.base, half.head), self._left)
            if half.base.definition is None and half.head.definition is not None:
                new.append(half)
        self._settle()
        self._new_names = frozenset(half.head.definition.name for half in new if half.head.definition)
        taken_over = [half.head.definition for half in new if half.head.definition and self._is_extracted(half)]
        owners = {each.owner.rpartition(".")[2] for each in taken_over}
        owners.update(name for half in new for name in _new_owners(half))
        self.extracted = frozenset(each.name for each in taken_over) | (owners & self._new_names)

    def _count(
        self, half: Half, said: _Said, versions: tuple[Version, Version], into: dict[Terms, Counter[int]]
    ) -> None:
        """Counts what the first of two versions says more often."""
        more, less = versions
        is_whole_new = less.definition is None
        for terms, places in said:
            for key in self._keys(terms, more) if len(terms) > _SHORT or is_whole_new else ():
                into.setdefault(key, Counter())[id(half)] += len(places) - less.count(terms)

    def _settle(self) -> None:
        """Takes out what came to a definition and left it too: said in other words there, it has not moved at all."""
        for key in self._came.keys() & self._left.keys():
            came, left = self._came[key], self._left[key]
            self._came[key], self._left[key] = came - left, left - came

    def _keys(self, terms: Terms, version: Version) -> list[Terms]:
        bare = loose(terms, version.variables)
        exact: Terms = ("exact", (terms,))
        keys: list[Terms] = [exact]
        if bare is not None:
            keys.append(("loose", (bare,)))
        value = terms[1:] if terms[0] == "return" else value_of(terms)
        said = loose(value, version.variables) if value and "(" in value else None
        if said is not None:
            keys.append(("value", (said,)))
        return keys

    def is_moved(self, mark: Mark) -> bool:
        """Whether what the mark misses came to another definition of its side, or what it got left another one.

        To be asked once of each mark: what left one place explains one addition, and the next one is a copy.
        """
        if mark.unit.concept == "definition" and mark.is_gone and mark.unit.terms[1] in self._new_names:
            return True
        version = mark.half.base if mark.is_gone else mark.half.head
        keys = self._keys(mark.terms, version)
        if mark.is_gone:
            came = (item for key in keys for item in self._came.get(key, {}).items())
            outside = (where for where, count in came if count > 0 and where != id(mark.half))
            homes = set(islice(outside, _MOST_HOMES))
            if len(homes) == _MOST_HOMES:
                return True  # it came nearly everywhere
            return bool(homes) and not self._is_out_of_reach(mark.half, [self._halves[where] for where in homes])
        is_moved = any(_count_outside(self._left.get(key), mark.half) > self._explained[key] for key in keys)
        self._explained.update(keys if is_moved else ())
        return is_moved

    def _is_out_of_reach(self, half: Half, homes: Sequence[Half]) -> bool:
        if self._reach is None:
            self._reach = Reach(half.side)
        return self._reach.is_out_of(half, homes)

    def came_outside(self, terms: Terms, half: Half) -> bool:
        """Whether this change brought the unit to another definition than the half's; never for a unit that says little."""
        if weight(terms) < _DISTINCTIVE:
            return False
        exact: Terms = ("exact", (terms,))
        return _count_outside(self._came.get(exact), half) > 0

    def calls_extracted(self, mark: Mark) -> bool:
        """Whether the unit calls a new function that only took over what stood here, or uses what such a call gave."""
        if mark.is_gone:
            return False
        results = self._results.get(id(mark.half))
        if results is None:
            results = self._results[id(mark.half)] = self._results_in(mark.half)
        return any(core(token) in self.extracted or token in results for token in flat(mark.unit.terms))

    def _results_in(self, half: Half) -> frozenset[str]:
        """The new variables that hold what an extracted function returned."""
        names: set[str] = set()
        for unit in half.head.units:
            if unit.concept == "assignment" and any(core(token) in self.extracted for token in flat(unit.terms)):
                names.update(bound_names(unit.terms))
        return frozenset(names - half.base.bound.keys())

    def _is_extracted(self, half: Half) -> bool:
        version = half.head
        spoken = [
            terms
            for terms, unit in zip(version.keys, version.units, strict=True)
            if unit.concept not in ("parameter", "default")
        ]
        taken = sum(1 for terms in spoken if any(key in self._left for key in self._keys(terms, version)))
        return bool(spoken) and taken >= _MIN_SHARE * len(spoken)


def _count_outside(found: Counter[int] | None, half: Half) -> int:
    """How many of what came or left did so in other definitions than the half's."""
    return found.total() - found[id(half)] if found else 0


class Books:
    """The moves of both sides."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self._parts = parts

    @cached_property
    def _sides(self) -> dict[str, Moves]:
        """By side; counted when somebody asks, since most changes leave nothing to explain."""
        return {name: Moves(halves) for name, halves in _by_side(self._parts).items()}

    @property
    def extracted(self) -> frozenset[str]:
        """Names of new functions, on either side, that only took over what stood elsewhere."""
        return frozenset().union(*(moves.extracted for moves in self._sides.values()))

    def _came_on_both(self, mark: Mark) -> bool:
        """Whether the other side got it in this change too, in another definition than the counterpart."""
        return not mark.is_gone and self._sides[mark.other.side.name].came_outside(mark.terms, mark.other)

    def without_moves(self, marks: Sequence[Mark]) -> list[Mark]:
        """The marks that are not explained by code that moved within its own side."""
        kept: list[Mark] = []
        replaced: set[object] = set()
        handed: list[Mark] = []
        for mark in marks:
            moves = self._sides[mark.half.side.name]
            if moves.calls_extracted(mark):
                replaced.add((id(mark.hunk), mark.unit.concept, mark.terms[:_SAME_START]))
                handed.append(mark)
            elif not moves.is_moved(mark) and not self._came_on_both(mark):
                kept.append(mark)
        return [
            mark
            for mark in kept
            if not mark.is_gone
            or (
                (id(mark.hunk), mark.unit.concept, mark.terms[:_SAME_START]) not in replaced
                and not any(_is_handed_over(mark, call) for call in handed)
            )
        ]


def _is_handed_over(mark: Mark, call: Mark) -> bool:
    """Whether the call of an extracted function is given what the unit that is gone kept in a variable."""
    value = value_of(mark.terms)
    return weight(value) >= _SAYS_ENOUGH and call.half is mark.half and is_inside(value, call.terms)


def _new_owners(half: Half) -> Iterable[str]:
    """The name of a new class, where methods that stood in another class before make it up."""
    definition = half.head.definition
    if definition is not None and definition.kind == "class":
        for each in half.side.head:
            before = half.side.own.back.get(each)
            if each.owner == definition.qualname and before is not None and before.owner != each.owner:
                yield definition.name


def _by_side(parts: Sequence[Part]) -> dict[str, list[Half]]:
    out: dict[str, list[Half]] = {}
    for part in parts:
        for half in (part.a, part.b):
            if half.base is not half.head:
                out.setdefault(half.side.name, []).append(half)
            else:
                out.setdefault(half.side.name, [])
    return out
