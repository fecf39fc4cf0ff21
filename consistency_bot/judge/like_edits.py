"""Edits that both sides made alike to what each of them says in its own way: an old difference is no new one.

`q.by_image(limit=n)` here and `q.by_object(limit=n)` there get the same further keyword; two calls with other arguments
lose the same one.
"""

from collections.abc import Iterator, Sequence

from consistency_bot.align.renames import flat
from consistency_bot.align.sequences import opcodes
from consistency_bot.judge.edits import predecessor_of
from consistency_bot.judge.marks import Mark, mates_of
from consistency_bot.judge.pools import weight
from consistency_bot.judge.versions import Half
from consistency_bot.syntax import Terms

_LONGEST = 400
"""Units of more tokens are not compared word by word."""


def without_like_edits(marks: Sequence[Mark]) -> list[Mark]:
    """The marks without those that both sides share but for what told them apart before this change."""
    waiting: dict[object, list[Mark]] = {}
    excused: set[int] = set()
    for mark in marks:
        for key in _keys(mark):
            partners = waiting.setdefault((mark.part.number, id(mark.other), key), [])
            found = next((each for each in partners if id(each) not in excused and _is_like(mark, each)), None)
            if found is not None and id(mark) not in excused:
                excused.update((id(mark), id(found)))
            waiting.setdefault((mark.part.number, id(mark.half), key), []).append(mark)
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
    if calls[0] == calls[1] or _calls(one.half, calls[1]) or _calls(other.half, calls[0]):
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
    return [index for index in units if index != mark.index and base.units[index].concept == "argument"]


def _calls(half: Half, name: object) -> bool:
    """Whether a half passes arguments to a call of this name, before or after."""
    return any(
        unit.concept == "argument" and key[0] == name
        for version in (half.base, half.head)
        for unit, key in zip(version.units, version.keys, strict=True)
    )


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
