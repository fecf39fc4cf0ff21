"""One cause is one finding: marks that one change made, and what they mean together."""

from collections.abc import Callable, Iterable, Sequence

from consistency_bot.align.renames import flat
from consistency_bot.judge.elsewhere import Elsewhere
from consistency_bot.judge.event_loop import is_about_tasks
from consistency_bot.judge.marks import Mark
from consistency_bot.judge.pools import slot_of
from consistency_bot.judge.versions import Version
from consistency_bot.judge.words import Words
from consistency_bot.model import Verdict
from consistency_bot.syntax import UNPARSED, Terms

_FEATURE_UNITS = 12
_FEATURE_NAMES = 4
"""A feature shows itself by at least so many new names over at least so many units."""

_COPY = 0.9
"""In functions that agreed so far at base nothing is a feature of one side: they are copies of each other."""

_REACH = 6
_SHARE = 2 / 3
"""Of so many kept units before and after an addition so large a share has to stand on the other side too, and of the
other parts of one statement (a call's other arguments) likewise."""

_OF_THE_PART = frozenset({"parameter", "default", "decorator", "base class"})
"""Units that belong to the definition itself: where it has a counterpart they are owed there."""


class Cause:
    """Marks that one change made. `new_names` are those that the change is the first to use, or the last."""

    def __init__(self, marks: list[Mark], new_names: list[set[str]], elsewhere: Elsewhere) -> None:
        self.marks = marks
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
        """The mark that speaks for all."""
        return (self.gone or self.marks)[0]

    @property
    def verdict(self) -> Verdict:
        """What it means for this change."""
        if not self.gone and (self.is_feature or not any(is_owed(mark, self._elsewhere) for mark in self.marks)):
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
    return [Cause([marks[i] for i in group], [names[i] for i in group], elsewhere) for group in groups.values()]


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


def is_owed(mark: Mark, elsewhere: Elsewhere) -> bool:
    """Whether an addition has its place on the other side.

    A neighbour that was kept stands there too, most of what is near does, and what guards it guards there likewise.
    Both neighbours would be too much to ask (of 72 drifts in nine repositories, 85 % instead of 89 % were found).
    """
    if mark.unit.concept in _OF_THE_PART:
        return True
    if is_about_tasks(mark):
        return False
    hunk, half = mark.hunk, mark.half
    if hunk is None:
        return False
    head = half.head

    def stands(index: int) -> bool:
        return mark.part.opposite(half, index) is not None or elsewhere.spot_of(mark, index) is not None

    mates = [index for index in head.units_of(mark.unit.statement) if index not in half.at_head]
    if mates:
        return sum(stands(index) for index in mates) >= max(1, _SHARE * len(mates))
    if _wraps_what_stands(mark, head, stands) or _adjusts_what_is_shared(mark):
        return True
    if hunk.low0 != hunk.high0 or not _is_guarded_alike(mark, head, stands):
        return False
    before, after = hunk.low1 - 1, hunk.high1
    if not (before < 0 or stands(before) or after >= len(head.keys) or stands(after)):
        return False
    near = [i for i in range(max(0, before + 1 - _REACH), before + 1) if i not in half.at_head]
    near += [i for i in range(after, min(len(head.keys), after + _REACH)) if i not in half.at_head]
    return sum(stands(i) for i in near) >= _SHARE * len(near)


def _adjusts_what_is_shared(mark: Mark) -> bool:
    """Whether it adjusts an attribute that the other side adjusts too: `self.size *= n` beside `self.size //= ranks`."""
    if mark.unit.concept != "augmented assignment":
        return False
    target = _target_of(mark.terms)
    if len(target) < 2:
        return False
    units = zip(mark.other.head.units, mark.other.head.keys, strict=True)
    return any(unit.concept == "augmented assignment" and _target_of(key) == target for unit, key in units)


def _target_of(terms: Terms) -> Terms:
    """What stands before the operator of an augmented assignment."""
    for index, token in enumerate(terms):
        if isinstance(token, str) and len(token) > 1 and token[-1] == "=" and not token[0].isidentifier():
            return terms[:index]
    return ()


def _wraps_what_stands(mark: Mark, head: Version, stands: Callable[[int], bool]) -> bool:
    """Whether all that is new is the head of a block whose kept statements stand on the other side."""
    hunk = mark.hunk
    units = head.units_of(mark.unit.statement)
    if hunk is None or (hunk.low0, hunk.low1, hunk.high1) != (hunk.high0, units.start, units.stop):
        return False
    inner = [
        index
        for number, statement in enumerate(head.statements)
        if statement.parent == mark.unit.statement
        for index in head.units_of(number)
        if index not in mark.half.at_head
    ]
    return bool(inner) and all(stands(index) for index in inner)


def _is_guarded_alike(mark: Mark, head: Version, stands: Callable[[int], bool]) -> bool:
    """Whether the nearest kept statement around the unit stands on the other side; true at the top of a body."""
    parent = head.statements[mark.unit.statement].parent
    while parent >= 0:
        units = head.units_of(parent)
        if any(index not in mark.half.at_head for index in units):
            return any(stands(index) for index in units)
        parent = head.statements[parent].parent
    return True
