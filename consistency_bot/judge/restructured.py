"""Functions that changed beyond comparison: one finding that lists what can no longer be found."""

from collections.abc import Iterable, Sequence

from consistency_bot.judge.marks import Mark
from consistency_bot.judge.places import counterpart_of, opening_of
from consistency_bot.judge.sentences import where
from consistency_bot.judge.snippets import snippet
from consistency_bot.model import Place
from consistency_bot.syntax import Terms

_MIN_LOST = 10
_MIN_SHARE = 0.4
"""So many units lost in one stretch, and so large a share of the function: nobody can say what became of each."""

_EFFECTS = frozenset({"call", "augmented assignment", "raise", "delete"})
_LISTED = 8


class Restructured:
    """One function of one side, and the effects that stood on both sides and now stand nowhere on this one."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        lead = marks[0]
        effects = [mark for mark in marks if _is_effect(mark)]
        self.changed: Place = opening_of(lead.half)
        self.counterpart: Place | None = counterpart_of((effects or marks)[0])
        self.terms: tuple[Terms, ...] = tuple(mark.terms for mark in effects)
        listed = ", ".join(f"`{snippet(mark)}`" for mark in effects[:_LISTED])
        rest = f" and {len(effects) - _LISTED} more" if len(effects) > _LISTED else ""
        there = (
            f"{self.counterpart.side} ({self.counterpart.path}:{self.counterpart.line})"
            if self.counterpart
            else "the other side"
        )
        self.message = (
            f"{self.changed.side} restructured {where(self.changed)} beyond "
            f"comparison with {there}; {'not found there any more: ' + listed + rest if listed else 'no effect was lost'}."
        )


def _is_effect(mark: Mark) -> bool:
    return (
        mark.unit.concept in _EFFECTS
        or mark.unit.concept == "line"
        or (mark.unit.concept == "assignment" and mark.terms[1:2] != ("=",))
    )


def restructured_of(marks: Iterable[Mark]) -> tuple[list[Restructured], list[Mark]]:
    """The restructured functions, and the marks that can still be judged one by one."""
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
    return [Restructured(group) for group in lost.values()], kept
