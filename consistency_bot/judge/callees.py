"""A function that can be read where it is called: its parameters, and its statements with a call's values in their places."""

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import chain

from consistency_bot.align.renames import core, flat
from consistency_bot.align.variables import bindings
from consistency_bot.judge.call_sites import CallSite, elements_of, with_call_replaced
from consistency_bot.judge.in_conditions import conditions_with
from consistency_bot.judge.marks import CONDITIONS
from consistency_bot.judge.pools import weight
from consistency_bot.syntax import Definition, Statement, Terms, Unit
from consistency_bot.syntax.grouping import with_values

_OWNERS = frozenset({"self", "cls"})
_SAYS_HOW_IT_IS_CALLED = frozenset({b"@staticmethod", b"@classmethod"})
"""Any other decorator may make something else of it."""

_KEYWORDS_ONLY = ((b"(*,", b"("), (b",*,", b","), (b",/,", b","), (b",/)", b")"))
_LONGEST_VALUE = 12
"""A value of more tokens is a computation, and not written in several places."""

_BODYLESS = frozenset({"docstring", "comment"})


class Callee:
    """A function by its statements, decorators and signature first; `at` is the number of the first one of them."""

    def __init__(
        self, statements: Sequence[Statement], at: int, is_method: bool = False, is_async: bool = False
    ) -> None:
        signature = next((at for at, each in enumerate(statements) if each.raw[:1] == b"("), len(statements) - 1)
        self._decorators = {each.raw for each in statements[:signature]}
        self._signature = statements[signature].raw
        units = statements[signature].units
        self.parameters = [str(unit.terms[1]) for unit in units if unit.concept == "parameter"]
        self._defaults = {str(unit.terms[1]): unit.terms[3:-1] for unit in units if unit.concept == "default"}
        self.body = statements[signature + 1 :]
        self.first = at + signature + 1
        self.inner = frozenset(self._inner())
        self._is_method = is_method
        self._is_async = is_async

    def can_be_read_at(self, site: CallSite) -> bool:
        """Whether a call says no more and no less than the body, and binds the parameters one by one."""
        if self._is_async and not re.search(rb"await[\w.]*\b" + site.name.encode() + rb"\(", site.raw):
            return False
        raw = self._signature
        for with_separator, without in _KEYWORDS_ONLY:
            raw = raw.replace(with_separator, without)
        if b"*" in raw or not self._decorators <= _SAYS_HOW_IT_IS_CALLED:
            return False
        units = [unit for each in self.body for unit in each.units]
        return any(unit.concept not in _BODYLESS for unit in units) and not any(
            "yield" in flat(unit.terms) for unit in units
        )

    def names_nothing_of(self, around: Container[str]) -> bool:
        """Whether no name of its body that it does not bind is one that the caller gives a meaning of its own."""
        units = [unit for each in self.body for unit in each.units]
        own = bindings((unit, unit.terms) for unit in units).keys() | set(self.parameters) | _OWNERS
        named = {token for unit in units for token in flat(unit.terms) if core(token) == token}
        return not any(token in around for token in named - own)

    def parent_of(self, index: int) -> int:
        """The index in the body of the statement around one of it; -1 at the top."""
        return max(-1, self.body[index].parent - self.first)

    def _inner(self) -> Iterator[int]:
        """The indices in the body of what stands in functions that are defined there."""
        inner: set[int] = set()
        for index in range(len(self.body)):
            parent = self.parent_of(index)
            if parent in inner or (parent >= 0 and _defines(self.body[parent])):
                inner.add(index)
                yield index

    def bound(self, site: CallSite) -> dict[str, Terms] | None:
        """{parameter: what a call passes for it, its default where nothing}; None where it cannot be told."""
        parameters = list(self.parameters)
        out: dict[str, Terms] = {}
        owner = next(
            (each for each in _OWNERS if self._signature.startswith((f"({each},".encode(), f"({each})".encode()))), ""
        )
        if owner and not self._is_method:
            parameters.insert(0, owner)
        elif owner and site.receiver:
            out[owner] = site.receiver if site.receiver[:-1] or site.receiver[0] not in _OWNERS else (owner,)
        if len(site.passed) > len(parameters):
            return None
        given = dict(zip(parameters, site.passed, strict=False))
        if given.keys() & site.named.keys() or not site.named.keys() <= set(parameters):
            return None
        given |= site.named
        for each in parameters:
            value = given.get(each, self._defaults.get(each))
            if not value:
                return None
            out[each] = value
        return out


def callee_of(definition: Definition) -> Callee:
    """A function of a file."""
    return Callee(definition.statements, 0, bool(definition.owner), definition.is_async)


class Reading:
    """The body of a function as one call of it says it. `around` gives the names that the caller uses."""

    def __init__(
        self, callee: Callee, site: CallSite, passed: Mapping[str, Terms], around: Callable[[], Container[str]]
    ) -> None:
        self._callee = callee
        self._site = site
        self._units = [unit for each in callee.body for unit in each.units]
        self._own = frozenset(bindings((unit, unit.terms) for unit in self._units))
        self._returns = [
            unit
            for index, each in enumerate(callee.body)
            for unit in each.units
            if unit.concept == "return" and index not in callee.inner
        ]
        self.given: list[Terms] = []
        self._known = self._results(passed) if site.targets else {}
        self._pass(passed, around)

    def _results(self, passed: Mapping[str, Terms]) -> dict[str, Terms]:
        """{variable of the function: what the caller calls it} of what it returns, and does not call so already."""
        out: dict[str, Terms] = {}
        targets = elements_of(self._site.targets[0])
        for values in (elements_of(unit.terms[1:]) for unit in self._returns):
            if len(values) != len(targets):
                return {}
            for value, target in zip(values, targets, strict=True):
                if not _is_variable(value) or not _is_variable(target):
                    continue
                name = str(value[0])
                is_own = name in self._own if name not in passed else passed[name] == target
                if is_own and out.setdefault(name, target) != target:
                    return {}
        taken = {str(target[0]) for target in out.values()} & (self._own - out.keys())
        return {} if taken or len(set(out.values())) < len(out) else out

    def _pass(self, passed: Mapping[str, Terms], around: Callable[[], Container[str]]) -> None:
        """Settles which parameters are replaced by what is passed and which are given it, and frees names used twice."""
        uses = Counter(chain.from_iterable(flat(unit.terms) for unit in self._units))
        for name, value in passed.items():
            if value == (name,) or self._known.get(name) == value:
                continue
            is_plain = "(" not in flat(value) and weight(value) <= _LONGEST_VALUE
            if name in self._own or not (is_plain or uses[name] == 1):
                new = self._free(name, around) if name in around() else name
                self._known[name] = (new,)
                self.given.append((new, "=", *value))
            else:
                self._known[name] = value
        named = {core(token) for value in passed.values() for token in flat(value)} - passed.keys()
        for name in (self._own & named) - self._known.keys():
            self._known[name] = (self._free(name, around),)

    def _free(self, name: str, around: Callable[[], Container[str]]) -> str:
        while name in around() or name in self._own:
            name += "_"
        return name

    @property
    def value(self) -> tuple[Terms, Sequence[Unit]] | None:
        """What the call gives, with the pieces of that statement; None where it may give several things, or nothing."""
        last = self._callee.body[-1] if self._callee.body else None
        if last is None or len(self._returns) != 1 or self._returns[0] not in last.units:
            return None
        if self._callee.parent_of(len(self._callee.body) - 1) >= 0 or len(self._returns[0].terms) < 2:
            return None
        said = with_values(self._returns[0].terms[1:], self._known)
        return said, [self._said(unit) for unit in last.units if unit is not self._returns[0]]

    def units_of(self, index: int, ending: str) -> Iterator[Unit]:
        """What a statement of the body says in the caller; `ending` is what a bare `return` of it means there."""
        for unit in self._callee.body[index].units:
            if unit.concept in _BODYLESS:
                continue
            if unit in self._returns and not self._site.is_returned:
                yield from self._given_back(unit, ending)
            else:
                yield self._said(unit)

    def _given_back(self, unit: Unit, ending: str) -> Iterator[Unit]:
        value = with_values(unit.terms[1:], self._known)
        for target in self._site.targets:
            yield from (_like(unit, "assignment", each) for each in _assigned(target, value or ("None",)))
        if self._site.targets or not self._site.is_alone:
            return
        if value and value[-1] == ")":
            yield _like(unit, "call", value)
        elif not value and ending:
            yield _like(unit, ending, (ending,))

    @property
    def goes_on(self) -> bool:
        """Whether the function comes to its end without a `return`, as far as its last statement tells."""
        last = self._callee.body[-1].units
        return not last or last[0].concept not in ("return", "raise")

    @property
    def rest(self) -> Iterator[Unit]:
        """What the statement of the call says beside the call, with what it gives in its place."""
        if self._site.is_inline and self.value is not None:
            value, pieces = self.value
            for unit in self._site.holders:
                yield from (_like(unit, unit.concept, terms) for terms in _with_value(unit, self._site.terms, value))
            yield from pieces
        yield from self._site.others

    def _said(self, unit: Unit) -> Unit:
        terms = with_values(unit.terms, self._known)
        if unit.concept == "argument" and unit.terms[0] in self._known:
            value = self._known[str(unit.terms[0])]
            terms = (str(value[-1]).removeprefix(".") if _is_name(value) else unit.terms[0], *terms[terms.index("(") :])
        return _like(unit, unit.concept, terms)


def _defines(statement: Statement) -> bool:
    return any(unit.concept == "definition" for unit in statement.units)


def _is_variable(terms: Terms) -> bool:
    return len(terms) == 1 and isinstance(terms[0], str) and core(terms[0]) == terms[0]


def _is_name(terms: Terms) -> bool:
    """Whether it is a name or an attribute of one."""
    return all(isinstance(token, str) and bool(core(token)) for token in terms)


def _with_value(unit: Unit, call: Terms, value: Terms) -> Sequence[Terms]:
    """What a unit says with a value in the place of a call, in the words that a statement of its kind has for such a value."""
    if unit.concept in CONDITIONS:
        every = conditions_with(unit.terms, lambda member: value if member == call else None)
        return every if every != [unit.terms] else [with_call_replaced(unit.terms, call, value)]
    return [with_call_replaced(unit.terms, call, value)]


def _like(unit: Unit, concept: str, terms: Terms) -> Unit:
    return Unit(concept, terms, unit.line, unit.end_line, unit.statement)


def _assigned(target: Terms, value: Terms) -> Iterator[Terms]:
    """The assignments of a value to a target, one by one where some would say nothing: `a, b = a, f(b)`."""
    targets, values = elements_of(target), elements_of(value)
    pairs = list(zip(targets, values, strict=False))
    if len(targets) != len(values) or not any(one == other for one, other in pairs):
        pairs = [(target, value)]
    yield from ((*one, "=", *other) for one, other in pairs if one != other)
