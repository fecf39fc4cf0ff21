"""A catch-up commit is never blamed: where a side mostly takes over what the other had, its own touches are no drift."""

from collections.abc import Sequence

from consistency_bot.judge.marks import Mark
from consistency_bot.judge.versions import Half
from consistency_bot.syntax import Unit
from consistency_bot.syntax.terms import MESSAGE_CALLS

_MIN_TAKEN = 4
_TIMES = 3
"""So many units taken over for every one that the other side does not have."""


def taken_over(half: Half, other: Half) -> int:
    """How many units this side got in this change that the other side had before."""
    out = 0
    for terms, places in half.head.places.items():
        came = len(places) - half.base.count(terms)
        if came > 0:
            out += max(0, min(came, other.base.count(terms) - half.base.count(terms)))
    return out


def without_catch_up(marks: Sequence[Mark]) -> list[Mark]:
    """The marks without additions to a part that catches up, and without talk in parts that are new on both sides."""
    added: dict[tuple[int, str], list[Mark]] = {}
    for mark in marks:
        if not mark.is_gone:
            added.setdefault((mark.part.number, mark.half.side.name), []).append(mark)
    excused: set[int] = set()
    for group in added.values():
        taken = taken_over(group[0].half, group[0].other)
        owed = sum(not mark.is_own for mark in group)
        if taken >= _MIN_TAKEN and taken >= _TIMES * owed:
            excused.update(id(mark) for mark in group)
        elif group[0].half.base.definition is None and group[0].other.base.definition is None:
            excused.update(id(mark) for mark in group if is_message(mark))
    return [mark for mark in marks if id(mark) not in excused]


def is_message(mark: Mark) -> bool:
    """Whether the unit only talks to people: a log line, a print."""
    return is_message_unit(mark.unit)


def is_message_unit(unit: Unit) -> bool:
    """The same of any unit."""
    terms = unit.terms
    before = terms[: terms.index("(")] if "(" in terms else ()
    return bool(before) and isinstance(before[-1], str) and before[-1].lstrip(".") in MESSAGE_CALLS
