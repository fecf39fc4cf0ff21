"""How alike two definitions are by what they say, and which of many are worth comparing."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Sequence
from itertools import product
from typing import TypeVar

from consistency_bot.align.renames import shape
from consistency_bot.align.translation import Translation
from consistency_bot.syntax import Definition

_Word = TypeVar("_Word", bound=Hashable)

_FEW = 40_000
"""So many comparisons are made one and all; of more, only those that promise something."""

_RARE = 8
"""What more bags than this hold says little about any of them."""


def worth_comparing(
    left: Sequence[Collection[Hashable]], right: Sequence[Collection[Hashable]]
) -> Iterator[tuple[int, int]]:
    """(left index, right index) of bags that may be alike, at a cost that does not grow with left times right.

    All pairs of them where these are few.

    Where they are many: bags that hold the same, each with one of the other side in order, and those that share
    something which few others hold.
    """
    if len(left) * len(right) <= _FEW:
        yield from product(range(len(left)), range(len(right)))
        return
    holders: dict[Hashable, list[int]] = {}
    same: dict[frozenset[Hashable], list[int]] = {}
    for j in range(len(right) - 1, -1, -1):
        same.setdefault(frozenset(right[j]), []).append(j)
        for word in set(right[j]):
            holders.setdefault(word, []).append(j)
    for i, bag in enumerate(left):
        twins = same.get(frozenset(bag))
        found = {twins.pop()} if twins else set()
        for word in set(bag):
            there = holders.get(word, ())
            found.update(there if len(there) <= _RARE else ())
        yield from ((i, j) for j in sorted(found))


def bag_of(definition: Definition, translation: Translation) -> Counter[Hashable]:
    """What a definition says, and how often."""
    return Counter(translation.of(unit.terms) for unit in definition.units)


def shapes_of(definition: Definition, translation: Translation) -> Counter[Hashable]:
    """The shapes of what it says; takes a translation as `bag_of` does."""
    return Counter(shape(unit.terms) for unit in definition.units)


def share_of(mine: Counter[Hashable], theirs: Counter[Hashable]) -> float:
    """How much two bags have in common, from 0 to 1; 0 where their sizes are too unlike to tell."""
    size, other = mine.total(), theirs.total()
    if not 0.4 < size / other < 2.5:
        return 0.0
    return common_share(mine, theirs)


def common_share(mine: Counter[_Word], theirs: Counter[_Word]) -> float:
    """How much of two bags they have in common, from 0 to 1; 0 of two empty ones."""
    return 2 * (mine & theirs).total() / max(1, mine.total() + theirs.total())
