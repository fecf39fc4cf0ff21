"""Which of the runs of a change belong to one finding."""

from collections.abc import Iterable, Sequence

from consistency_bot.model import Place
from consistency_bot.port import Decision, Half
from consistency_bot.port.bindings import added_by, bound_in
from consistency_bot.port.changes import Run, is_of_imports
from consistency_bot.syntax.source_rows import Row

_Span = tuple[int, int]


class Choice:
    """The runs between two versions of a file, by their lines in the newer one and by the names that they bring in."""

    def __init__(self, old: Half, new: Half, decisions: Sequence[Decision]) -> None:
        self._old, self._new = old, new
        self._decisions = decisions
        self._fresh = new.words - old.words

    def meeting(self, places: Iterable[Place]) -> list[Decision]:
        """The decisions about what stands at these places, or stood there; empty where nothing on the lines changed."""
        spans = [(min(place.line, place.end_line), max(place.line, place.end_line)) for place in places]
        functions = {each.qualname for each in self._new.source.outline}
        gone = {place.function for place in places if place.function and place.function not in functions}
        return [
            each
            for each in self._decisions
            if any(_meet(one, span) for one in self._spans(each.run) for span in spans) or self._was_in(each.run, gone)
        ]

    def with_needed(self, chosen: Sequence[Decision]) -> list[Decision]:
        """The chosen decisions and those that go with them, in the order of the change.

        What brings in a new name that they write goes with them, and what uses a new one that they bring in.
        """
        kept = {each.run: each for each in chosen}
        while True:
            used = frozenset[str]().union(*(each.words for each in kept.values()))
            brought = set[str]().union(*(self._brought(each) & self._fresh for each in kept.values()))
            more = [
                each
                for each in self._decisions
                if each.edits and each.run not in kept and (self._brought(each) & used or brought & each.words)
            ]
            if not more:
                return [each for each in self._decisions if each.run in kept]
            kept |= {each.run: each for each in more}

    def is_of_imports(self, decision: Decision) -> bool:
        """Whether it is about nothing but imports."""
        return is_of_imports(decision.run, self._old, self._new)

    def _brought(self, decision: Decision) -> set[str]:
        """The names that a run of imports adds, and the new ones that any other run brings in."""
        run = decision.run
        if self.is_of_imports(decision):
            return added_by(run, self._old, self._new)
        return bound_in(self._new.rows[run.new_start : run.new_end]) & self._fresh

    def _spans(self, run: Run) -> Iterable[_Span]:
        """The lines of each new row; where rows only went, the gap they left."""
        rows = self._new.rows
        if run.new_start < run.new_end:
            yield from ((row.line, self._last_line(row)) for row in rows[run.new_start : run.new_end])
            return
        before = self._last_line(rows[run.new_start - 1]) if run.new_start else 0
        after = rows[run.new_start].line if run.new_start < len(rows) else before + 1
        yield before, after

    def _last_line(self, row: Row) -> int:
        return row.line + self._new.text.count("\n", row.start, row.end - 1)

    def _was_in(self, run: Run, functions: Iterable[str]) -> bool:
        """Whether rows went from one of these functions."""
        return any(self._old.owners[row].qualname in functions for row in range(run.start, run.end))


def _meet(one: _Span, other: _Span) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]
