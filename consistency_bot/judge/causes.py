"""One cause is one finding: marks that one change made, and what they mean together."""

import re
from collections.abc import Iterable, Sequence

from consistency_bot.align.renames import core, flat
from consistency_bot.judge.marks import Mark
from consistency_bot.judge.versions import Version
from consistency_bot.model import Verdict
from consistency_bot.syntax import Unit

_WORD = re.compile(r"[^\W\d]\w*")
_FEATURE_UNITS = 3
"""A feature shows itself by new names in at least so many units."""

_OF_THE_PART = frozenset({"parameter", "default", "decorator", "base class"})
"""Units that belong to the definition itself: where it has a counterpart they are owed there."""


class Words:
    """The words that both sides know already, to tell what a change is the first to name."""

    def __init__(self, at_base: dict[str, frozenset[bytes]], at_head: dict[str, frozenset[bytes]]) -> None:
        self._at_base = at_base
        self._at_head = at_head

    def new_names(self, mark: Mark) -> set[str]:
        """Names in the unit that its side gained, or lost, by this change and that the other side does not know."""
        mine, theirs = mark.half.side.name, mark.other.side.name
        names = names_of(mark.unit)
        own = self._at_head[mine] if mark.is_gone else self._at_base[mine]
        other = self._at_head[theirs] if not mark.is_gone else frozenset()
        return {name for name in names if name.encode() not in own and name.encode() not in other}


def names_of(unit: Unit) -> set[str]:
    """The bare names in a unit, those inside string constants included."""
    names: set[str] = set()
    for token in flat(unit.terms):
        bare = core(token)
        if bare:
            names.add(bare)
        elif token[0] == "'":
            names.update(_WORD.findall(token))
    return names


class Cause:
    """Marks that one change made. `new_names` are those that the change is the first to use, or the last."""

    def __init__(self, marks: list[Mark], new_names: list[set[str]]) -> None:
        self.marks = marks
        self.gone = [mark for mark in marks if mark.is_gone]
        self._novel = sum(1 for names in new_names if names)
        self._names = len(set().union(*new_names))

    @property
    def is_feature(self) -> bool:
        """Whether it brings something of its own: names new to both sides over several units."""
        import os
        N, M = map(int, os.environ.get("FEAT", "12,4").split(","))
        return not self.gone and self._novel >= N and self._names >= M and 2 * self._novel >= len(self.marks)

    @property
    def lead(self) -> Mark:
        """The mark that speaks for all."""
        return (self.gone or self.marks)[0]

    @property
    def verdict(self) -> Verdict:
        """What it means for this change."""
        if not self.gone and (self.is_feature or not any(is_owed(mark) for mark in self.marks)):
            return "one_sided"
        return "diverged" if any(mark.verdict == "diverged" for mark in self.marks) else "missed"


def causes_of(marks: Sequence[Mark], words: Words) -> list[Cause]:
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
    return [Cause([marks[i] for i in group], [names[i] for i in group]) for group in groups.values()]


def _links(mark: Mark, names: Iterable[str]) -> Iterable[object]:
    yield (mark.part.number, mark.half.side.name, id(mark.hunk))
    for name in names:
        yield (mark.half.side.name, name)
    if len(mark.terms) > 3:
        yield (mark.half.side.name, mark.is_gone, mark.terms)


def is_owed(mark: Mark) -> bool:
    """Whether an addition has its place on the other side: what was kept around it stands there too."""
    if mark.unit.concept in _OF_THE_PART:
        return True
    hunk, half = mark.hunk, mark.half
    if hunk is None:
        return False
    head = half.head

    def stands(index: int) -> bool:
        return mark.part.opposite(half, index) is not None

    import os
    share, reach, mate_share = (float(x) for x in os.environ.get("LOC", "0.75,6,0.67").split(","))
    mates = [index for index in head.units_of(mark.unit.statement) if index not in half.at_head]
    if mates:
        return sum(stands(index) for index in mates) > mate_share * len(mates) - 1e-9 and any(stands(index) for index in mates)
    if hunk.low0 != hunk.high0 or not _is_guarded_alike(mark, head, stands):
        return False
    before, after = hunk.low1 - 1, hunk.high1
    if not ((before < 0 or stands(before)) and (after >= len(head.keys) or stands(after))):
        return False
    near = [i for i in range(max(0, before + 1 - int(reach)), before + 1) if i not in half.at_head]
    near += [i for i in range(after, min(len(head.keys), after + int(reach))) if i not in half.at_head]
    return sum(stands(i) for i in near) >= share * len(near)


def _is_guarded_alike(mark: Mark, head: Version, stands: object) -> bool:
    """Whether the nearest kept statement around the unit stands on the other side; true at the top of a body."""
    parent = head.statements[mark.unit.statement].parent
    while parent >= 0:
        units = head.units_of(parent)
        if any(index not in mark.half.at_head for index in units):
            return any(stands(index) for index in units)  # type: ignore[operator]
        parent = head.statements[parent].parent
    return True
