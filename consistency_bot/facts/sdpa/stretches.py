"""What of a side's code runs inside which contexts, in the forward pass and while the loss goes backward."""

from collections.abc import Iterator, Sequence

import msgspec

from consistency_bot.facts.conditions import exits
from consistency_bot.facts.conditions.calls import CALLED, steps_of
from consistency_bot.facts.conditions.formulas import TRUE, Formula, conjunction
from consistency_bot.facts.conditions.frames import Frame, Spot
from consistency_bot.facts.conditions.reader import Reader, is_generator
from consistency_bot.facts.sdpa.callers import BACKWARD, Callers
from consistency_bot.facts.sdpa.contexts import Contexts, Layer
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Block, Function, Step

_OF_MODELS = frozenset({"forward", "__call__"})
"""Methods that a model runs, also when the forward pass runs again."""


class Stretch(msgspec.Struct, frozen=True):
    """Code that runs inside contexts, the outer ones first, and the condition under which it is reached.

    `backward` are those of them that are still open while the loss goes backward.
    """

    condition: Formula
    forward: tuple[Layer, ...]
    backward: tuple[Layer, ...]


class _Leaf(msgspec.Struct, frozen=True):
    """A `with` that opens layers and has no such `with` inside."""

    step: Step
    frame: Frame
    layers: tuple[Layer, ...]


class Stretches:
    """Finds the stretches of one side."""

    def __init__(self, reader: Reader, callers: Callers) -> None:
        self._reader = reader
        self._callers = callers
        self._contexts = Contexts(reader)
        self._inside = {id(each): each for each in reader.code.naming(self._contexts.names)}

    def all(self) -> list[Stretch]:
        """What runs inside a context and what does not: in training, or everywhere on a side that never trains.

        A context in the `forward` of a model is entered again whenever that runs again. Empty without contexts. On a side on which nobody enters its own context managers, these count as entered around
        both passes.
        """
        inner = [found for each in self._inside.values() if each.name in _OF_MODELS for found in self._in(each, [])]
        if inner:
            return [Stretch(each.condition, each.forward, each.forward) for each in inner]
        out: list[Stretch] = []
        plain: list[Stretch] = []
        for each in self._callers.training:
            related = list(self._related(each))
            out.extend(related)
            if not related:
                plain.extend(Stretch(condition, (), ()) for _, condition in self._callers.entered(each))
        if out or (plain and self._inside):
            return out + plain
        everywhere = [found for each in self._inside.values() for found in self._in(each, [])]
        return everywhere or list(self._offered())

    def _related(self, training: Definition) -> Iterator[Stretch]:
        """The stretches of one function that trains, of what it calls, and of who calls it."""
        if id(training) in self._inside:
            yield from self._in(training, self._backward_steps(training), training)
        for other in self._inside.values():
            if other is training or self._callers.trains(other):
                continue
            calls_it = any(site.definition is training for site in self._callers.calls_of(other))
            if calls_it and not is_generator(other.flow):
                yield from self._in(other, [])
                continue
            runs = self._callers.leading_to(training).get(other, [])
            if runs:
                yield from self._in(other, runs, training)

    def _backward_steps(self, training: Definition) -> list[Step]:
        found = self._reader.code.mentions(["backward"], CALLED)
        return [each.step for each in found if each.definition is training]

    def _in(
        self, definition: Definition, runs: Sequence[Step], training: Definition | None = None
    ) -> Iterator[Stretch]:
        """The stretches of a function. `runs` are its statements that go backward, in `training` or by a call of that.

        Where these are known, only what decides between them and the contexts is a condition: whether there is any
        training at all is not asked.
        """
        entered = self._callers.entered(definition)
        for frame, condition in entered:
            layers = tuple(self._contexts.around(definition, frame))
            if layers:
                yield Stretch(condition, layers, layers if BACKWARD in definition.text else ())
            leaves = list(self._leaves(definition, frame))
            if not leaves:
                continue
            open_runs = [run for run in runs if not self._is_inside(run, leaves)]
            shared, start = _shared([leaf.step for leaf in leaves] + open_runs) if runs else (None, 0)
            outer = TRUE if runs and len(entered) == 1 else condition
            made = [self._stretch(leaf, outer, (shared, start), training) for leaf in leaves]
            yield from made
            if all(each.backward for each in made):  # else what is outside goes backward for what is inside
                for run in open_runs:
                    here = exits.reached(self._reader, run.block, run.index, frame, shared, start)
                    yield Stretch(conjunction([outer, here]), (), ())

    def _leaves(self, definition: Definition, frame: Frame) -> Iterator[_Leaf]:
        for function, step in steps_of(definition):
            if step.kind != "with" or (is_generator(function) and b"yield" in step.text):
                continue  # what is open at a `yield` counts where the context manager is entered
            where = frame if function is definition.flow else _nested(function, definition, frame)
            layers = self._contexts.opened(step, where)
            if layers and not any(self._contexts.opened(each, where) for each in _inner_withs(step)):
                yield _Leaf(step, where, layers)

    def _is_inside(self, run: Step, leaves: Sequence[_Leaf]) -> bool:
        """Whether a statement stands in one of the `with`s, or in one around these that opens layers as well."""
        around = {id(leaf.step) for leaf in leaves}
        for leaf in leaves:
            outer = (each for each in _owners(leaf.step) if each.kind == "with")
            around.update(id(each) for each in outer if self._contexts.opened(each, leaf.frame))
        return any(id(each) in around for each in _owners(run))

    def _stretch(
        self, leaf: _Leaf, condition: Formula, shared: tuple[Block | None, int], training: Definition | None
    ) -> Stretch:
        step, frame = leaf.step, leaf.frame
        forward = list(leaf.layers)
        backward = list(leaf.layers) if self._goes_backward(step, training) else []
        for owner in _owners(step):
            if owner.kind == "with":
                outer = self._contexts.opened(owner, frame)
                forward[:0] = outer
                backward[:0] = outer if self._goes_backward(owner, training) else ()
        here = exits.reached(self._reader, step.block, step.index, frame, *shared)
        return Stretch(conjunction([condition, here]), tuple(forward), tuple(backward))

    def _goes_backward(self, step: Step, training: Definition | None) -> bool:
        """Whether the loss goes backward inside a `with`: there, or in a function of the side that is called there."""
        if BACKWARD in step.text:
            return True
        named = [training] if training is not None else self._callers.training
        between = {way.name for each in named for way in (each, *self._callers.leading_to(each))}
        return any(name.encode() + b"(" in step.text for name in between)

    def _offered(self) -> Iterator[Stretch]:
        """The contexts that the side's own context managers open."""
        for each in self._inside.values():
            frame = Frame(each.flow, each)
            for step in each.flow.body.walk() if is_generator(each.flow) else ():
                layers = self._contexts.opened(step, frame) if step.kind == "with" and b"yield" in step.text else ()
                here = exits.reached(self._reader, step.block, step.index, frame)
                yield from [Stretch(here, layers, layers)] if layers else []


def _owners(step: Step) -> Iterator[Step]:
    """The compound statements around a statement, the nearest first."""
    owner = step.block.owner
    while owner is not None:
        yield owner
        owner = owner.block.owner


def _shared(steps: Sequence[Step]) -> tuple[Block | None, int]:
    """The innermost block that all of the statements are in, and where in it the first of them stands."""
    chains = [{id(each.block): each for each in (step, *_owners(step))} for step in steps]
    for each in (steps[0], *_owners(steps[0])):
        if all(id(each.block) in chain for chain in chains):
            return each.block, min(chain[id(each.block)].index for chain in chains)
    return None, 0


def _nested(function: Function, definition: Definition, frame: Frame) -> Frame:
    step = function.outer
    return Frame(function, definition, None, Spot.before(step, frame) if step is not None else None)


def _inner_withs(step: Step) -> Iterator[Step]:
    return (each for block in step.blocks for each in block.walk() if each.kind == "with")
