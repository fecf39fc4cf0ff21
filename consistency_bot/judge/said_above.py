"""What a side says once more because the other says it where it stands now: the same words at the same place."""

from consistency_bot.judge.marks import CONDITIONS, Mark
from consistency_bot.judge.versions import Version

_LOOKED_AT = 100
"""So many places where one thing is said are looked at."""

_SAID_AS_A_WHOLE = frozenset({"assignment", "call", "guard", "raise"})


def is_said_there(mark: Mark) -> bool:
    """Whether the other side said it before where it came to now: next to the same neighbour, or above all branches.

    `dp = size // tp` in each of two branches says what it says once above them. The side itself may say it elsewhere too;
    but not above the new place, or it would have been said there already.
    """
    head, there = mark.half.head, mark.other.head
    if mark.is_gone or mark.hunk is None or there is not mark.other.base:
        return False
    if mark.unit.concept not in _SAID_AS_A_WHOLE:
        return False
    if _is_next_to_the_same(mark, there):
        return True
    return not _goes_before(mark, head) and any(
        _covers(mark, there, at) for at in there.places.get(mark.terms, [])[:_LOOKED_AT]
    )


def _goes_before(mark: Mark, head: Version) -> bool:
    """Whether the side says it, or did, at another place from which it reaches the new one."""
    around = map(head.units_of, _around(head, mark.unit.statement))
    heads = {(), *(head.keys[units.start] for units in around if units)}  # nothing heads the body
    base = mark.half.base
    before = [place for place in head.places[mark.terms][:_LOOKED_AT] if place < mark.index]
    at_base = base.places.get(mark.terms, [])[:_LOOKED_AT]
    places = [(head, place) for place in before] + [(base, place) for place in at_base]
    return any(version.header_of(place) in heads for version, place in places)


def _is_next_to_the_same(mark: Mark, there: Version) -> bool:
    """Whether it stands there, in the same block, right before or after what stands after or before it here."""
    half, head, hunk = mark.half, mark.half.head, mark.hunk
    for here, step in ((hunk.high1, -1), (hunk.low1 - 1, 1)) if hunk is not None else ():
        opposite = mark.part.opposite(mark.half, here) if 0 <= here < len(head.keys) else None
        found = opposite + step if opposite is not None else -1
        if opposite is None or not 0 <= found < len(there.keys) or there.keys[found] != mark.terms:
            continue
        back = mark.part.opposite(mark.other, found)
        if back is not None and back not in half.at_head:
            continue  # what the side said there before as well
        if _block(head, here) == _block(head, mark.index) and _block(there, opposite) == _block(there, found):
            return True
    return False


def _block(version: Version, index: int) -> tuple[int, bool]:
    statement = version.statements[version.units[index].statement]
    return statement.parent, statement.is_otherwise


def _covers(mark: Mark, there: Version, place: int) -> bool:
    """Whether it stands there at the top of a block of which the new place is a branch."""
    head = mark.half.head
    block = there.statements[there.units[place].statement].parent
    for number in _around(head, mark.unit.statement):
        if number < 0:
            return block < 0
        units = head.units_of(number)
        opposite = mark.part.opposite(mark.half, units.start) if units else None
        if opposite is not None and there.units[opposite].statement == block:
            return True
        if not all(head.units[index].concept in CONDITIONS for index in units):
            return False
    return False


def _around(version: Version, number: int) -> list[int]:
    """The statements around one, inner ones first, and -1 for the body."""
    out: list[int] = []
    while number >= 0:
        number = version.statements[number].parent
        out.append(number)
    return out
