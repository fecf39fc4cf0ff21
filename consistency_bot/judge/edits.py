"""What became of a unit: what stands in its place on its own side, and what the other side says there."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence

from consistency_bot.align.renames import flat
from consistency_bot.judge.marks import CONDITIONS, NAMED, Mark, mates_of
from consistency_bot.judge.versions import Version, slot_of


def successor_of(mark: Mark, marks: Sequence[Mark]) -> Mark | None:
    """The mark of what took the place of a unit that is gone, in the same stretch of lines; None where nothing did."""
    if not mark.is_gone or mark.hunk is None:
        return None
    came = [each for each in marks if not each.is_gone and each.hunk is mark.hunk and _is_of_kind(each, mark)]
    gone = [each for each in marks if each.is_gone and each.hunk is mark.hunk and _is_of_kind(each, mark)]
    return _most_alike(mark, came) if len(came) > 1 or len(gone) > 1 else next(iter(came), None)


def predecessor_of(mark: Mark) -> int | None:
    """The index at base of what an addition took the place of, where both are alone of their kind there."""
    half, hunk = mark.half, mark.hunk
    if mark.is_gone or hunk is None:
        return None
    was = _of_kind(half.base, hunk.low0, hunk.high0, mark)
    now = _of_kind(half.head, hunk.low1, hunk.high1, mark)
    return was[0] if len(was) == len(now) == 1 else None


def kept_beside(mark: Mark) -> tuple[int, int] | None:
    """Where, at base and at head, a kept alternative of the same condition stands; None where there is none next to it."""
    half, hunk = mark.half, mark.hunk
    if hunk is None or mark.unit.concept not in CONDITIONS:
        return None
    units = (half.base if mark.is_gone else half.head).units
    for was, now in ((hunk.low0 - 1, hunk.low1 - 1), (hunk.high0, hunk.high1)):
        index = was if mark.is_gone else now
        if 0 <= index < len(units) and units[index].statement == mark.unit.statement:
            return was, now
    return None


def reply_of(mark: Mark, marks: Sequence[Mark]) -> Mark | None:
    """The mark of what the other side says since this change where this one moved; None where it got nothing like it."""
    there = [each for each in marks if not each.is_gone and each.half is mark.other and _is_of_kind(each, mark)]
    return _most_alike(mark, there) if len(there) > 1 else next(iter(there), None)


def answer_of(mark: Mark) -> int | None:
    """The index of what has long stood on the other side, unlike, where an addition would go; None for a gap."""
    if mark.is_gone or mark.hunk is None or mark.other.head.definition is None:
        return None
    other, back = mark.other.head, mark.part.back_at_head if mark.half is mark.part.a else mark.part.at_head
    for index in _opposite_of(mark):
        is_kin = index < len(other.units) and other.units[index].concept == mark.unit.concept
        if is_kin and back.of(index) is None and slot_of(other.keys[index]) == slot_of(mark.terms):
            return index
    return None


def is_carried_over(mark: Mark) -> bool:
    """Whether its side passes the same argument before and after, only to another call: `post(json=x)`, `stream(json=x)`."""
    if mark.unit.concept != "argument":
        return False
    now = mark.half.head if mark.is_gone else mark.half.base
    return mark.terms[1:] in now.passed


def _opposite_of(mark: Mark) -> Iterator[int]:
    """Where an addition's like could stand: in the statement of its mates, or right after what stands before it."""
    mates = mates_of(mark)
    if mates:
        there = next((at for at in (mark.part.opposite(mark.half, index) for index in mates) if at is not None), None)
        other = mark.other.head
        yield from other.units_of(other.units[there].statement) if there is not None else ()
    elif mark.hunk is not None and not mark.hunk.low1:
        yield 0
    elif mark.hunk is not None:
        there = mark.part.opposite(mark.half, mark.hunk.low1 - 1)
        yield from () if there is None else (there + 1,)


def _of_kind(version: Version, low: int, high: int, mark: Mark) -> Sequence[int]:
    """Where units like the mark's stand in a stretch of a version: two of them, where there are more."""
    slot = slot_of(mark.terms) if mark.unit.concept in NAMED else ()
    places = version.by_kind.get((mark.unit.concept, slot), [])
    first = bisect_left(places, low)
    return [index for index in places[first : first + 2] if index < high]


def _is_of_kind(one: Mark, other: Mark) -> bool:
    return one.unit.concept == other.unit.concept


def _most_alike(mark: Mark, others: Sequence[Mark]) -> Mark | None:
    """The one that gives a value to the same thing, else the one that shares most words; None where none does either."""
    slot = slot_of(mark.terms)
    words = frozenset(flat(mark.terms))

    def likeness(other: Mark) -> tuple[bool, int]:
        return bool(slot) and slot_of(other.terms) == slot, len(words.intersection(flat(other.terms)))

    best = max(others, key=likeness, default=None)
    return best if best is not None and any(likeness(best)) else None
