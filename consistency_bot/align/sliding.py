"""Which of several equal members is the one that came, or went, where the order of what is equal leaves it open.

From `a b` to `a b a b` the first two can be new or the last two, or those in the middle. Who knows more of the members
than whether they are equal can say which of them were meant.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence

from consistency_bot.align.sequences import opcodes

_TRIED = 50
"""So many members at either end of a stretch are tried as the place where a part of it begins that can be moved."""

_Code = tuple[str, int, int, int, int]
_Span = tuple[int, int, int, int]
"""Members `[0]:[1]` on the left and `[2]:[3]` on the right."""

_Move = tuple[int, int]
"""By how many members, towards the end or, negative, the start, and how much more alike all pairs are then."""

Likeness = Callable[[int, int], int]
"""How alike an equal pair (index on the left, index on the right) is in what does not count for being equal."""


def opcodes_by(left: Sequence[Hashable], right: Sequence[Hashable], likeness: Likeness) -> list[_Code]:
    """The opcodes, each stretch that came or went moved along its equals to where the most alike stay together.

    Of a stretch that was replaced the part that can be moved is what came, or went, beside the rest.
    """
    slide = _Slide(left, right, likeness)
    spans: list[_Span] = []
    codes = [code for code in opcodes(left, right) if code[0] != "equal"]
    for index, (_, i1, i2, j1, j2) in enumerate(codes):
        before = i1 - (spans[-1][1] if spans else 0)
        after = (codes[index + 1][1] if index + 1 < len(codes) else len(left)) - i2
        spans += slide.moved((i1, i2, j1, j2), before, after)
    return list(_told(spans, len(left), len(right)))


class _Slide:
    def __init__(self, left: Sequence[Hashable], right: Sequence[Hashable], likeness: Likeness) -> None:
        self._left, self._right = left, right
        self._likeness = likeness

    def moved(self, span: _Span, before: int, after: int) -> list[_Span]:
        """The stretch where it belongs, in one piece or two; `before` and `after` it so many members are equal."""
        i1, i2, j1, j2 = span
        if i1 == i2 or j1 == j2:
            by = max(self._down(span, after), self._up(span, before), key=lambda move: move[1])[0]
            return [_at(span, by)]
        best, most = [span], 0
        for rest, part in _ends(span):
            by, gain = self._down(part, min(after, _TRIED))
            if gain > most:
                best, most = [rest, _at(part, by)], gain
        for rest, part in _starts(span):
            by, gain = self._up(part, min(before, _TRIED))
            if gain > most:
                best, most = [_at(part, by), rest], gain
        return best

    def _down(self, span: _Span, room: int) -> _Move:
        i1, i2, j1, j2 = span
        best = most = gain = 0
        for step in range(room):
            if self._left[i1 + step] != self._right[j1 + step]:
                break
            gain += self._likeness(i1 + step, j1 + step) - self._likeness(i2 + step, j2 + step)
            if gain > most:
                best, most = step + 1, gain
        return best, most

    def _up(self, span: _Span, room: int) -> _Move:
        i1, i2, j1, j2 = span
        best = most = gain = 0
        for step in range(1, room + 1):
            if self._left[i2 - step] != self._right[j2 - step]:
                break
            gain += self._likeness(i2 - step, j2 - step) - self._likeness(i1 - step, j1 - step)
            if gain > most:
                best, most = -step, gain
        return best, most


def _at(span: _Span, by: int) -> _Span:
    i1, i2, j1, j2 = span
    return i1 + by, i2 + by, j1 + by, j2 + by


def _ends(span: _Span) -> Iterator[tuple[_Span, _Span]]:
    """What was replaced cut in two: the rest, and a part behind it that only came or only went."""
    i1, i2, j1, j2 = span
    for j in range(max(j1 + 1, j2 - _TRIED), j2):
        yield (i1, i2, j1, j), (i2, i2, j, j2)
    for i in range(max(i1 + 1, i2 - _TRIED), i2):
        yield (i1, i, j1, j2), (i, i2, j2, j2)


def _starts(span: _Span) -> Iterator[tuple[_Span, _Span]]:
    """The same with the part before the rest."""
    i1, i2, j1, j2 = span
    for j in range(j1 + 1, min(j2, j1 + 1 + _TRIED)):
        yield (i1, i2, j, j2), (i1, i1, j1, j)
    for i in range(i1 + 1, min(i2, i1 + 1 + _TRIED)):
        yield (i, i2, j1, j2), (i1, i, j1, j1)


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
