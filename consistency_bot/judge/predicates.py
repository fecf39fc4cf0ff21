"""Conditions that only got a name: `if r.status >= 500` says what `if self._failed(r)` says with a new `_failed`.

The call is put back: what the new function returns stands where it is called, what is passed where it says the parameter.
Only what then is word for word the condition that went has not changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from consistency_bot.align.renames import core, flat
from consistency_bot.judge.in_conditions import conditions_with
from consistency_bot.judge.marks import CONDITIONS, Mark, Part
from consistency_bot.judge.versions import Half, Version
from consistency_bot.syntax import Definition, Terms
from consistency_bot.syntax.grouping import with_values

_OWNERS = frozenset({"self", "cls"})
_IS_READ = frozenset({("@", "property"), ("@", "cached_property")})
"""How a method is decorated that is read like an attribute."""

_SAYS_HOW_IT_IS_CALLED = frozenset({("@", "staticmethod"), ("@", "classmethod")}) | _IS_READ
"""Any other decorator may make something else of it."""

_Call = Terms
"""What stands before the `(` of a call, in the words of the terms."""


class Predicate:
    """A function that does nothing but return a value: its parameters, in order, and that value."""

    __slots__ = ("definition", "is_read", "parameters", "value")

    def __init__(self, definition: Definition, parameters: Sequence[str], value: Terms, is_read: bool) -> None:
        self.definition = definition
        self.is_read = is_read
        self.parameters = parameters
        self.value = value

    def given(self, passed: Sequence[Terms], local: frozenset[str]) -> Terms | None:
        """The value with what is passed in the parameters' places; None where it would not mean the same.

        `local` are the variables around the call: a name of the value that is one of them means another thing there.
        """
        if len(passed) != len(self.parameters):
            return None
        known = dict(zip(self.parameters, passed, strict=True))
        names = {core(token) for token in flat(self.value) if core(token) == token}
        return None if names & local - known.keys() - _OWNERS else with_values(self.value, known)


def without_predicates(marks: Sequence[Mark], parts: Sequence[Part]) -> list[Mark]:
    """The marks without conditions that went into a new function of their side, and without the calls of that one."""
    tests = [mark for mark in marks if mark.unit.concept in CONDITIONS]
    movers = {id(mark.half) for mark in tests if mark.is_gone}
    came = [mark for mark in tests if not mark.is_gone and id(mark.half) in movers]
    if not came:
        return list(marks)
    known = {name: _predicates_of(name, parts) for name in {mark.half.side.name for mark in came}}
    gone: dict[object, list[Mark]] = {}
    for mark in (each for each in tests if each.is_gone):
        gone.setdefault((id(mark.half), mark.unit.concept, mark.terms), []).append(mark)
    explained: set[int] = set()
    for mark in came:
        value_of = partial(_value_of, half=mark.half, predicates=known[mark.half.side.name])
        keys = [(id(mark.half), mark.unit.concept, said) for said in conditions_with(mark.terms, value_of) if said]
        if keys and all(gone.get(key) for key in keys):
            explained.update((id(mark), *(id(gone[key].pop()) for key in dict.fromkeys(keys))))
    return [mark for mark in marks if id(mark) not in explained]


def _predicates_of(side: str, parts: Sequence[Part]) -> dict[_Call, Predicate]:
    """The new functions of a side that are predicates, by what calls them."""
    out: dict[_Call, Predicate] = {}
    for half in (half for part in parts for half in (part.a, part.b)):
        definition = half.head.definition
        if half.side.name != side or half.base.definition is not None or definition is None:
            continue
        found = _predicate(definition, half.head)
        if found is not None and definition.owner:
            out.update({(owner, f".{definition.name}"): found for owner in _OWNERS})
        elif found is not None:
            out[(definition.name,)] = found
    return out


def _predicate(definition: Definition, version: Version) -> Predicate | None:
    if definition.kind != "function" or definition.is_async:
        return None
    both = zip(version.units, version.keys, strict=True)
    said = [(unit, key) for unit, key in both if key not in _SAYS_HOW_IT_IS_CALLED]
    parameters = [key[1] for unit, key in said if unit.concept == "parameter" and len(key) == 3]
    rest = [(unit.concept, key) for unit, key in said if unit.concept != "parameter"]
    if len(rest) != 1 or rest[0][0] != "return" or len(parameters) + 1 != len(said):
        return None
    is_read = any(key in _IS_READ for key in version.keys)
    return Predicate(definition, [each for each in parameters if isinstance(each, str)], rest[0][1][1:], is_read)


def _value_of(terms: Terms, half: Half, predicates: Mapping[_Call, Predicate]) -> Terms | None:
    """What a call of a predicate returns, where the terms are nothing but this call."""
    start = terms.index("(") if "(" in terms and terms[-1] == ")" else len(terms)
    found = predicates.get(terms[:start])
    here = half.head.definition
    if found is None or here is None or found.definition.owner not in ("", here.owner):
        return None
    if found.is_read != (start == len(terms)):
        return None
    passed = list(_passed(terms[start + 1 : -1]))
    return found.given(passed, frozenset(half.head.bound)) if all(passed) else None


def _passed(terms: Terms) -> Iterator[Terms]:
    """What is passed, each a name or an attribute of one; empty for anything else."""
    start = 0
    for index, token in enumerate(terms):
        if token == ",":
            each = terms[start:index]
            yield each if all(isinstance(part, str) and core(part) for part in each) else ()
            start = index + 1
    if start != len(terms):
        yield ()
