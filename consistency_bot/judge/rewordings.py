"""Ways to say the same thing that change units on one side only: each its own small rule."""

from collections import Counter
from collections.abc import Sequence

from consistency_bot.align.renames import core, flat
from consistency_bot.judge.marks import CONDITIONS, Mark
from consistency_bot.judge.pools import weight
from consistency_bot.judge.versions import Half, Version
from consistency_bot.syntax import Terms

_SAYS_ENOUGH = 4
"""A value of fewer tokens (`f()`) is too little to be recognised in other words."""

_EXITS = frozenset({"return", "continue", "break"})


def without_rewordings(marks: Sequence[Mark]) -> list[Mark]:
    """The marks that are no mere rewording: a result that got a name, a condition turned round before an early exit."""
    groups: dict[tuple[int, str], list[Mark]] = {}
    for mark in marks:
        groups.setdefault((mark.part.number, mark.half.side.name), []).append(mark)
    excused: set[int] = set()
    for group in groups.values():
        gone = [mark for mark in group if mark.is_gone]
        came = [mark for mark in group if not mark.is_gone]
        named = {mark.terms[2:]: mark for mark in came if _names_a_result(mark)}
        excused.update(id(mark) for mark in named.values())
        excused.update(id(mark) for mark in gone if _result_of(mark.terms) in named)
        turned = _Turned(came)
        for mark in gone:
            excused.update(id(each) for each in turned.by(mark))
        exits = [mark for mark in group if mark.unit.concept in _EXITS]
        if exits and _stand_for_else(exits[0].half, exits[0].is_gone):
            excused.update(id(mark) for mark in exits if mark.is_gone == exits[0].is_gone)
    return [mark for mark in marks if id(mark) not in excused]


def _names_a_result(mark: Mark) -> bool:
    """Whether `result = f(x)` only gives a new name to what `f(x)` or `return f(x)` was on this side."""
    name, value = mark.terms[0], mark.terms[2:]
    if mark.terms[1:2] != ("=",) or not isinstance(name, str) or core(name) != name or weight(value) < _SAYS_ENOUGH:
        return False
    base, head = mark.half.base, mark.half.head
    was = any(base.count(terms) > head.count(terms) for terms in (value, ("return", *value)))
    return was and name not in base.bound


def _result_of(terms: Terms) -> Terms:
    return terms[1:] if terms[0] == "return" else terms


def _stand_for_else(half: Half, is_gone: bool) -> bool:
    """Whether branches leave now where the rest was an `else` before, or the other way round."""
    before, after = _otherwise(half.base), _otherwise(half.head)
    more, fewer = (after, before) if is_gone else (before, after)
    return any(
        count > fewer[terms] and half.base.count(terms) == half.head.count(terms) for terms, count in more.items()
    )


def _otherwise(version: Version) -> Counter[Terms]:
    """What stands in an `else` or is a later condition of a chain, and how often."""
    out: Counter[Terms] = Counter()
    for number, statement in enumerate(version.statements):
        units = version.units_of(number)
        if statement.is_otherwise and units:
            out[version.keys[units.start]] += 1
    return out


class _Turned:
    """Finds conditions turned round among the additions of one half."""

    def __init__(self, came: Sequence[Mark]) -> None:
        self._by_unit = {id(mark.unit): mark for mark in came}
        self._by_tokens: dict[tuple[str, ...], Mark] = {}
        for mark in came:
            if mark.hunk is not None:
                self._by_tokens.setdefault(_condition(mark), mark)

    def by(self, gone: Mark) -> tuple[Mark, ...]:
        """`if not c: body` became `if c: return`, with what follows as the body: all three marks; else nothing."""
        if gone.unit.concept not in CONDITIONS or gone.hunk is None:
            return ()
        was = _condition(gone)
        turned = self._by_tokens.get(was[1:] if was[:1] == ("not",) else ("not", *was))
        if turned is None:
            return ()
        head = turned.half.head
        inner = [
            index for number in head.inside.get(turned.unit.statement, ())[:2] for index in head.units_of(number)[:2]
        ]
        if len(inner) != 1 or head.units[inner[0]].concept not in _EXITS:
            return ()
        way_out = self._by_unit.get(id(head.units[inner[0]]))
        return (gone, turned, way_out) if way_out is not None else ()


def _condition(mark: Mark) -> tuple[str, ...]:
    """What is asked, without the `if`."""
    return tuple(flat(mark.terms))[1:]
