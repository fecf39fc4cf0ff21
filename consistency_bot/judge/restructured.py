"""Functions that changed beyond comparison: one finding that lists what can no longer be found."""

from collections.abc import Iterable, Sequence

from consistency_bot.judge.marks import EFFECTS, Mark, sets_an_attribute
from consistency_bot.judge.notices import Notice
from consistency_bot.judge.places import counterpart_of, opening_of
from consistency_bot.judge.sentences import where
from consistency_bot.judge.snippets import snippet

_MIN_LOST = 10
_MIN_SHARE = 0.4
"""So many units lost in one stretch, and so large a share of the function: nobody can say what became of each."""

_LISTED = 8


def _told(marks: Sequence[Mark]) -> Notice:
    """About one function of one side: the effects that stood on both sides and now stand nowhere on this one."""
    effects = [mark for mark in marks if _is_effect(mark)]
    changed, counterpart = opening_of(marks[0].half), counterpart_of((effects or marks)[0])
    listed = ", ".join(f"`{snippet(mark)}`" for mark in effects[:_LISTED])
    rest = f" and {len(effects) - _LISTED} more" if len(effects) > _LISTED else ""
    there = f"{counterpart.side} ({counterpart.path}:{counterpart.line})" if counterpart else "the other side"
    message = (
        f"{changed.side} restructured {where(changed)} beyond "
        f"comparison with {there}; {'not found there any more: ' + listed + rest if listed else 'no effect was lost'}."
    )
    return Notice("undecided", "function", tuple(mark.terms for mark in effects), changed, counterpart, message)


def _is_effect(mark: Mark) -> bool:
    return mark.unit.concept in EFFECTS or mark.unit.concept == "line" or sets_an_attribute(mark.unit, mark.terms)


def restructured_of(marks: Iterable[Mark]) -> tuple[list[Notice], list[Mark]]:
    """One for each restructured function, and the marks that can still be judged one by one."""
    by_hunk: dict[tuple[int, int], list[Mark]] = {}
    for mark in marks:
        by_hunk.setdefault((mark.part.number, id(mark.hunk)), []).append(mark)
    lost: dict[tuple[int, str], list[Mark]] = {}
    kept: list[Mark] = []
    for group in by_hunk.values():
        gone = [mark for mark in group if mark.is_gone]
        half = group[0].half
        is_beyond = (
            len(gone) >= _MIN_LOST
            and half.head.definition is not None
            and len(gone) >= _MIN_SHARE * len(half.base.units)
        )
        if is_beyond:
            lost.setdefault((group[0].part.number, half.side.name), []).extend(gone)
        else:
            kept.extend(group)
    return [_told(group) for group in lost.values()], kept
