"""One cause is one finding: marks that one change made, and what they mean together."""

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

from consistency_bot.align.renames import flat
from consistency_bot.judge.edits import is_carried_over
from consistency_bot.judge.elsewhere import Elsewhere
from consistency_bot.judge.marks import PIECES, Mark
from consistency_bot.judge.owed import is_its_own, is_owed
from consistency_bot.judge.preparing import only_serves
from consistency_bot.judge.versions import slot_of
from consistency_bot.judge.words import Words
from consistency_bot.judge.wrapping import wraps_what_both_say
from consistency_bot.model import Verdict
from consistency_bot.syntax import UNPARSED

_FEATURE_UNITS = 12
_FEATURE_NAMES = 4
"""A feature shows itself by at least so many new names over at least so many units."""

_COPY = 0.9
"""In functions that agreed so far at base nothing is a feature of one side: they are copies of each other."""


class Cause:
    """Marks that one change made. `new_names` are those that the change is the first to use, or the last.

    `told` are the units, by identity, of all marks.
    """

    def __init__(
        self, marks: list[Mark], new_names: list[set[str]], elsewhere: Elsewhere, words: Words, told: Collection[int]
    ) -> None:
        self.marks = marks
        self._told = told
        self._words = words
        self._elsewhere = elsewhere
        self.gone = [mark for mark in marks if mark.is_gone]
        self._novel = sum(1 for names in new_names if names)
        self._names = len(set().union(*new_names))

    @property
    def is_feature(self) -> bool:
        """Whether it brings something of its own: names new to both sides over several units."""
        is_large = self._novel >= _FEATURE_UNITS and self._names >= _FEATURE_NAMES
        is_own = is_large and 2 * self._novel >= len(self.marks)
        return (
            not self.gone and is_own and not all(part.likeness >= _COPY for part in {mark.part for mark in self.marks})
        )

    @property
    def lead(self) -> Mark:
        """The mark that speaks for all: what is gone, else what is owed, and a statement rather than its pieces."""
        telling = [mark for mark in self.marks if not is_carried_over(mark)] or self.marks
        gone = [mark for mark in telling if mark.is_gone]
        ids = {id(mark) for mark in self._owed} if not self.gone else set()
        owed = [mark for mark in telling if id(mark) in ids]
        return min(gone or owed or telling, key=lambda mark: mark.unit.concept in PIECES)

    @cached_property
    def _owed(self) -> list[Mark]:
        """The additions that have their place on the other side; none where they only serve what has none."""
        owed = [mark for mark in self.marks if is_owed(mark, self._elsewhere)]
        if only_serves(owed, self.marks):
            owed = []
        return owed or [
            mark
            for mark in self.marks
            if wraps_what_both_say(mark, self._elsewhere, self._told)
            and self._words.are_known_there(mark)
            and not is_its_own(mark, self._elsewhere)
        ]

    @property
    def verdict(self) -> Verdict:
        """What it means for this change."""
        if not self.gone and (self.is_feature or not self._owed):
            return "one_sided"
        both_moved = len({mark.half.side.name for mark in self.marks if not mark.is_gone}) > 1
        is_diverged = both_moved or any(mark.verdict == "diverged" for mark in self.marks)
        return "diverged" if is_diverged else "missed"


def causes_of(marks: Sequence[Mark], words: Words, elsewhere: Elsewhere) -> list[Cause]:
    """The marks grouped by cause: one hunk, one statement said in several places, or one new name is one cause."""
    parent = list(range(len(marks)))

    def root(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    known: dict[object, int] = {}
    names = [words.new_names(mark) for mark in marks]
    for index, mark in enumerate(marks):
        for key in _links(mark, names[index]):
            other = known.setdefault(key, index)
            parent[root(index)] = root(other)
    groups: dict[int, list[int]] = {}
    for index in range(len(marks)):
        groups.setdefault(root(index), []).append(index)
    told = frozenset(id(mark.unit) for mark in marks)
    return [
        Cause([marks[i] for i in group], [names[i] for i in group], elsewhere, words, told) for group in groups.values()
    ]


def _links(mark: Mark, names: Iterable[str]) -> Iterable[object]:
    yield (mark.part.number, mark.half.side.name, id(mark.hunk))
    for name in names:
        yield (mark.half.side.name, name)
    half = mark.half
    for token in flat(mark.terms) if not mark.is_gone else ():
        if token in half.head.bound and token not in half.base.bound:
            yield (mark.part.number, half.side.name, "variable", token)
    slot = slot_of(mark.terms)
    if slot and mark.unit.concept == "assignment":
        yield (mark.part.number, mark.half.side.name, slot)
    if not mark.is_gone and mark.hunk is not None and mark.part.is_new_place(mark.half, mark.hunk):
        yield (mark.part.number, "place", mark.part.place_of(mark.half, mark.hunk))
    if len(mark.terms) > 3 or mark.unit.concept in UNPARSED:
        yield (mark.half.side.name, mark.is_gone, mark.terms)
