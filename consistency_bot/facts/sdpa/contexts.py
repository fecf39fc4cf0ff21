"""What a `with` of a side opens: `sdpa_kernel`, however it gets there, with which backends, under which condition."""

from collections.abc import Iterator

import msgspec

from consistency_bot.facts.conditions import exits
from consistency_bot.facts.conditions.calls import CallSite, Mention, parts_of
from consistency_bot.facts.conditions.formulas import FALSE, TRUE, Formula, conjunction
from consistency_bot.facts.conditions.frames import Frame, Spot
from consistency_bot.facts.conditions.reader import Reader, is_generator
from consistency_bot.facts.conditions.values import Choices, Code, Items, Path, Result, Value, always
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Step
from consistency_bot.syntax.parsed import Attribute, Call, Expression, Name

_KERNEL = "sdpa_kernel"
_MOST_ROUNDS = 4
_DEEPEST = 3
"""How many context managers of the side's own may stand around `sdpa_kernel`."""


class Layer(msgspec.Struct, frozen=True):
    """One `sdpa_kernel` that is entered under a condition: what it is given, and where it stands."""

    condition: Formula
    given: Choices
    definition: Definition
    line: int


class Contexts:
    """Finds the contexts of one side. `names` are all names that may stand for one."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self.names = self._interesting()
        self._opened: dict[tuple[int, int], tuple[Layer, ...]] = {}
        self._kept: list[Frame] = []

    def _interesting(self) -> frozenset[str]:
        """The names that may stand for a context: `sdpa_kernel`, its aliases, and what is made with one of those."""
        names = {_KERNEL}
        for source in self._reader.code.sources:
            names.update(alias for alias, name in source.imports[0].items() if name == _KERNEL)
        new = set(names)
        for _ in range(_MOST_ROUNDS):
            new = {name for each in self._reader.code.mentions(new) for name in _made(each)} - names
            names |= new
        return frozenset(names)

    def opened(self, step: Step, frame: Frame) -> tuple[Layer, ...]:
        """The layers that a `with` opens, those pushed on its exit stack included."""
        found = self._opened.get((id(step), id(frame)))
        if found is None:
            found = self._opened[id(step), id(frame)] = self._read_with(step, frame)
            self._kept.append(frame)  # its id stays its own
        return found

    def _read_with(self, step: Step, frame: Frame) -> tuple[Layer, ...]:
        spot = Spot.before(step, frame)
        out: list[Layer] = []
        for written, name in step.items:
            out.extend(self._of_expression(written, spot, TRUE, 0))
            if name and name.encode() + b".enter_context" in step.text:
                out.extend(self._pushed(step, name, frame, 0))
        return tuple(out)

    def _pushed(self, step: Step, stack: str, frame: Frame, depth: int) -> Iterator[Layer]:
        """The layers that `stack.enter_context(…)` opens inside a `with`."""
        for inner in step.blocks[0].walk():
            if b"enter_context" not in inner.own:
                continue
            for expression in inner.expressions:
                for part, guards in parts_of(expression):
                    if not _is_push(part, stack) or not isinstance(part, Call):
                        continue
                    site = CallSite(part, inner, frame.function, frame.definition, guards)
                    yield from self._pushed_one(site, frame, depth)

    def _pushed_one(self, site: CallSite, frame: Frame, depth: int) -> Iterator[Layer]:
        condition = self._reader.reached(site, frame)
        pushed = site.call.arguments[0].value
        loop = site.step.block.owner
        if loop is not None and loop.kind == "for" and loop.targets == (Name(loop.line, _name(pushed)),):
            value = loop.value
            for guard, each in self._reader.value(value, Spot.before(loop, frame)) if value is not None else ():
                for member in each.members if isinstance(each, Items) else ():
                    yield from self._of_value(member, conjunction([condition, guard]), frame, site.step.line, depth)
            return
        yield from self._of_expression(pushed, Spot.before(site.step, frame), condition, depth)

    def _of_expression(self, written: Expression, spot: Spot, condition: Formula, depth: int) -> Iterator[Layer]:
        for guard, value in self._reader.value(written, spot):
            here = conjunction([condition, guard])
            if here is not FALSE:
                yield from self._of_value(value, here, spot.frame, written.line, depth)

    def _of_value(self, value: Value, condition: Formula, frame: Frame, line: int, depth: int) -> Iterator[Layer]:
        """The layers that entering a value opens; none for what is no context of this kind."""
        if not isinstance(value, Result) or depth > _DEEPEST:
            return
        callee = value.callee
        if isinstance(callee, Path) and callee.steps[-1:] == (_KERNEL,):
            where = value.spot.frame.definition
            yield Layer(condition, self._given(value), where, value.call.line)
        elif isinstance(callee, Code) and is_generator(callee.function):
            inner = self._reader.frame(callee, value.call, value.spot)
            for step in callee.function.body.walk():
                if step.kind == "with" and b"yield" in step.text:
                    here = exits.reached(self._reader, step.block, step.index, inner)
                    for each in self.opened(step, inner):
                        yield msgspec.structs.replace(each, condition=conjunction([condition, here, each.condition]))

    def _given(self, value: Result) -> Choices:
        """The backends argument of `sdpa_kernel`."""
        for each in value.call.arguments:
            if each.name in ("", "backends"):
                return self._reader.value(each.value, value.spot)
        return always(Path((_KERNEL,)))

    def around(self, definition: Definition, frame: Frame) -> Iterator[Layer]:
        """`@sdpa_kernel([…])` opens it around the whole function."""
        module = self._reader.code.module(definition.path)
        for each in definition.flow.decorators if module is not None else ():
            if isinstance(each, Call) and module is not None:
                yield from self._of_expression(each, Frame(module.flow, module).end, TRUE, 0)


def _is_push(part: Expression, stack: str) -> bool:
    return (
        isinstance(part, Call)
        and isinstance(part.callee, Attribute)
        and part.callee.name in ("enter_context", "enter_async_context")
        and _name(part.callee.owner) == stack
        and len(part.arguments) == 1
    )


def _name(expression: Expression) -> str:
    return expression.name if isinstance(expression, Name) else ""


def _made(mention: Mention) -> Iterator[str]:
    """The names of what a statement makes of a context: its function where it hands that out, and what it assigns."""
    function, step = mention.function, mention.step
    if step.kind in ("return", "with") or b"enter_context" in step.own:
        if step.kind == "return" or is_generator(function):
            yield from filter(None, (function.name, mention.definition.name))
    elif step.kind == "assign":
        yield from (name.rpartition(".")[2] for name in step.binds)
