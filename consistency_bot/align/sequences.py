"""How one sequence becomes the other, at a cost that grows with its length whatever it holds.

As difflib says it: the longest common run, then what matches before and after it. That reads best, and costs the square
of the length or its cube where one thing stands often. So it gets so many steps for each member, and a stretch that
would take more is first cut into pieces at what both sides say exactly once.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import accumulate

from consistency_bot.rising import longest_rising

_STEPS = 100_000
_STEPS_FOR_EACH = 30
"""Steps of the search, in all and for each member. The dearest of 13,650 alignments of real twins took 26,000."""

_Span = tuple[int, int, int, int]
"""Members `[0]:[1]` on the left and `[2]:[3]` on the right."""

_Run = tuple[int, int, int]
"""Where a common run begins on the left and on the right, and how long it is."""


def opcodes(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[str, int, int, int, int]]:
    """(tag, i1, i2, j1, j2) of every stretch, as difflib says it; nothing is taken for junk."""
    if left == right:
        return [("equal", 0, len(left), 0, len(right))] if left else []
    # The search looks every member up many times, and the hash of long terms is dear: numbers stand in for them.
    numbers: dict[Hashable, int] = {}
    one, other = ([numbers.setdefault(each, len(numbers)) for each in sequence] for sequence in (left, right))
    return list(Alignment(one, other).opcodes())


class Alignment:
    """What two sequences have in common. `steps` is what the search has cost so far."""

    def __init__(self, left: Sequence[Hashable], right: Sequence[Hashable]) -> None:
        self.steps = 0
        self._left, self._right = left, right
        self._most = _STEPS + _STEPS_FOR_EACH * (len(left) + len(right))
        places: dict[Hashable, list[int]] = {}
        for at, each in enumerate(right):
            places.setdefault(each, []).append(at)
        self._opposite: list[Sequence[int]] = [places.get(each, ()) for each in left]
        # A look at a member takes a step, and one more for each of its likes on the other side.
        self._steps_before = [0, *accumulate([1 + len(each) for each in self._opposite])]
        self._found: list[_Run] = []

    def opcodes(self) -> Iterator[tuple[str, int, int, int, int]]:
        """(tag, i1, i2, j1, j2) of every stretch."""
        i = j = 0
        for i1, j1, size in [*self._runs(), (len(self._left), len(self._right), 0)]:
            if i < i1 or j < j1:
                yield "delete" if j == j1 else "insert" if i == i1 else "replace", i, i1, j, j1
            i, j = i1 + size, j1 + size
            if size:
                yield "equal", i1, i, j1, j

    def _runs(self) -> list[_Run]:
        """The runs that both have, in order; no two of them touch on both sides."""
        too_long = self._search([(0, len(self._left), 0, len(self._right))])
        if too_long:
            self._search([gap for span in too_long for gap in self._cut(*span)])
        out: list[_Run] = []
        for i, j, size in sorted(self._found):
            last_i, last_j, last = out[-1] if out else (0, 0, 0)
            if last and (last_i + last, last_j + last) == (i, j):
                out[-1] = (last_i, last_j, last + size)
            else:
                out.append((i, j, size))
        return out

    def _search(self, spans: list[_Span]) -> list[_Span]:
        """Finds the runs in these spans; what comes back are spans in which the search would take too many steps."""
        too_long = []
        while spans:
            span = spans.pop()
            low, high, there, end = span
            steps = self._steps_before[high] - self._steps_before[low] if there < end else 0
            if self.steps + steps > self._most:
                too_long.append(span)
            elif steps:
                self.steps += steps
                i, j, size = self._longest(*span)
                if size:
                    self._found.append((i, j, size))
                    spans += ((low, i, there, j), (i + size, high, j + size, end))
        return too_long

    def _longest(self, low: int, high: int, there: int, end: int) -> _Run:
        """The longest run in a span, of several the first one on the left and then on the right; 0 long where is none."""
        best, most = (low, there, 0), 0
        sizes: dict[int, int] = {}  # of the runs up to here, by the place on the right at which each ends
        for i in range(low, high):
            longer: dict[int, int] = {}
            for j in self._opposite[i]:
                if j >= end:
                    break
                if j >= there:
                    size = longer[j] = sizes.get(j - 1, 0) + 1
                    if size > most:
                        best, most = (i - size + 1, j - size + 1, size), size
            sizes = longer
        return best

    def _cut(self, i: int, i_end: int, j: int, j_end: int) -> Iterator[_Span]:
        """Finds the runs at both ends of the span and around what each side says once; what is between comes back."""
        left, right = self._left, self._right
        for i1, j1 in [*self._said_once(i, i_end, j, j_end), (i_end, j_end)]:
            while i < i1 and j < j1 and left[i] == right[j]:
                self._found.append((i, j, 1))
                i, j = i + 1, j + 1
            i2, j2 = i1, j1
            while i < i2 and j < j2 and left[i2 - 1] == right[j2 - 1]:
                i2, j2 = i2 - 1, j2 - 1
                self._found.append((i2, j2, 1))
            yield i, i2, j, j2
            i, j = i1, j1

    def _said_once(self, i: int, i_end: int, j: int, j_end: int) -> list[tuple[int, int]]:
        """Places (left, right) of what each side says once, as many as come in the same order on both."""
        mine, theirs = self._left[i:i_end], self._right[j:j_end]
        counts, places = Counter(mine), Counter(theirs)
        there = {each: at for at, each in enumerate(theirs, j)}
        once = [(at, there[each]) for at, each in enumerate(mine, i) if counts[each] == places[each] == 1]
        return longest_rising(once)
