"""What functions do in which order, helpers seen through: calls, and assignments to what was imported."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

import msgspec

from consistency_bot.facts.asking import SideAt
from consistency_bot.facts.conditions.calls import Guards, last_name, parts_of
from consistency_bot.facts.conditions.exits import reached
from consistency_bot.facts.conditions.formulas import TRUE, Formula, conjunction, negation
from consistency_bot.facts.conditions.frames import OWNERS, Frame, Spot, inside
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.facts.conditions.values import Code
from consistency_bot.facts.conditions.vocabulary import Names
from consistency_bot.facts.names import in_source, is_named
from consistency_bot.model import Place
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Function, Step
from consistency_bot.syntax.imported import dotted
from consistency_bot.syntax.occurrences import is_word
from consistency_bot.syntax.parsed import Attribute, Call, Constant, Expression, Name, worded

_MOST_LEVELS = 3
"""Helpers that call helpers are seen through so many times."""

_MOST_EVENTS = 500
"""Events of one function; a rule that asks for every call has seen enough then."""


class Event(msgspec.Struct, frozen=True):
    """Something that a function does itself or through a helper: where, and under which condition.

    `name` is the last part of what is called or assigned to, `full` all of it as far as imports tell, `detail` constant
    arguments, or the constant that is assigned. `top` is its line in the function itself, which may call a helper there.
    """

    name: str
    full: str
    detail: str
    place: Place
    condition: Formula
    top: int

    def is_named(self, patterns: Iterable[str]) -> bool:
        """Whether one of the patterns is its name, or all of it with the module."""
        return is_named(self.name, patterns) or is_named(self.full, patterns)


class Course(msgspec.Struct, frozen=True):
    """The events of one function, or of a module, in source order.

    `first_line` is where its first statement behind the docstring stands. `late_docstring` is the line of a string that
    would be the docstring if nothing but events and imports stood before it; 0 where there is none.
    """

    place: Place
    first_line: int
    late_docstring: int
    events: tuple[Event, ...]


class Courses(msgspec.Struct, frozen=True):
    """The courses of one side in the order of its files, and what its code calls the values of their conditions."""

    every: tuple[Course, ...]
    names: Names


def courses_of(side: SideAt, patterns: Iterable[str]) -> Courses:
    """The course of every function and module in which something with such a name happens.

    A function that others of these call is told with them, and not once more by itself.
    """
    watching = _Watching(side, tuple(patterns))
    return Courses(tuple(watching.all()), watching.reader.names)


class _Happening(msgspec.Struct, frozen=True):
    """One event as it is written, or the call of a helper that is seen through."""

    name: str
    full: str
    detail: str
    line: int
    end_line: int
    guards: Guards
    helper: tuple[Call, Definition] | None = None


class _Watching:
    def __init__(self, side: SideAt, patterns: tuple[str, ...]) -> None:
        self._side = side.name
        self._code = side.code
        self.reader = Reader(self._code)
        self._patterns = patterns
        self._steps: dict[Definition, dict[int, tuple[Function, Step]]] = {}
        self._wanted = {pattern.rpartition(".")[2] for pattern in patterns}
        self._called: set[Definition] = set()
        self._interesting: frozenset[Definition] = frozenset()

    def all(self) -> Iterator[Course]:
        self._find_interesting()
        ordered = [each for each in self._code.definitions if each in self._interesting]
        for each in [root for root in ordered if root not in self._called] or ordered:
            events = tuple(islice(self._events(self.reader.root(each), TRUE, 0, (each,)), _MOST_EVENTS))
            if events:
                yield _course(self._side, each, events)

    def _find_interesting(self) -> None:
        """Definitions in which something happens, and those that call them."""
        frontier = {each for each in self._mentioning(self._wanted) if any(self._written(each))}
        self._interesting = frozenset(frontier)
        names: set[str] = set()
        for _ in range(_MOST_LEVELS):
            new = {each.name for each in frontier if each.kind == "function"} - names
            if not new:
                return
            names |= new
            frontier = set(self._callers(new))
            self._interesting |= frontier

    def _mentioning(self, names: set[str]) -> list[Definition]:
        """The definitions in which one of the names stands, or what an import calls it; their steps are kept.

        `*` may stand for any letters. A pattern that begins with `\\b` would take ten times as long.
        """
        out: dict[Definition, None] = {}
        pattern = _pattern(map(in_source, names))
        for source in self._code.sources:
            found = list(pattern.finditer(source.data))
            if found:
                aliases = [alias for alias, full in source.imported.items() if _is_last(full, alias, pattern)]
                if aliases:
                    found += _pattern(re.escape(alias.encode()) for alias in aliases).finditer(source.data)
            for at in sorted(each.start() for each in found if is_word(source.data, *each.span())):
                definition = source.definition_at(at)
                place = definition.step_at(at) if definition is not None else None
                if definition is not None and place is not None and place[1].kind != "import":
                    self._steps.setdefault(definition, {})[place[1].node.start_byte] = place
                    out[definition] = None
        return list(out)

    def _written(self, definition: Definition) -> Iterator[_Happening]:
        for _, step in self._steps_of(definition):
            yield from self._happenings(definition, step)

    def _steps_of(self, definition: Definition) -> list[tuple[Function, Step]]:
        """The steps in which something may happen, in source order."""
        return [place for _, place in sorted(self._steps.get(definition, {}).items(), key=lambda item: item[0])]

    def _callers(self, names: set[str]) -> Iterator[Definition]:
        for definition in self._mentioning(names):
            for each in self._written(definition):
                if each.helper is not None and each.helper[1] is not definition:
                    self._called.add(each.helper[1])
                    yield definition

    def _happenings(self, definition: Definition, step: Step) -> Iterator[_Happening]:
        """What one statement does itself, in source order."""
        names = definition.source.imported
        if step.kind in ("assign", "augment"):
            for target in step.targets:
                yield from self._assigned(dotted(target, names), step.value, step, names)
        for expression in step.expressions:
            for part, guards in parts_of(expression):
                if isinstance(part, Call):
                    yield from self._call(part, guards, definition, step, names)

    def _call(
        self, call: Call, guards: Guards, definition: Definition, step: Step, names: Mapping[str, str]
    ) -> Iterator[_Happening]:
        full = dotted(call.callee, names) or last_name(call.callee)
        name = full.rpartition(".")[2]
        if name and (is_named(name, self._patterns) or is_named(full, self._patterns)):
            yield _Happening(name, full, _constants(call), call.line, step.own_end_line, guards)
        elif name == "setattr" and len(call.arguments) == 3 and isinstance(call.arguments[1].value, Constant):
            target = f"{dotted(call.arguments[0].value, names)}.{call.arguments[1].value.value}"
            yield from self._assigned(target, call.arguments[2].value, step, names)
        else:
            target_ = self._target(call, definition)
            if target_ is not None and target_ in self._interesting:
                yield _Happening(name, full, "", call.line, step.own_end_line, guards, (call, target_))

    def _assigned(
        self, full: str, value: Expression | None, step: Step, names: Mapping[str, str]
    ) -> Iterator[_Happening]:
        """An assignment to an attribute of something imported is a patch; to anything else it is none."""
        root, _, rest = full.partition(".")
        is_foreign = bool(rest) and root in {each.partition(".")[0] for each in names.values()}
        name = full.rpartition(".")[2]
        if is_foreign and (is_named(name, self._patterns) or is_named(full, self._patterns)):
            detail = f" = {worded(value)}" if isinstance(value, Constant) else " = …"
            yield _Happening(name, full, detail, step.line, step.own_end_line, ())

    def _target(self, call: Call, definition: Definition) -> Definition | None:
        """The function of the side that is called by its name, or by that of its class or module."""
        callee = call.callee
        if isinstance(callee, Name):
            full = definition.source.imported.get(callee.name, callee.name)
            return self._code.function(full.rpartition(".")[2])
        if isinstance(callee, Attribute) and isinstance(callee.owner, Name):
            owner = callee.owner.name
            if owner in OWNERS:
                return self._code.function(callee.name, self._code.class_of(definition))
            if owner in definition.source.imported or self._code.classes(owner):
                return self._code.function(callee.name)
        return None

    def _events(self, frame: Frame, condition: Formula, top: int, above: tuple[Definition, ...]) -> Iterator[Event]:
        """What happens in a function under a condition, calls of helpers replaced by what these do."""
        definition = above[-1]
        for function, step in self._steps_of(definition):
            here: tuple[Frame, Formula] | None = None
            for each in self._happenings(definition, step):
                if here is None:
                    entered = inside(function, frame)
                    here = entered, conjunction([condition, reached(self.reader, step.block, step.index, entered)])
                spot = Spot.before(step, here[0])
                holds = conjunction([here[1], *(self._guard(test, is_so, spot) for test, is_so in each.guards)])
                if each.helper is None:
                    place = Place(self._side, definition.path, each.line, each.end_line, definition.qualname or None)
                    yield Event(each.name, each.full, each.detail, place, holds, top or step.line)
                elif each.helper[1] not in above and len(above) <= _MOST_LEVELS:
                    call, helper = each.helper
                    entered = self.reader.frame(Code(helper.flow), call, spot)
                    yield from self._events(entered, holds, top or step.line, (*above, helper))

    def _guard(self, test: Expression, holds: bool, spot: Spot) -> Formula:
        return self.reader.truth(test, spot) if holds else negation(self.reader.truth(test, spot))


def _course(side: str, definition: Definition, events: tuple[Event, ...]) -> Course:
    steps = definition.flow.body.steps
    line = definition.header_line if definition.qualname else 1
    place = Place(side, definition.path, line, line if definition.qualname else 0, definition.qualname or None)
    first = steps[1 if steps and _is_text(steps[0]) and len(steps) > 1 else 0].line if steps else line
    return Course(place, first, _late_docstring(steps, events), events)


def _late_docstring(steps: Sequence[Step], events: Iterable[Event]) -> int:
    """The line of the first string behind imports and events alone; 0 where there is a docstring, or no such string."""
    tops = {each.top for each in events}
    for number, step in enumerate(steps):
        if _is_text(step):
            return step.line if number and any(each.line in tops for each in steps[:number]) else 0
        if step.kind != "import" and step.line not in tops:
            return 0
    return 0


def _is_text(step: Step) -> bool:
    return step.kind == "call" and isinstance(step.value, Constant) and isinstance(step.value.value, str)


def _constants(call: Call) -> str:
    """The arguments where all of them are constants: what a switch is set to."""
    if not call.arguments or not all(isinstance(each.value, Constant) for each in call.arguments):
        return ""
    given = (f"{each.name}={worded(each.value)}" if each.name else worded(each.value) for each in call.arguments)
    return f"({', '.join(given)})"


def _pattern(found: Iterable[bytes]) -> re.Pattern[bytes]:
    return re.compile(b"|".join(sorted(found, reverse=True)))


def _is_last(full: str, alias: str, pattern: re.Pattern[bytes]) -> bool:
    """Whether an import gives another name to something that the pattern finds."""
    last = full.rpartition(".")[2]
    return last != alias and pattern.fullmatch(last.encode()) is not None
