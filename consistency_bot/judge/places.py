"""Where a mark stands, and where its likeness stands or would go on the other side."""

from consistency_bot.judge.marks import Mark, mates_of
from consistency_bot.judge.versions import Half
from consistency_bot.model import Place


def place_of(mark: Mark) -> Place:
    """Where the side that moved says it now; for what is gone, the stretch that took its place, or the gap it left."""
    half, hunk = mark.half, mark.hunk
    head = half.head
    if not mark.is_gone:
        return at(half, mark.unit.line, mark.unit.end_line)
    if head.definition is None or hunk is None:
        return opening_of(half)
    if hunk.high1 > hunk.low1:
        # Not always in the order of lines: branches with one body are read as one, their conditions first.
        first, last = head.units[hunk.low1], head.units[hunk.high1 - 1]
        return at(half, min(first.line, last.line), max(first.end_line, last.end_line))
    if hunk.low1:
        after = head.units[hunk.low1 - 1].end_line
        return at(half, after + 1, after)
    return opening_of(half)


def counterpart_of(mark: Mark) -> Place | None:
    """Where the other side still says it, or where it would go: after the likeness of what stands before it."""
    other = mark.other
    if other.definition is None:
        return None
    if mark.partner is not None:
        unit = other.head.units[mark.partner]
        return at(other, unit.line, unit.end_line)
    if mark.hunk is None or mark.is_gone:
        return opening_of(other)
    for index in mates_of(mark):
        there = mark.part.opposite(mark.half, index)
        if there is not None:
            unit = other.head.units[there]
            return at(other, unit.line, unit.end_line)
    before = mark.part.opposite_before(mark.half, mark.hunk.low1 - 1)
    if before is None:
        return opening_of(other)
    line = other.head.units[before[1]].end_line
    return at(other, line + 1, line)


def opening_of(half: Half) -> Place:
    """The first line of the definition at head; where head has none, the top of its file."""
    definition = half.head.definition
    if definition is None:
        path = half.base.definition.path if half.base.definition is not None else ""
        name = half.base.definition.qualname if half.base.definition is not None else None
        return Place(half.side.name, path, 1, 0, name or None)
    line = definition.header_line if definition.qualname else 1
    end_line = line if definition.qualname else 0
    return Place(half.side.name, definition.path, line, end_line, definition.qualname or None)


def at(half: Half, line: int, end_line: int) -> Place:
    """Lines of a half's definition at head, or at base where head has none."""
    definition = half.head.definition or half.base.definition
    path = definition.path if definition is not None else ""
    return Place(
        half.side.name, path, line, end_line, (definition.qualname or None) if definition is not None else None
    )
