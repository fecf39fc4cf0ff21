"""Conditions and handlers put around what both sides say: all that is new is when it runs, and what follows if it fails."""

from bisect import bisect_left
from collections.abc import Collection, Iterator

from consistency_bot.judge.elsewhere import Elsewhere
from consistency_bot.judge.marks import CONDITIONS, Mark

_LOOKED_AT = 100
"""So many statements of a block, and units of a statement, are looked at."""


def wraps_what_both_say(mark: Mark, elsewhere: Elsewhere, told: Collection[int]) -> bool:
    """Whether an addition heads a block, or handles the errors of a statement, that the sides agree in.

    The block may have been touched: `told` are the units, by identity, in which the sides part, and it has none of these.
    What stands in the `else` may be as new as the condition.
    """
    half, hunk = mark.half, mark.hunk
    if mark.is_gone or hunk is None or hunk.low0 == hunk.high0:
        return False  # what is only inserted is owed by where it stands
    if any(half.base.units[index].concept == mark.unit.concept for index in range(hunk.low0, hunk.high0)):
        return False  # it may be another condition in the place of one
    inner = list(_inside(mark)) if mark.unit.concept in CONDITIONS else list(_before(mark))

    def is_agreed(index: int) -> bool:
        if index in half.at_head:
            return id(half.head.units[index]) not in told
        return mark.part.opposite(half, index) is not None or elsewhere.spot_of(mark, index) is not None

    return bool(inner) and all(map(is_agreed, inner))


def _inside(mark: Mark) -> Iterator[int]:
    """The units under a condition that is new as a whole, its `else` aside."""
    head = mark.half.head
    if any(index not in mark.half.at_head for index in head.units_of(mark.unit.statement)[:_LOOKED_AT]):
        return
    for number in head.inside.get(mark.unit.statement, ())[:_LOOKED_AT]:
        if not head.statements[number].is_otherwise:
            yield from head.units_of(number)[:_LOOKED_AT]


def _before(mark: Mark) -> Iterator[int]:
    """The units of the last statement whose errors an `except` handles, other handlers passed over."""
    head, number = mark.half.head, mark.unit.statement
    if mark.unit.concept != "except":
        return
    block = head.inside[head.statements[number].parent]
    at = bisect_left(block, number)
    for each in reversed(block[max(0, at - _LOOKED_AT) : at]):
        units = head.units_of(each)[:_LOOKED_AT]
        if not units or head.units[units.start].concept != "except":
            yield from units
            return
