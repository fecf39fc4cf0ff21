"""New variables that only prepare what else a change brings: they are owed where that is, and only there."""

from collections.abc import Iterable, Sequence

from consistency_bot.align.renames import flat
from consistency_bot.align.variables import bound_names
from consistency_bot.judge.marks import PIECES, Mark


def only_serves(owed: Sequence[Mark], marks: Sequence[Mark]) -> bool:
    """Whether all of `owed` only prepares variables for other additions of the cause, none of which is owed.

    False where nothing uses them but what prepares them, or where what uses them now stood there before in other words:
    then it may well be that the other side should say it so too.
    """
    prepared: set[str] = set()
    for mark in marks:
        prepared |= _new_variables(mark)
    if not prepared or not all(_prepares(mark) for mark in owed):
        return False
    served = [mark for mark in marks if not _prepares(mark) and not prepared.isdisjoint(flat(mark.terms))]
    return bool(served) and all(_is_inserted(mark) for mark in served)


def _new_variables(mark: Mark) -> set[str]:
    """The local variables that an assignment is the first of its function to bind."""
    if mark.is_gone or mark.unit.concept != "assignment":
        return set()
    return {name for name in bound_names(mark.terms) if name not in mark.half.base.bound}


def _prepares(mark: Mark) -> bool:
    """Whether it gives a new variable its value, or is a condition under which nothing else is done."""
    if mark.unit.concept != "condition" or mark.is_gone:
        return bool(_new_variables(mark))
    head = mark.half.head
    units = [head.units[index] for number in _under(mark) for index in head.units_of(number)]
    keys = [head.keys[index] for number in _under(mark) for index in head.units_of(number)]
    return bool(units) and all(
        each.concept == "assignment" and _are_new(bound_names(key), mark)
        for each, key in zip(units, keys, strict=True)
        if each.concept not in PIECES
    )


def _is_inserted(mark: Mark) -> bool:
    """Whether nothing was taken away where it stands."""
    return mark.hunk is not None and mark.hunk.low0 == mark.hunk.high0


def _under(mark: Mark) -> Iterable[int]:
    return mark.half.head.inside.get(mark.unit.statement, ())


def _are_new(names: Sequence[str], mark: Mark) -> bool:
    return bool(names) and all(name not in mark.half.base.bound for name in names)
