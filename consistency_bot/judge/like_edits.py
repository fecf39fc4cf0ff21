"""Edits that both sides made alike to what each of them says in its own way: an old difference is no new one.

`q.by_image(limit=n)` here and `q.by_object(limit=n)` there get the same further keyword; two calls with other arguments
lose the same one.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice

from consistency_bot.align.renames import flat
from consistency_bot.align.sequences import opcodes
from consistency_bot.judge.edits import predecessor_of
from consistency_bot.judge.marks import Mark, mates_of
from consistency_bot.judge.pools import weight
from consistency_bot.judge.versions import Half
from consistency_bot.syntax import Terms, Token

_LONGEST = 400
"""Units of more tokens are not compared word by word."""

_LOOKED_AT = 100
"""So many edits of the other side that may be the same one, and other arguments of a call, are looked at."""


def without_like_edits(marks: Sequence[Mark]) -> list[Mark]:
    """The marks without those that both sides share but for what told them apart before this change."""
    waiting: dict[object, deque[Mark]] = {}
    excused: set[int] = set()
    for mark in marks:
        keys = list(_keys(mark))
        for key in keys:
            partners = waiting.get((mark.part.number, id(mark.other), key), deque())
            while partners and id(partners[0]) in excused:
                partners.popleft()
            near = islice(partners, _LOOKED_AT)
            found = next((each for each in near if id(each) not in excused and _is_like(mark, each)), None)
            if found is not None:
                excused.update((id(mark), id(found)))
                break
        for key in keys if id(mark) not in excused else ():
            waiting.setdefault((mark.part.number, id(mark.half), key), deque()).append(mark)
    return [mark for mark in marks if id(mark) not in excused]


def _keys(mark: Mark) -> Iterator[object]:
    """What the mark of the other side has to share."""
    if mark.unit.concept == "argument":
        yield mark.is_gone, mark.terms[1:]
    edit = _edit_of(mark)
    if edit:
        yield mark.unit.concept, edit


def _is_like(one: Mark, other: Mark) -> bool:
    """Whether each was made to something of its own; for an argument, in calls that are alike but for their names."""
    if one.unit.concept != "argument":
        return True
    calls = one.terms[0], other.terms[0]
    if calls[0] == calls[1] or _passes_to(one.half, calls[1]) or _passes_to(other.half, calls[0]):
        return False
    mine, theirs = ({_version_keys(each)[index][1:] for index in _mates(each)} for each in (one, other))
    return not mine.isdisjoint(theirs)


def _version_keys(mark: Mark) -> Sequence[Terms]:
    return (mark.half.base if mark.is_gone else mark.half.head).keys


def _mates(mark: Mark) -> list[int]:
    """The other arguments of its statement, at the revision that the mark stands in."""
    if not mark.is_gone:
        return [index for index in mates_of(mark) if mark.half.head.units[index].concept == "argument"]
    base = mark.half.base
    units = base.units_of(mark.unit.statement)
    units = range(max(units.start, mark.index - _LOOKED_AT), min(units.stop, mark.index + _LOOKED_AT + 1))
    return [index for index in units if index != mark.index and base.units[index].concept == "argument"]


def _passes_to(half: Half, name: Token) -> bool:
    """Whether a half passes arguments to a call of this name, before or after."""
    return name in half.base.callees or name in half.head.callees


def _edit_of(mark: Mark) -> tuple[object, ...]:
    """How the unit became what it is, words that went and words that came.

    Empty where it is no changed one, where the other side said it too before, or where little of it stayed.
    """
    was = predecessor_of(mark)
    if was is None or weight(mark.terms) > _LONGEST or mark.other.base.count(mark.half.base.keys[was]):
        return ()
    before, after = flat(mark.half.base.keys[was]), flat(mark.terms)
    codes = [code for code in opcodes(before, after) if code[0] != "equal"]
    if len(codes) == 0 or len(before) + len(after) <= 2 * sum(i2 - i1 + j2 - j1 for _, i1, i2, j1, j2 in codes):
        return ()
    return tuple((tuple(before[i1:i2]), tuple(after[j1:j2])) for _, i1, i2, j1, j2 in codes)
