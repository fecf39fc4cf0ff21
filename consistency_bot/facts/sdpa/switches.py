"""What a side asks for other than by a context: process-wide switches, arguments of calls, recomputation."""

import re
from collections.abc import Iterator, Sequence

import msgspec

from consistency_bot.facts.conditions.calls import CallSite, parts_of
from consistency_bot.facts.conditions.formulas import FALSE, Formula, conjunction
from consistency_bot.facts.conditions.frames import OWNERS, Frame, Spot
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.facts.conditions.values import Choices
from consistency_bot.facts.sdpa.backends import SWITCHES
from consistency_bot.facts.sdpa.callers import Callers
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Step
from consistency_bot.syntax.parsed import Attribute, Call, Constant, Expression, Mapping, Subscript

_WRAPPERS = ("checkpoint_wrapper", "apply_activation_checkpointing", "gradient_checkpointing_enable")
"""Calls that make the forward pass run again while the loss goes backward."""
_ASKS_TO_RECOMPUTE = tuple(
    "activation_checkpointing gradient_checkpointing use_checkpointing checkpointing recompute use_recompute".split()
)
"""Arguments that ask for it."""
_HANDED = re.compile(rb"\s*=(?!=)|['\"]\s*(?::|\]\s*=(?!=))")
"""What stands behind a name under which something is handed over: `=`, or the end of a key."""


class Switch(msgspec.Struct, frozen=True):
    """A process-wide switch that is thrown under a condition: the backend, and when it is then on."""

    backend: str
    condition: Formula
    on: Formula
    definition: Definition
    line: int


class Handed(msgspec.Struct, frozen=True):
    """A value that is handed over by name under a condition."""

    condition: Formula
    given: Choices
    definition: Definition
    line: int


class Asked:
    """Finds what one side asks for by calls."""

    def __init__(self, reader: Reader, callers: Callers) -> None:
        self._reader = reader
        self._callers = callers

    def switches(self) -> Iterator[Switch]:
        """Every `enable_…_sdp(…)` in source order."""
        for source in self._reader.code.sources:
            for alias, name in source.imports[0].items():
                if name in SWITCHES:
                    yield from self._switches(alias, SWITCHES[name])
        for name, backend in SWITCHES.items():
            yield from self._switches(name, backend)

    def _switches(self, name: str, backend: str) -> Iterator[Switch]:
        for site in self._reader.code.calls(name):
            given = [each.value for each in site.call.arguments if each.name in ("", "enabled")]
            for frame, condition in self._frames(site.definition, site):
                on = self._reader.truth(given[0], Spot.before(site.step, frame)) if given else FALSE
                here = conjunction([condition, self._reader.reached(site, frame)])
                yield Switch(backend, here, on, site.definition, site.call.line)

    def handed(self, names: Sequence[str]) -> Iterator[Handed]:
        """Every value that is handed over under one of these names: by keyword, as an entry or as an item.

        What is handed to a function of the side is left out: it counts where that function hands it on.
        """
        for each in self._reader.code.mentions(names, _HANDED):
            for written, guards, call in _named(each.step, names):
                stand_in = call or Call(each.step.line, written, (), "")
                site = CallSite(stand_in, each.step, each.function, each.definition, guards)
                yield from self._handed(site, written, is_call=call is not None)

    def _handed(self, site: CallSite, written: Expression, is_call: bool) -> Iterator[Handed]:
        for frame, condition in self._frames(site.definition, site):
            spot = Spot.before(site.step, frame)
            if is_call and self._reader.function_of(site.call, spot) is not None:
                continue
            here = conjunction([condition, self._reader.reached(site, frame)])
            yield Handed(here, self._reader.value(written, spot), site.definition, written.line)

    def _frames(self, definition: Definition, site: CallSite) -> Iterator[tuple[Frame, Formula]]:
        for frame, condition in self._callers.entered(definition):
            if site.function is not definition.flow:
                yield self._callers.nested(site, frame), condition
            else:
                yield frame, condition

    def recomputed(self) -> Iterator[Formula]:
        """Each condition under which the code asks for recomputation: wrappers, and arguments of that name."""
        for name in _WRAPPERS:
            for site in self._reader.code.calls(name):
                for frame, condition in self._frames(site.definition, site):
                    yield conjunction([condition, self._reader.reached(site, frame)])
        for each in self._reader.code.mentions(_ASKS_TO_RECOMPUTE, _HANDED):
            for expression in each.step.expressions:
                for part, guards in parts_of(expression):
                    if isinstance(part, Call):
                        yield from self._asked(CallSite(part, each.step, each.function, each.definition, guards))

    def _asked(self, site: CallSite) -> Iterator[Formula]:
        for given in site.call.arguments:
            if given.name not in _ASKS_TO_RECOMPUTE:
                continue
            for frame, condition in self._frames(site.definition, site):
                holds = self._reader.truth(given.value, Spot.before(site.step, frame))
                yield conjunction([condition, self._reader.reached(site, frame), holds])


_Named = tuple[Expression, tuple[tuple[Expression, bool], ...], Call | None]


def _named(step: Step, names: Sequence[str]) -> Iterator[_Named]:
    """(value, guards, the call if it is an argument) of everything that the statement hands over under the names."""
    for target in step.targets:
        is_item = isinstance(target, Subscript) and isinstance(target.key, Constant) and target.key.value in names
        is_attribute = isinstance(target, Attribute) and target.name in names and step.kind == "assign"
        is_own = isinstance(target, Attribute) and getattr(target.owner, "name", "") in OWNERS
        if (is_item or (is_attribute and not is_own)) and step.value is not None:
            yield step.value, (), None
    for expression in step.expressions:
        for part, guards in parts_of(expression):
            if isinstance(part, Call):
                yield from ((each.value, guards, part) for each in part.arguments if each.name in names)
            elif isinstance(part, Mapping):
                for key, value in part.entries:
                    if isinstance(key, Constant) and key.value in names:
                        yield value, guards, None
