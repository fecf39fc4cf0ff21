"""Which of several equal members is the one that came, or went, where the order of what is equal leaves it open.

From `a b` to `a b a b` the first two can be new or the last two, or those in the middle. Who knows more of the members
than whether they are equal can say which of them were meant.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence

from consistency_bot.align.sequences import opcodes

_Code = tuple[str, int, int, int, int]
_Span = tuple[int, int, int, int]
"""Members `[0]:[1]` on the left and `[2]:[3]` on the right."""

Likeness = Callable[[int, int], int]
"""How alike an equal pair (index on the left, index on the right) is in what does not count for being equal."""


def opcodes_by(left: Sequence[Hashable], right: Sequence[Hashable], likeness: Likeness) -> list[_Code]:
    """The opcodes, each stretch that came or went moved along its equals to where the most alike stay together."""
    spans: list[_Span] = []
    codes = [code for code in opcodes(left, right) if code[0] != "equal"]
    for index, (_, i1, i2, j1, j2) in enumerate(codes):
        before = i1 - (spans[-1][1] if spans else 0)
        after = (codes[index + 1][1] if index + 1 < len(codes) else len(left)) - i2
        by = _down((i1, i2, j1, j2), after, left, right, likeness) or _up(
            (i1, i2, j1, j2), before, left, right, likeness
        )
        spans.append((i1 + by, i2 + by, j1 + by, j2 + by))
    return list(_told(spans, len(left), len(right)))


def _down(span: _Span, room: int, left: Sequence[Hashable], right: Sequence[Hashable], likeness: Likeness) -> int:
    """By how many members it moves towards the end; 0 where it stays."""
    i1, i2, j1, j2 = span
    best = most = gain = 0
    for step in range(room):
        if left[i1 + step] != right[j1 + step]:
            break
        gain += likeness(i1 + step, j1 + step) - likeness(i2 + step, j2 + step)
        if gain > most:
            best, most = step + 1, gain
    return best


def _up(span: _Span, room: int, left: Sequence[Hashable], right: Sequence[Hashable], likeness: Likeness) -> int:
    """By how many members it moves towards the start, as a negative number; 0 where it stays."""
    i1, i2, j1, j2 = span
    best = most = gain = 0
    for step in range(1, room + 1):
        if left[i2 - step] != right[j2 - step]:
            break
        gain += likeness(i2 - step, j2 - step) - likeness(i1 - step, j1 - step)
        if gain > most:
            best, most = -step, gain
    return best


def _told(spans: Sequence[_Span], end: int, end_there: int) -> Iterator[_Code]:
    """The opcodes of stretches in order; those that came to touch are one."""
    i = j = 0
    joined: list[_Span] = []
    for i1, i2, j1, j2 in spans:
        if joined and (joined[-1][1], joined[-1][3]) == (i1, j1):
            before = joined.pop()
            joined.append((before[0], i2, before[2], j2))
        else:
            joined.append((i1, i2, j1, j2))
    for i1, i2, j1, j2 in joined:
        if i < i1:
            yield "equal", i, i1, j, j1
        yield "insert" if i1 == i2 else "delete" if j1 == j2 else "replace", i1, i2, j1, j2
        i, j = i2, j2
    if i < end:
        yield "equal", i, end, j, end_there
