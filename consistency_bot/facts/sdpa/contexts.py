"""Where a side enters `sdpa_kernel`: with which backends, under which condition, and around what."""

from collections.abc import Iterator

import msgspec

from consistency_bot.facts.conditions import exits
from consistency_bot.facts.conditions.calls import CallSite, Mention, parts_of, steps_of
from consistency_bot.facts.conditions.formulas import FALSE, TRUE, Formula, conjunction
from consistency_bot.facts.conditions.frames import Frame, Spot
from consistency_bot.facts.conditions.reader import Reader, is_generator
from consistency_bot.facts.conditions.values import Choices, Code, Items, Path, Result, Value, always
from consistency_bot.facts.sdpa.callers import BACKWARD, Callers
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Function, Step
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


class Stretch(msgspec.Struct, frozen=True):
    """Code that runs inside contexts, the outer ones first, and the condition under which it is reached.

    `backward` are those of them that are still open while the loss goes backward.
    """

    condition: Formula
    forward: tuple[Layer, ...]
    backward: tuple[Layer, ...]


class Contexts:
    """Finds the contexts of one side."""

    def __init__(self, reader: Reader, callers: Callers) -> None:
        self._reader = reader
        self._callers = callers
        self._names = self._interesting()
        self._opened: dict[tuple[int, int], tuple[Layer, ...]] = {}
        self._kept: list[Frame] = []

    def stretches(self) -> list[Stretch]:
        """What runs inside a context: in training where any of that does, else everywhere; empty without contexts."""
        inside = {id(each): each for each in self._reader.code.naming(self._names)}
        training = self._callers.training
        out: list[Stretch] = []
        plain: list[Stretch] = []
        for each in training:
            related = [found for found in self._around(each, inside) if found.forward]
            out.extend(related)
            if not related:
                plain.append(Stretch(TRUE, (), ()))
        if out:
            return out + plain
        return [found for each in inside.values() for found in self._in_function(each) if found.forward]

    def offered(self) -> list[Stretch]:
        """The contexts that the side's own context managers open, for a side on which nobody enters these."""
        out: list[Stretch] = []
        for each in self._reader.code.naming(self._names):
            frame = Frame(each.flow, each)
            for step in each.flow.body.walk() if is_generator(each.flow) else ():
                layers = self._of_with(step, frame) if step.kind == "with" and b"yield" in step.text else ()
                here = exits.reached(self._reader, step.block, step.index, frame)
                out.extend([Stretch(here, layers, layers)] if layers else [])
        return out

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

    def _around(self, training: Definition, inside: dict[int, Definition]) -> Iterator[Stretch]:
        """The stretches of one function that trains, of what it calls, and of who calls it."""
        if id(training) in inside:
            yield from self._in_function(training)
        for other in inside.values():
            if other is training or self._callers.trains(other):
                continue
            sites = [site for site in self._callers.calls_of(other) if site.definition is training]
            if sites and not is_generator(other.flow):
                yield from self._in_function(other)
            elif any(site.definition is other for site in self._callers.calls_of(training)):
                yield from self._in_function(other, training)

    def _in_function(self, definition: Definition, training: Definition | None = None) -> Iterator[Stretch]:
        """The innermost contexts of a function, each with those around it."""
        for frame, condition in self._callers.entered(definition) or ():
            for function, step in steps_of(definition):
                if step.kind != "with" or (is_generator(function) and b"yield" in step.text):
                    continue  # what is open at a `yield` counts where the context manager is entered
                where = frame if function is definition.flow else _nested(function, definition, frame)
                layers = self._of_with(step, where)
                if not layers or any(self._of_with(each, where) for each in _inner_withs(step)):
                    continue
                yield self._stretch(step, where, condition, layers, training)
            layers = tuple(self._of_decorators(definition, frame))
            if layers:
                yield Stretch(condition, layers, layers if BACKWARD in definition.text else ())

    def _stretch(
        self, step: Step, frame: Frame, condition: Formula, layers: tuple[Layer, ...], training: Definition | None
    ) -> Stretch:
        forward, backward = list(layers), list(layers) if self._goes_backward(step, training) else []
        owner = step.block.owner
        while owner is not None:
            if owner.kind == "with":
                outer = self._of_with(owner, frame)
                forward[:0] = outer
                backward[:0] = outer if self._goes_backward(owner, training) else ()
            owner = owner.block.owner
        here = exits.reached(self._reader, step.block, step.index, frame)
        return Stretch(conjunction([condition, here]), tuple(forward), tuple(backward))

    def _goes_backward(self, step: Step, training: Definition | None) -> bool:
        """Whether the loss goes backward inside a `with`: there, or in a function of the side that is called there."""
        if BACKWARD in step.text:
            return True
        named = [training] if training is not None else self._callers.training
        return any(each.name.encode() + b"(" in step.text for each in named)

    def _of_with(self, step: Step, frame: Frame) -> tuple[Layer, ...]:
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
                    for each in self._of_with(step, inner):
                        yield msgspec.structs.replace(each, condition=conjunction([condition, here, each.condition]))

    def _given(self, value: Result) -> Choices:
        """The backends argument of `sdpa_kernel`."""
        for each in value.call.arguments:
            if each.name in ("", "backends"):
                return self._reader.value(each.value, value.spot)
        return always(Path((_KERNEL,)))

    def _of_decorators(self, definition: Definition, frame: Frame) -> Iterator[Layer]:
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


def _nested(function: Function, definition: Definition, frame: Frame) -> Frame:
    step = function.outer
    return Frame(function, definition, None, Spot.before(step, frame) if step is not None else None)


def _inner_withs(step: Step) -> Iterator[Step]:
    return (each for block in step.blocks for each in block.walk() if each.kind == "with")


def _made(mention: Mention) -> Iterator[str]:
    """The names of what a statement makes of a context: its function where it hands that out, and what it assigns."""
    function, step = mention.function, mention.step
    if step.kind in ("return", "with") or b"enter_context" in step.own:
        if step.kind == "return" or is_generator(function):
            yield from filter(None, (function.name, mention.definition.name))
    elif step.kind == "assign":
        yield from (name.rpartition(".")[2] for name in step.binds)
