"""Which of the drafted edits are sure, and what is to be said against each of the others.

An edit is sure where this side's change can be followed as a whole, both sides say the same at its place and right
around it, and what is written is this side's own new text, in words that belong to neither side alone.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

from consistency_bot.port.awaiting import calls_in
from consistency_bot.port.changes import Run, row_of
from consistency_bot.port.decisions import Decision
from consistency_bot.port.half import Half
from consistency_bot.port.matching import Matching
from consistency_bot.syntax.source_rows import Row

_LEAST_AROUND = 4
"""Of the six rows around an edit. Where fewer are the same on both sides, authors did it otherwise more often."""

_BESIDE = 4
"""Rows between an edit and a part of the change that the other side has already: nearer ones are one piece of work."""

_TOKEN = re.compile(r"\w+|[^\w\s,'\"]|^(?=.*\S)", re.MULTILINE)
"""A line that starts counts: where a statement is laid out otherwise over there, nobody knows how the new one would be."""
_NAME = re.compile(r"[^\W\d]\w*")
_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
_WAITING = frozenset("async asyncio asynchronous await awaitable coroutine sync synchronous threading anyio".split())
_LEAST_LETTERS = 3
"""Shorter parts of names stand in both files by accident, or in one."""


class Surety:
    """What speaks against the drafted edits of one change. `decisions` are those of all its runs."""

    def __init__(self, matching: Matching, new: Half, decisions: Sequence[Decision]) -> None:
        self._matching, self._new = matching, new
        self._mine, self._theirs = matching.mine, matching.theirs
        self._said = [each.run for each in decisions if each.state == "already there"]
        self._doubts = {each.run: tuple(self._all(each)) for each in decisions if each.edits}

    def doubts(self, decision: Decision) -> tuple[str, ...]:
        """Why the decision's edits may not be called safe, as a person can check it; empty where they may."""
        return self._doubts.get(decision.run, ())

    def is_sure(self, decision: Decision) -> bool:
        """Whether the decision may be called safe, if re-judging finds nothing either.

        What it was asked about may have changed meanwhile: whether what changes the same names is sure too.
        """
        seen = decision.evidence
        return seen.is_exact and seen.is_settled and seen.is_used and not self.doubts(decision)

    def _all(self, decision: Decision) -> Iterator[str]:
        seen = decision.evidence
        if not seen.is_exact:
            yield "the row that it changes says something else there"
        if seen.followed < 1:
            yield "the other side cannot follow all of the change"
        if not seen.is_settled:
            yield "what changes the same names in the function cannot be followed"
        if not seen.is_used:
            yield "nothing else that is written uses the import"
        if seen.adds == "definitions":
            yield "it brings in a function: see its name, and whether it waits (`async`) there"
        # Imports are a set: one that comes as a row of its own is as sure as what uses it, wherever it stands.
        if seen.adds != "imports" or decision.run.start < decision.run.end:
            yield from self._about_the_place(decision)
        yield from self._about_words(decision)

    def _about_the_place(self, decision: Decision) -> Iterator[str]:
        seen = decision.evidence
        if not (seen.is_placed and self._is_close(decision.run)):
            yield "the rows around its place are no neighbours there"
        if seen.around < _LEAST_AROUND:
            yield "few of the rows around it are the same on both sides"
        if any(_distance(decision.run, each) < _BESIDE for each in self._said):
            yield "the other side has a part of the change already, right beside it"

    def _about_words(self, decision: Decision) -> Iterator[str]:
        wanted, got = self._change(decision.run), self._written(decision)
        if self._mine.width is not None and self._theirs.width is not None:
            del wanted[""], got[""]  # a formatter lays out both sides, each as its own words are long
        if wanted != got:
            yield "it does not say the same in both files: see the names that were put in the other side's words"
        written = {word for word, count in got.items() if count > 0 and _NAME.fullmatch(word)}
        own = written & self._own_names or {word for word in written if _parts([word]) & self._own_parts}
        if own:
            yield f"`{min(own)}` belongs to the side that changed: see what the other side calls it"
        is_of_waiting = bool(_parts(written) & _WAITING) or self._calls_new(decision.run, written)
        if self._is_half_waiting and (is_of_waiting or self._adds_prose(decision.run)):
            yield "only one of the sides waits (`await`): see whether this does"

    def _is_close(self, run: Run) -> bool:
        """Whether the rows of a run and those right before and behind it stand in a row over there too."""
        there, rows = self._matching.there, range(run.start - 1, run.end + 1)
        ends = {-1: -1, len(self._mine.rows): len(self._theirs.rows)}
        opposite = [ends[row] if row in ends else there.get(row) for row in rows]
        return all(one is not None and other == one + 1 for one, other in pairwise(opposite))

    def _change(self, run: Run) -> "Counter[str]":
        """The tokens that the run brings, counted below zero where it takes them away."""
        old, new = self._mine, self._new
        out = _tokens(new.text[row.start : row.end] for row in new.rows[run.new_start : run.new_end])
        out.subtract(_tokens(old.text[row.start : row.end] for row in old.rows[run.start : run.end]))
        return _changed(out)

    def _written(self, decision: Decision) -> "Counter[str]":
        """The same of what the decision writes."""
        out = _tokens(edit.text for edit in decision.edits)
        out.subtract(_tokens(self._theirs.text[edit.start : edit.end] for edit in decision.edits))
        return _changed(out)

    @cached_property
    def _own_names(self) -> frozenset[str]:
        return self._mine.words - self._theirs.words

    @cached_property
    def _own_parts(self) -> frozenset[str]:
        """The parts of names that only this side has: a model, a framework, a way of working."""
        return _parts(self._mine.words) - _parts(self._theirs.words)

    @cached_property
    def _is_half_waiting(self) -> bool:
        return any(a.is_async != b.is_async for a, b in self._matching.pairs.items() if a.kind == "function")

    @cached_property
    def _called(self) -> frozenset[str]:
        return _called_in(self._theirs.rows)

    def _adds_prose(self, run: Run) -> bool:
        """Whether it brings lines of a docstring, which may tell how the thing is called."""
        return any(each.old is None and row_of(each, self._mine, self._new).kind == "prose" for each in run.steps)

    def _calls_new(self, run: Run, written: Iterable[str]) -> bool:
        """Whether the run calls by a new name what nothing there calls yet."""
        called = _called_in(self._new.rows[run.new_start : run.new_end])
        return bool(called.intersection(written) - self._called - self._mine.words)


def _called_in(rows: Iterable[Row]) -> frozenset[str]:
    """The names that code calls."""
    return frozenset(row.words[index] for row in rows if row.kind == "code" for index in calls_in(row.words))


def _distance(one: Run, other: Run) -> int:
    """How many rows are between two runs; 0 for those that touch."""
    return max(other.start - one.end, one.start - other.end, 0)


def _tokens(texts: Iterable[str]) -> "Counter[str]":
    return Counter(token for text in texts for token in _TOKEN.findall(text))


def _changed(counts: "Counter[str]") -> "Counter[str]":
    return Counter({token: count for token, count in counts.items() if count})


def _parts(words: Iterable[str]) -> frozenset[str]:
    """What the names are made of, in small letters: `flask` and `app` of `FlaskApp`."""
    found = (part for word in words for part in _PART.findall(word))
    return frozenset(part.lower() for part in found if len(part) >= _LEAST_LETTERS)
