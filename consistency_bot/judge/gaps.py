"""Where an addition stands: between two statements, or at the end of a block, that the other side has side by side."""

from bisect import bisect_left
from collections.abc import Sequence

from consistency_bot.judge.elsewhere import Elsewhere
from consistency_bot.judge.marks import Mark
from consistency_bot.judge.versions import Version, slot_of
from consistency_bot.syntax import Terms

_LOOKED_AT = 100
"""So many new statements before and after one are passed over."""

_OF_THE_DEFINITION = frozenset({"parameter", "default", "decorator"})
"""What stands above the first statement of a function's body."""

_ANSWERS = frozenset({"except", "finally", "continue", "break"})


def stands_in_a_shared_gap(mark: Mark) -> bool:
    """Whether the statements right before and after an addition stand right after each other on the other side.

    The beginning and the end of a block count as its neighbours, where what heads the block heads one there too. However
    little two functions have in common, there is then one place where the addition would go. False outside functions,
    and for a further branch, handler or exit, which answers to what stands before it and not to its neighbours.
    """
    head, there = mark.half.head, mark.other.head
    gap = _gap_of(mark, head)
    if gap is None:
        return False
    number, before, after = gap
    left, right = (_opposite(mark, each) if each is not None else None for each in (before, after))
    if before is not None and after is not None:
        return left is not None and right is not None and _are_neighbours(there, left, right)
    edge = left if before is not None else right
    if edge is None or not _is_headed_alike(mark, head, head.statements[number].parent, there.statements[edge].parent):
        return False
    siblings = there.inside[there.statements[edge].parent]
    return (siblings[-1] if before is not None else _first(there, siblings)) == edge


def _first(version: Version, block: Sequence[int]) -> int:
    """The first statement of a block: not the signature of the function, nor what decorates it."""
    return next((each for each in block[:_LOOKED_AT] if _is_in_the_body(version, each)), -1)


def _is_in_the_body(version: Version, number: int) -> bool:
    """Whether a statement says something, and not of the function itself."""
    units = version.units_of(number)
    return bool(units) and version.units[units.start].concept not in _OF_THE_DEFINITION


def opens_a_shared_block(mark: Mark) -> bool:
    """Whether it is the first thing done in a block whose head stands on the other side too, whatever follows there.

    Handlers are no such blocks: what one does first depends on what it handles there.
    """
    head = mark.half.head
    gap = _gap_of(mark, head)
    if gap is None or gap[1] is not None:
        return False
    around = head.statements[gap[0]].parent
    units = head.units_of(around) if around >= 0 else range(0)
    return bool(units) and head.units[units.start].concept not in _ANSWERS and _opposite(mark, around) is not None


def stands_in_a_gap_elsewhere(mark: Mark, elsewhere: Elsewhere) -> bool:
    """Whether the statements right before and after an addition stand right after each other in another function there.

    Both have to be recognisable outside their function.
    """
    head = mark.half.head
    gap = _gap_of(mark, head)
    if gap is None or gap[1] is None or gap[2] is None:
        return False
    before, after = (head.units_of(number) for number in gap[1:] if number is not None)
    if not before or not after:
        return False
    left, right = (elsewhere.spot_of(mark, units.start) for units in (before, after))
    if left is None or right is None or left.version is not right.version:
        return False
    far = elsewhere.half_around(mark, left)
    if far is None or not _are_neighbours(left.version, left.statement, right.statement):
        return False
    return far.base is far.head or _are_still_neighbours(far.head, head.keys[before.start], head.keys[after.start])


def _are_still_neighbours(version: Version, one: Terms, other: Terms) -> bool:
    """Whether a statement that begins with the one stands right before one that begins with the other."""
    ends = [version.units[place].statement for place in version.places.get(other, [])[:_LOOKED_AT]]
    for place in version.places.get(one, [])[:_LOOKED_AT]:
        if any(_are_neighbours(version, version.units[place].statement, end) for end in ends):
            return True
    return False


def _gap_of(mark: Mark, head: Version) -> tuple[int, int | None, int | None] | None:
    """The addition's outermost statement, and the kept ones before and after it in its block: None for an edge.

    None as a whole outside functions, for what answers to what stands before it, and where too much is new to look on.
    """
    if head.definition is None or head.definition.kind != "function":
        return None
    number = _outermost(mark, head)
    if head.statements[number].is_otherwise or head.units[head.units_of(number).start].concept in _ANSWERS:
        return None
    block = head.inside[head.statements[number].parent]
    at = bisect_left(block, number)
    before_it, after_it = block[max(0, at - _LOOKED_AT) : at], block[at + 1 : at + 1 + _LOOKED_AT]
    before = next((each for each in reversed(before_it) if not _is_new(mark, each)), None)
    before = before if before is not None and _is_in_the_body(head, before) else None
    after = next((each for each in after_it if not _is_new(mark, each)), None)
    if (before is None and at > _LOOKED_AT) or (after is None and at + 1 + _LOOKED_AT < len(block)):
        return None
    return number, before, after


def _outermost(mark: Mark, head: Version) -> int:
    """The outermost statement that is new as a whole, of those around the unit."""
    number = mark.unit.statement
    while (parent := head.statements[number].parent) >= 0 and _is_new(mark, parent):
        number = parent
    return number


def _is_new(mark: Mark, number: int) -> bool:
    """Whether a statement says nothing that its side said before; so it is with one that says nothing at all."""
    return all(index in mark.half.at_head for index in mark.half.head.units_of(number))


def _opposite(mark: Mark, number: int) -> int | None:
    """The statement on the other side that says what this one says first, or gives a value to the same thing."""
    head, there = mark.half.head, mark.other.head
    units = head.units_of(number)
    if not units:
        return None
    index = mark.part.opposite(mark.half, units.start)
    slot = slot_of(head.keys[units.start])
    if index is None and head.given.get(slot) == units.start:
        index = there.given.get(slot)
    return there.units[index].statement if index is not None else None


def _are_neighbours(version: Version, one: int, other: int) -> bool:
    parent = version.statements[one].parent
    if parent != version.statements[other].parent:
        return False
    block = version.inside[parent]
    return bisect_left(block, other) - bisect_left(block, one) == 1


def _is_headed_alike(mark: Mark, head: Version, here: int, there: int) -> bool:
    if here < 0 or there < 0:
        return here == there
    return _opposite(mark, here) == there
