"""How one sequence becomes the other, at a cost that grows with its length whatever it holds.

difflib finds the longest common run, then what matches before and after it. That reads best, and costs the square of
the length or its cube where one thing stands often. So it gets so many steps for each member, and a stretch that would
take more is first cut into pieces at what both sides say exactly once.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from difflib import Match, SequenceMatcher
from itertools import accumulate

from consistency_bot.rising import longest_rising

_STEPS = 100_000
_STEPS_FOR_EACH = 30
"""Steps of difflib's search, in all and for each member. The dearest of 13,650 alignments of real twins took 26,000."""

_Span = tuple[int, int, int, int]
"""Members `[0]:[1]` on the left and `[2]:[3]` on the right."""


def opcodes(left: Sequence[Hashable], right: Sequence[Hashable]) -> list[tuple[str, int, int, int, int]]:
    """(tag, i1, i2, j1, j2) of every stretch, as difflib says it; nothing is taken for junk."""
    if left == right:
        return [("equal", 0, len(left), 0, len(right))] if left else []
    # The search looks every member up many times, and the hash of long terms is dear: numbers stand in for them.
    numbers: dict[Hashable, int] = {}
    one, other = ([numbers.setdefault(each, len(numbers)) for each in sequence] for sequence in (left, right))
    return list(Alignment(one, other).get_opcodes())


class Alignment(SequenceMatcher[Hashable]):
    """difflib's matching with an end to its patience. `steps` is what the search has cost so far."""

    def __init__(self, left: Sequence[Hashable], right: Sequence[Hashable]) -> None:
        super().__init__(None, left, right, autojunk=False)
        self.steps = 0
        self._left, self._right = left, right
        self._most = _STEPS + _STEPS_FOR_EACH * (len(left) + len(right))
        places = Counter(right)
        # A look at a member takes a step, and one more for each of its likes on the other side.
        self._steps_before = [0, *accumulate([1 + places[each] for each in left])]
        self._runs: list[tuple[int, int, int]] = []

    def get_matching_blocks(self) -> list[Match]:
        """The runs that both have, in order; the last one is empty and marks the end."""
        too_long = self._search([(0, len(self._left), 0, len(self._right))])
        if too_long:
            self._search([gap for span in too_long for gap in self._cut(*span)])
        out = [Match(0, 0, 0)]
        for i, j, size in sorted(self._runs):
            last = out[-1]
            if (last.a + last.size, last.b + last.size) == (i, j):
                out[-1] = Match(last.a, last.b, last.size + size)
            else:
                out.append(Match(i, j, size))
        return [*out, Match(len(self._left), len(self._right), 0)]

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
                i, j, size = self.find_longest_match(*span)
                if size:
                    self._runs.append((i, j, size))
                    spans += ((low, i, there, j), (i + size, high, j + size, end))
        return too_long

    def _cut(self, i: int, i_end: int, j: int, j_end: int) -> Iterator[_Span]:
        """Finds the runs at both ends of the span and around what each side says once; what is between comes back."""
        left, right = self._left, self._right
        for i1, j1 in [*self._said_once(i, i_end, j, j_end), (i_end, j_end)]:
            while i < i1 and j < j1 and left[i] == right[j]:
                self._runs.append((i, j, 1))
                i, j = i + 1, j + 1
            i2, j2 = i1, j1
            while i < i2 and j < j2 and left[i2 - 1] == right[j2 - 1]:
                i2, j2 = i2 - 1, j2 - 1
                self._runs.append((i2, j2, 1))
            yield i, i2, j, j2
            i, j = i1, j1

    def _said_once(self, i: int, i_end: int, j: int, j_end: int) -> list[tuple[int, int]]:
        """Places (left, right) of what each side says once, as many as come in the same order on both."""
        mine, theirs = self._left[i:i_end], self._right[j:j_end]
        counts, places = Counter(mine), Counter(theirs)
        there = {each: at for at, each in enumerate(theirs, j)}
        once = [(at, there[each]) for at, each in enumerate(mine, i) if counts[each] == places[each] == 1]
        return longest_rising(once)
