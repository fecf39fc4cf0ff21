"""Whether an addition of one side is owed by the other: it has to earn its alarm."""

from collections.abc import Callable

from consistency_bot.align.renames import core, flat
from consistency_bot.judge.edits import predecessor_of
from consistency_bot.judge.elsewhere import Elsewhere
from consistency_bot.judge.event_loop import is_about_tasks
from consistency_bot.judge.gaps import opens_a_shared_block, stands_in_a_gap_elsewhere, stands_in_a_shared_gap
from consistency_bot.judge.marks import NAMED, Mark, mates_of
from consistency_bot.judge.versions import Version, adjusted_by, slot_of

_REACH = 6
_SHARE = 2 / 3
"""Of so many kept units before and after an addition so large a share has to stand on the other side too, and of the
other parts of one statement (a call's other arguments) likewise."""

_LOOKED_AT = 100
"""So many statements of a block, and units of a statement, are looked at."""

_OF_THE_PART = frozenset({"parameter", "default", "decorator", "base class"})
"""Units that belong to the definition itself: where it has a counterpart they are owed there."""


def is_owed(mark: Mark, elsewhere: Elsewhere) -> bool:
    """Whether an addition has its place on the other side.

    A neighbour that was kept stands there too, most of what is near does, and what guards it guards there likewise.
    Both neighbours would be too much to ask (of 72 drifts in nine repositories, 85 % instead of 89 % were found).
    """
    if mark.unit.concept in _OF_THE_PART:
        return not mark.is_own and not _replaces_its_own(mark)
    if is_its_own(mark, elsewhere):
        return False
    hunk, half = mark.hunk, mark.half
    if hunk is None:
        return False
    head = half.head

    def stands(index: int) -> bool:
        return mark.part.opposite(half, index) is not None or elsewhere.spot_of(mark, index) is not None

    mates = mates_of(mark)
    if mates:
        enough = max(1, _SHARE * len(mates))
        return sum(stands(index) for index in mates) >= enough or elsewhere.statement_of(mark) is not None
    if _wraps_what_stands(mark, head, stands) or _adjusts_what_is_shared(mark) or _replaces_what_both_said(mark):
        return True
    if hunk.low0 != hunk.high0:
        return False
    if stands_in_a_shared_gap(mark) or opens_a_shared_block(mark) or stands_in_a_gap_elsewhere(mark, elsewhere):
        return True
    if not _is_guarded_alike(mark, head, stands):
        return False
    before, after = hunk.low1 - 1, hunk.high1
    if not (before < 0 or stands(before) or after >= len(head.keys) or stands(after)):
        return False
    near = [i for i in range(max(0, before + 1 - _REACH), before + 1) if i not in half.at_head]
    near += [i for i in range(after, min(len(head.keys), after + _REACH)) if i not in half.at_head]
    return sum(stands(i) for i in near) >= _SHARE * len(near)


def is_its_own(mark: Mark, elsewhere: Elsewhere) -> bool:
    """Whether an addition concerns what its side alone has, so that the other one has no use for it wherever it stands."""
    if mark.is_own or _replaces_its_own(mark) or _begins_its_own(mark) or _guards_what_is_its_own(mark):
        return True
    return elsewhere.serves_one_side(mark) or is_about_tasks(mark)


def _replaces_its_own(mark: Mark) -> bool:
    """Whether it gives another value to a parameter, keyword or key that the other side does not have, now or before.

    Variables and attributes may have another name there.
    """
    if mark.unit.concept not in NAMED:
        return False
    slot, was = slot_of(mark.terms), predecessor_of(mark)
    if not slot or was is None or slot_of(mark.half.base.keys[was]) != slot:
        return False
    return not mark.other.base.slots[slot] and not mark.other.head.slots[slot]


def _begins_its_own(mark: Mark) -> bool:
    """Whether it gives a constant to a variable that its side had before and that the other side does not have at all."""
    name, half, other = mark.terms[0], mark.half, mark.other
    if mark.unit.concept != "assignment" or mark.terms[1:2] != ("=",) or not isinstance(name, str):
        return False
    if name not in half.base.bound or any(core(token) for token in flat(mark.terms[2:])):
        return False
    return name not in other.base.bound and name not in other.head.bound


def _guards_what_is_its_own(mark: Mark) -> bool:
    """Whether a module's condition has nothing under it but imports, and new definitions that the other side lacks."""
    module, statement = mark.half.head.definition, mark.unit.statement
    if module is None or module.kind != "module" or mark.unit.concept != "condition":
        return False
    if mark.half.head.inside.get(statement):
        return False
    lines = module.source.lines
    end = mark.unit.end_line
    while end < len(lines) and (not lines[end].strip() or lines[end][0].isspace()):
        end += 1
    own = mark.half.side.own.back
    inside = [each for each in module.source.outline if mark.unit.end_line < each.line <= end and not each.owner]
    theirs = {each.name for each in mark.other.side.head}
    return not any(each in own or each.name in theirs for each in inside)


def _replaces_what_both_said(mark: Mark) -> bool:
    """Whether it stands in the place of a unit of its kind that both sides had, and that both have replaced."""
    return mark.hunk is not None and mark.unit.concept in mark.part.replaced_alike(mark.half, mark.hunk)


def _adjusts_what_is_shared(mark: Mark) -> bool:
    """Whether it adjusts an attribute that the other side adjusts too: `self.size *= n` beside `self.size //= ranks`."""
    if mark.unit.concept != "augmented assignment":
        return False
    target = adjusted_by(mark.terms)
    if len(target) < 2:
        return False
    return target in mark.other.head.adjusted


def _wraps_what_stands(mark: Mark, head: Version, stands: Callable[[int], bool]) -> bool:
    """Whether all that is new is the head of a block whose kept statements stand on the other side."""
    hunk = mark.hunk
    units = head.units_of(mark.unit.statement)
    if hunk is None or (hunk.low0, hunk.low1, hunk.high1) != (hunk.high0, units.start, units.stop):
        return False
    inner = [
        index
        for number in head.inside.get(mark.unit.statement, ())[:_LOOKED_AT]
        for index in head.units_of(number)[:_LOOKED_AT]
        if index not in mark.half.at_head
    ]
    return bool(inner) and all(stands(index) for index in inner)


def _is_guarded_alike(mark: Mark, head: Version, stands: Callable[[int], bool]) -> bool:
    """Whether the nearest kept statement around the unit stands on the other side; true at the top of a body."""
    parent = head.statements[mark.unit.statement].parent
    while parent >= 0:
        units = head.units_of(parent)[:_LOOKED_AT]
        if any(index not in mark.half.at_head for index in units):
            return any(stands(index) for index in units)
        parent = head.statements[parent].parent
    return True
