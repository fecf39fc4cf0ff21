"""A second reading of a part, with temporaries put back where they are used.

`n = len(batch)` and then `step(n)` says what `step(len(batch))` says. Only variables that not all four versions have are
put back: where both sides keep their temporaries there is nothing to see through.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from consistency_bot.align.renames import flat
from consistency_bot.judge.in_conditions import conditions_with
from consistency_bot.judge.marks import CONDITIONS, Mark, Part, partings
from consistency_bot.judge.pools import weight
from consistency_bot.judge.versions import Counts, Version
from consistency_bot.syntax import Terms
from consistency_bot.syntax.grouping import with_values

_LONGEST_ALIAS = 12
"""A value of more tokens is a computation, not another name for something."""

_LONGEST = 200
"""A value of more tokens, temporaries put back, stays one: values that double at each step end here."""


_NOWHERE = frozenset[int]()
_CONNECTING = frozenset({"and", "or"})


class Inlined(Counts):
    """One version with some temporaries put back. `statements[i]` are those that `keys[i]` speaks for."""

    def __init__(self, version: Version, names: frozenset[str]) -> None:
        self.statements: list[frozenset[int]] = []
        values = _values(version, names)
        if not values:
            self.places = version.places
            self.statements += [frozenset({unit.statement}) for unit in version.units]
            return
        self.places = {}
        origin = {name: version.units[index].statement for name, (index, _) in values.items()}
        skipped: set[int] = set()
        known: dict[str, tuple[Terms, frozenset[int]]] = {}
        for name, (index, value) in values.items():
            terms, statements = _put_back(value, known)
            if weight(terms) <= _LONGEST:
                known[name] = (terms, statements | {origin[name]})
                skipped.add(index)
        own = [frozenset({index}) for index in range(len(version.statements))]
        for index, key in enumerate(version.keys):
            if index in skipped:
                continue
            unit = version.units[index]
            is_plain = known.keys().isdisjoint(flat(key))  # as nearly everywhere
            for terms, statements in [(key, _NOWHERE)] if is_plain else _said_with(unit.concept, key, known):
                self.places.setdefault(terms, []).append(len(self.statements))
                self.statements.append(own[unit.statement] | statements)


def _said_with(
    concept: str, key: Terms, known: Mapping[str, tuple[Terms, frozenset[int]]]
) -> Iterator[tuple[Terms, frozenset[int]]]:
    """What a unit says with the variables put back; a condition, once for each alternative that a value has."""
    every = [key]
    if concept in CONDITIONS:
        every = conditions_with(key, lambda member: _connected(member, known))
    if every == [key]:
        yield _put_back(key, known)
        return
    origins = _put_back(key, known)[1]
    yield from ((_put_back(each, known)[0], origins) for each in every)


def _connected(member: Terms, known: Mapping[str, tuple[Terms, frozenset[int]]]) -> Terms | None:
    """The value of a variable that is a member of a condition, where `and` or `or` connects something in it."""
    found = known.get(str(member[0])) if len(member) == 1 else None
    return found[0] if found is not None and not _CONNECTING.isdisjoint(found[0]) else None


def _put_back(terms: Terms, known: Mapping[str, tuple[Terms, frozenset[int]]]) -> tuple[Terms, frozenset[int]]:
    """The terms with every known variable replaced by its value, and the statements the values came from."""
    named = known.keys() & flat(terms)
    if not named:
        return terms, _NOWHERE
    values = {name: known[name][0] for name in named}
    return with_values(terms, values), frozenset().union(*(known[name][1] for name in named))


def _values(version: Version, names: frozenset[str]) -> dict[str, tuple[int, Terms]]:
    """{name: (index of its assignment, its value)} of the temporaries that can be put back, in source order."""
    given: list[tuple[str, int, Terms]] = []
    for index, key in enumerate(version.keys):
        name = key[0] if len(key) > 2 and key[1] == "=" else None
        if isinstance(name, str) and name in names and version.bound[name] == 1:
            given.append((name, index, key[2:]))
    uses = Counter(chain.from_iterable(map(flat, version.keys)) if given else ())
    out: dict[str, tuple[int, Terms]] = {}
    for name, index, value in given:
        used = uses[name] - 1
        if used == 1 or (used > 1 and "(" not in value and weight(value) <= _LONGEST_ALIAS):
            out[name] = (index, value)
    return out


def without_temporaries(marks: Sequence[Mark]) -> list[Mark]:
    """The marks that are still there when temporaries which only some versions have are put back."""
    by_part: dict[int, list[Mark]] = {}
    for mark in marks:
        by_part.setdefault(mark.part.number, []).append(mark)
    kept: set[int] = set()
    for group in by_part.values():
        kept.update(id(mark) for mark in _still_there(group[0].part, group))
    return [mark for mark in marks if id(mark) in kept]


def _still_there(part: Part, marks: Sequence[Mark]) -> Sequence[Mark]:
    versions = (part.a.base, part.a.head, part.b.base, part.b.head)
    bound = [frozenset(version.bound) for version in versions]
    names = frozenset().union(*bound) - bound[0].intersection(*bound)
    if not names:
        return marks
    inlined = {each: Inlined(each, names) for each in set(versions)}  # what a side left alone is one version
    a0, a1, b0, b1 = (inlined[version] for version in versions)
    parted: set[tuple[bool, bool, int]] = set()
    for parting in partings(a0, a1, b0, b1):
        version = ((a0, a1), (b0, b1))[not parting.is_a][not parting.is_gone]
        for index in version.places[parting.terms]:
            parted.update((parting.is_a, parting.is_gone, statement) for statement in version.statements[index])
    return [mark for mark in marks if (mark.half is part.a, mark.is_gone, mark.unit.statement) in parted]
