"""What the functions of a side refuse: where they raise, assert, or return early with a warning, and under which condition."""

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from consistency_bot.facts.asking import SideAt
from consistency_bot.facts.conditions.calls import last_name, steps_of
from consistency_bot.facts.conditions.exits import reached, refuses
from consistency_bot.facts.conditions.formulas import FALSE, TRUE, Formula, conjunction, disjunction
from consistency_bot.facts.conditions.frames import Frame, inside
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.facts.sdpa.callers import Callers
from consistency_bot.model import Place
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Step
from consistency_bot.syntax.parsed import Call, Expression

_WARNINGS = frozenset({"warn", "warning", "warn_once", "warning_once"})
_REFUSING = ("raise", "assert", *sorted(_WARNINGS))
_MOST_WAYS = 3
_TEXT = re.compile(rb"\"([^\"\n]*)\"|'([^'\n]*)'")
_WORD = re.compile(rb"[^\W\d_]{3,}")


class Refusal(msgspec.Struct, frozen=True):
    """One refusal. `how` is the exception's name, or `return`; `text` is the statement with its message."""

    condition: Formula
    how: str
    place: Place
    text: bytes

    def likeness(self, other: "Refusal") -> float:
        """How much of the words of two refusals, or of their messages, is in both, from 0 to 1."""
        (mine, said), (theirs, told) = _words(self.text), _words(other.text)
        return max(_share(mine, theirs), _share(said, told))


class Refusing:
    """The refusals of one side in source order, and what it does under a condition otherwise."""

    def __init__(self, side: SideAt) -> None:
        self.side = side
        self.reader = Reader(side.code)
        self._callers = Callers(self.reader)
        self.refusals = tuple(self._read())

    def _read(self) -> Iterator[Refusal]:
        ways: dict[Definition, list[tuple[Frame, Formula]]] = {}
        for mention in self.side.code.mentions(_REFUSING):
            step, definition = _refusing(mention.step), mention.definition
            how = _refuses(step)
            if not how:
                continue
            if definition not in ways:
                ways[definition] = self._ways(definition)
            condition = disjunction(
                conjunction([entered, refuses(self.reader, step, inside(mention.function, frame))])
                for frame, entered in ways[definition]
            )
            if condition is not TRUE and condition is not FALSE:
                place = Place(self.side.name, definition.path, step.line, step.end_line, definition.qualname or None)
                yield Refusal(condition, how, place, step.text)

    def _ways(self, definition: Definition) -> list[tuple[Frame, Formula]]:
        """The ways into a function: through its callers, so that its parameters are what these hand over, or by itself."""
        ways = self._callers.entered(definition)
        return ways if 0 < len(ways) <= _MOST_WAYS else [(self.reader.root(definition), TRUE)]

    def branches(self, names: frozenset[bytes]) -> Iterator[tuple[Formula, Place]]:
        """(the condition, the place) of every `if` and `elif` that mentions all of the names and does not refuse."""
        for definition in self.reader.code.definitions:
            if not all(name in (definition.text or definition.source.data) for name in names):
                continue
            root = self.reader.root(definition)
            for function, step in steps_of(definition):
                if step.kind == "if" and all(name in step.text for name in names):
                    yield from self._branches(step, inside(function, root), definition.path, definition.qualname)

    def _branches(self, step: Step, frame: Frame, path: str, name: str) -> Iterator[tuple[Formula, Place]]:
        for branch in step.branches:
            first = branch.block.steps[0] if branch.block.steps else None
            if branch.test is not None and first is not None and not _refuses(branch.block.steps[-1]):
                place = Place(self.side.name, path, branch.test.line, branch.test.line, name or None)
                yield reached(self.reader, branch.block, 0, frame), place


def _refusing(step: Step) -> Step:
    """The statement itself, or the `return` behind a warning."""
    steps = step.block.steps
    is_warning = isinstance(step.value, Call) and last_name(step.value.callee) in _WARNINGS
    return steps[step.index + 1] if is_warning and step.index + 1 < len(steps) else step


def _refuses(step: Step) -> str:
    """How a statement refuses; empty where it does not. To raise once more what was caught is none."""
    if step.kind == "raise":
        return _name(step.value) if step.value is not None else ""
    if step.kind == "assert":
        return "AssertionError"
    if step.kind == "return" and step.index:
        before = step.block.steps[step.index - 1].value
        if isinstance(before, Call) and last_name(before.callee) in _WARNINGS:
            return "return"
    return ""


def _share(one: frozenset[bytes], other: frozenset[bytes]) -> float:
    return len(one & other) / max(1, len(one | other))


def _name(raised: Expression) -> str:
    return last_name(raised.callee if isinstance(raised, Call) else raised) or "an exception"


@cache
def _words(text: bytes) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """The words of a statement, and those of the texts in it."""
    message = b" ".join(b" ".join(found) for found in _TEXT.findall(text))
    return frozenset(_WORD.findall(text.lower())), frozenset(_WORD.findall(message.lower()))
