"""What one side changed, row by row: runs of rows that were replaced, added or taken away."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from consistency_bot.align.sequences import opcodes
from consistency_bot.port.half import Half
from consistency_bot.port.imports import is_import
from consistency_bot.syntax.source_rows import Row

_LEAST_ALIKE = 0.45
_MOST_CELLS = 6000
"""Stretches larger than this are not compared row with row: what was rewritten at such length has no counterpart."""


class Step(msgspec.Struct, frozen=True):
    """One row of a run: `old` became `new`; one of them is None for what was added or taken away."""

    old: int | None
    new: int | None


class Run(msgspec.Struct, frozen=True):
    """A stretch without an untouched row: rows `start:end` before, `new_start:new_end` after."""

    start: int
    end: int
    new_start: int
    new_end: int
    steps: tuple[Step, ...]


def row_of(step: Step, old: Half, new: Half) -> Row:
    """The row that is there after the step, or the one that it takes away."""
    return new.rows[step.new] if step.new is not None else old.rows[step.old or 0]


def is_of_imports(run: Run, old: Half, new: Half) -> bool:
    """Whether a run is about nothing but imports."""
    return all(is_import(row_of(step, old, new)) for step in run.steps)


def exchanged(runs: Iterable[Run], old: Half, new: Half) -> Iterator[tuple[int, int, str]]:
    """(row before, which of its tokens, what stands there instead) of rows of code in which tokens gave way to others."""
    for step in (step for run in runs for step in run.steps):
        if step.old is None or step.new is None or old.rows[step.old].kind != "code":
            continue
        before, after = old.rows[step.old].words, new.rows[step.new].words
        for tag, i1, i2, j1, j2 in opcodes(before, after):
            if tag == "replace" and i2 - i1 == j2 - j1:
                yield from ((step.old, i, after[j]) for i, j in zip(range(i1, i2), range(j1, j2), strict=True))


def alike(left: Sequence[str], right: Sequence[str]) -> float:
    """How much of two rows is the same, from 0 to 1."""
    theirs = _counts(tuple(right))
    shared = sum([min(count, theirs.get(word, 0)) for word, count in _counts(tuple(left)).items()])
    return 2 * shared / max(1, len(left) + len(right))


@lru_cache(4096)  # each row of a stretch is held against each of the other one's
def _counts(words: tuple[str, ...]) -> Counter[str]:
    return Counter(words)


def best_pairs(
    left: Sequence[int], right: Sequence[int], score: Callable[[int, int], float], least: float
) -> list[tuple[int, int]]:
    """The pairs, in the order of both, that are most alike in sum; none where there are too many to compare."""
    if not left or not right or len(left) * len(right) > _MOST_CELLS:
        return []
    width = len(right) + 1
    totals = [[0.0] * width for _ in range(len(left) + 1)]
    scores: dict[tuple[int, int], float] = {}
    for i in range(len(left) - 1, -1, -1):
        for j in range(len(right) - 1, -1, -1):
            value = score(left[i], right[j])
            taken = totals[i + 1][j + 1] + value if value >= least else 0.0
            scores[i, j] = taken
            totals[i][j] = max(totals[i + 1][j], totals[i][j + 1], taken)
    out: list[tuple[int, int]] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if scores[i, j] and scores[i, j] == totals[i][j]:
            out.append((left[i], right[j]))
            i, j = i + 1, j + 1
        elif totals[i + 1][j] >= totals[i][j + 1]:
            i += 1
        else:
            j += 1
    return out


def runs_between(old: Half, new: Half) -> list[Run]:
    """What changed, in order; empty where nothing but blank lines did."""
    before, after = ([(row.indent, row.words) for row in half.rows] for half in (old, new))
    start = 0
    while start < min(len(before), len(after)) and before[start] == after[start]:
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    runs = []
    for tag, i1, i2, j1, j2 in opcodes(before[start : len(before) - end], after[start : len(after) - end]):
        if tag != "equal":
            span = (i1 + start, i2 + start, j1 + start, j2 + start)
            span = _slid(span, old.rows, new.rows)
            runs.extend(_parted(span, _steps(span, old.rows, new.rows), old, new))
    return runs


def _parted(span: "_Span", steps: list[Step], old: Half, new: Half) -> list[Run]:
    """The runs of a stretch: every import of the module is one of its own, since imports are a set."""
    groups: list[list[Step]] = []
    was_alone = True
    for step in steps:
        half, number = (old, step.old) if step.old is not None else (new, step.new or 0)
        is_alone = is_import(half.rows[number]) and half.owners[number].kind == "module"
        if is_alone or was_alone:
            groups.append([])
        groups[-1].append(step)
        was_alone = is_alone
    out: list[Run] = []
    at, new_at = span[0], span[2]
    for group in groups:
        end = at + sum(each.old is not None for each in group)
        new_end = new_at + sum(each.new is not None for each in group)
        out.append(Run(at, end, new_at, new_end, tuple(group)))
        at, new_at = end, new_end
    return out


_Span = tuple[int, int, int, int]


def _slid(span: _Span, old: Sequence[Row], new: Sequence[Row]) -> _Span:
    """An addition or removal that could as well start a few rows earlier starts where its outermost row is first."""
    i1, i2, j1, j2 = span
    if (i1 == i2) == (j1 == j2):
        return span
    rows, low, high = (new, j1, j2) if i1 == i2 else (old, i1, i2)
    best, shift = _outermost(rows, low, high), 0
    back = 0
    while low - back > 0 and min(i1, j1) - back > 0 and _says(rows[low - back - 1]) == _says(rows[high - back - 1]):
        back += 1
        if (found := _outermost(rows, low - back, high - back)) < best:
            best, shift = found, back
    return i1 - shift, i2 - shift, j1 - shift, j2 - shift


def _says(row: Row) -> tuple[str, tuple[str, ...]]:
    return row.indent, row.words


def _outermost(rows: Sequence[Row], low: int, high: int) -> tuple[int, int]:
    """How well a stretch of rows stands for itself: its first row is its outermost, and what follows is no deeper."""
    first = len(rows[low].indent)
    following = len(rows[high].indent) if high < len(rows) else 0
    is_whole = first <= min(len(row.indent) for row in rows[low:high]) and following <= first
    starts = rows[low].first in ("@", "def", "class", "async") or rows[low].kind == "comment"
    return (0 if is_whole else 1, 0 if starts else 1)


def _steps(span: _Span, old: Sequence[Row], new: Sequence[Row]) -> list[Step]:
    i1, i2, j1, j2 = span

    def score(i: int, j: int) -> float:
        if old[i].kind != new[j].kind:
            return 0.0
        same_start = 0.1 if old[i].first == new[j].first else 0.0
        return alike(old[i].words, new[j].words) + same_start

    out: list[Step] = []
    i, j = i1, j1
    for a, b in [*best_pairs(range(i1, i2), range(j1, j2), score, _LEAST_ALIKE), (i2, j2)]:
        out.extend(Step(each, None) for each in range(i, a))
        out.extend(Step(None, each) for each in range(j, b))
        if a < i2:
            out.append(Step(a, b))
        i, j = a + 1, b + 1
    return out
