"""A definition with calls of functions of its own side put back: what was moved into a helper stands where it was."""

from collections.abc import Callable, Container, Mapping, Sequence
from functools import cached_property

import msgspec

from consistency_bot.align.renames import flat
from consistency_bot.align.variables import bindings
from consistency_bot.judge.call_sites import CallSite, call_site
from consistency_bot.judge.callees import Callee, Reading, callee_of
from consistency_bot.judge.nested_functions import ending_at, ends_of, nested_in
from consistency_bot.judge.versions import names_called
from consistency_bot.syntax import Definition, Statement, Terms, Unit

_DEEPEST = 4
"""So many calls inside each other are put back."""

_LONGEST = 2_000
"""A definition that has more statements with calls put back is not read so."""

Find = Callable[[CallSite, Definition], Definition | None]
"""The function of a side that a call in a definition means; None where nobody can tell."""


class Expanded(msgspec.Struct, frozen=True, eq=False):
    """`definition` with calls put back. `made_of` are its statements that were made of each statement of what was read.

    `read` are the functions whose calls were put back, by the statement that calls them; nested ones are left out.
    """

    definition: Definition
    made_of: Mapping[int, Sequence[int]]
    read: Mapping[int, frozenset[Definition]]


class _TooLong(Exception):
    """With calls put back it is longer than anybody reads."""


def expanded(
    definition: Definition, find: Find, names: frozenset[str], inner: frozenset[str]
) -> tuple[Expanded | None, frozenset[str]]:
    """The definition with all calls of some functions put back, and the names of those of which one cannot be.

    None where no call is put back. `inner` are the names of functions whose calls are put back inside of what was put
    back, as far as they can be.
    """
    undecided: frozenset[str] = frozenset()
    while names and any(name.removeprefix(".").encode() in definition.text for name in names):
        expansion = _Expansion(definition, find, names, inner)
        try:
            expansion.run()
        except _TooLong:
            return None, undecided | names
        if not expansion.undecided:
            return expansion.result, undecided
        names -= expansion.undecided
        undecided |= expansion.undecided
    return None, undecided


class Call(msgspec.Struct, frozen=True, eq=False):
    """A call that can be put back; `nested` are the statements of the nested function that it calls."""

    site: CallSite
    callee: Callee
    reading: Reading
    definition: Definition | None
    nested: frozenset[int]

    @property
    def last(self) -> frozenset[int]:
        """The last statement of the nested function, which gives a value to the statement of the call."""
        return frozenset({max(self.nested)}) if self.nested and self.site.is_inline else frozenset()


class _At(msgspec.Struct, frozen=True, eq=False):
    """Where a statement is to be put: under which one, whether in its `else`, what it was made of, inside of which calls."""

    parent: int
    is_otherwise: bool
    origin: frozenset[int]
    inside: tuple[str, ...] = ()


class _Expansion:
    """One definition in the making."""

    def __init__(self, definition: Definition, find: Find, names: frozenset[str], inner: frozenset[str]) -> None:
        self._definition = definition
        self._find = find
        self._names, self._inner = names, inner
        self._nested = nested_in(definition.statements, names)
        self._out: list[Statement] = []
        self._made_of: dict[int, list[int]] = {}
        self._read: dict[int, frozenset[Definition]] = {}
        self.undecided: set[str] = set()

    @property
    def result(self) -> Expanded | None:
        """What came of it; None where no call was put back."""
        return Expanded(self._definition.saying(self._out), self._made_of, self._read) if self._read else None

    def run(self) -> None:
        """Puts every statement but those of nested functions, which are read where they are called."""
        statements = self._definition.statements
        nested = {index for span in self._nested.values() for index in span}
        moved: dict[int, int] = {}
        for index, each in enumerate(statements):
            if index not in nested:
                parent, origin = moved.get(each.parent, -1), frozenset({index})
                at = _At(parent, each.is_otherwise, origin)
                moved[index] = self._put(each, each.units, at)

    @cached_property
    def _around(self) -> frozenset[str]:
        return frozenset(token for unit in self._definition.units for token in flat(unit.terms))

    @cached_property
    def _ends(self) -> Container[int]:
        return ends_of(self._definition.statements)

    @cached_property
    def _bound(self) -> Container[str]:
        return bindings((unit, unit.terms) for unit in self._definition.units)

    def _put(self, statement: Statement, units: Sequence[Unit], at: _At) -> int:
        """Puts a statement, with calls in it put back; the index of what stands for it."""
        for name in self._called_in(units, at):
            call = self._call_of(call_site(units, statement.raw, name), at)
            if call is not None:
                return self._splice(statement, call, at)
            if not at.inside:
                self.undecided.add(name)
        return self._append(statement, units, at)

    def _called_in(self, units: Sequence[Unit], at: _At) -> list[str]:
        """The functions to be put back that a statement calls, without those that it came from."""
        if len(at.inside) >= _DEEPEST:
            return []
        names = self._names
        if at.inside:
            names = self._inner
        elif all(self._names.isdisjoint(flat(unit.terms)) for unit in units):
            return []
        called = dict.fromkeys(name for unit in units for name in names_called(unit))
        return [name for name in called if name in names and name not in at.inside]

    def _call_of(self, site: CallSite | None, at: _At) -> Call | None:
        """What a call says; None where it cannot be told."""
        if site is None:
            return None
        span = self._nested.get(site.name) if not site.receiver and not at.inside else None
        if span is not None:
            definition = None
            callee = Callee([self._definition.statements[index] for index in span[1:]], span[1])
        else:
            definition = self._find(site, self._definition)
            if definition is None or definition is self._definition:
                return None
            callee = callee_of(definition)
        if span is None and not callee.names_nothing_of(self._bound):
            return None
        passed = callee.bound(site) if callee.can_be_read_at(site) else None
        if passed is None:
            return None
        reading = Reading(callee, site, passed, lambda: self._around)
        if site.is_inline and reading.value is None:
            return None
        return Call(site, callee, reading, definition, frozenset(span or ()))

    def _splice(self, statement: Statement, call: Call, at: _At) -> int:
        """Puts what a call says, and behind it what else its statement does; the index of the last of it."""
        site, callee, reading = call.site, call.callee, call.reading
        inside = (*at.inside, site.token)
        ending = ""
        for origin in at.origin:
            known = self._read.get(origin, frozenset())
            self._read[origin] = known | {call.definition} if call.definition is not None else known
        if not at.inside:
            ending = ending_at(self._definition.statements, min(at.origin), self._ends)
        index = at.parent
        for terms in reading.given:
            index = self._append(statement, [_unit("assignment", terms, statement)], at)
        places: dict[int, int] = {}
        for number, each in enumerate(callee.body[:-1] if site.is_inline else callee.body):
            parent = callee.parent_of(number)
            where = _At(
                places.get(parent, at.parent),
                each.is_otherwise or (parent < 0 and at.is_otherwise),
                at.origin | ({callee.first + number} & call.nested),
                inside=inside,
            )
            units = list(reading.units_of(number, ending))
            index = places[number] = self._put(each, units, where)
        if site.is_returned and reading.goes_on and not ending:
            index = self._append(statement, [_unit("return", ("return", "None"), statement)], at)
        rest = list(reading.rest)
        around = _At(at.parent, at.is_otherwise, at.origin | call.last, inside)
        return self._put(statement, rest, around) if rest or site.is_inline else index

    def _append(self, statement: Statement, units: Sequence[Unit], at: _At) -> int:
        if len(self._out) > _LONGEST:
            raise _TooLong
        index = len(self._out)
        for each in at.origin:
            self._made_of.setdefault(each, []).append(index)
        if units is statement.units and at.parent == statement.parent and index in at.origin:
            self._out.append(statement)  # nothing was put back before it
            return index
        own = [Unit(each.concept, each.terms, each.line, each.end_line, index) for each in units]
        self._out.append(Statement(statement.line, statement.end_line, at.parent, statement.raw, own, at.is_otherwise))
        return index


def _unit(concept: str, terms: Terms, statement: Statement) -> Unit:
    return Unit(concept, terms, statement.line, statement.end_line, 0)
