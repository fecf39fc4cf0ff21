"""What the functions of a side refuse: where they raise, assert, or return early with a warning, and under which condition."""

import re
from collections.abc import Iterator

import msgspec

from consistency_bot.facts.asking import SideAt
from consistency_bot.facts.conditions.calls import SideCode, last_name, steps_of
from consistency_bot.facts.conditions.exits import reached
from consistency_bot.facts.conditions.formulas import FALSE, TRUE, Formula, conjunction, disjunction, negation
from consistency_bot.facts.conditions.frames import Frame, Spot
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.facts.courses import inside
from consistency_bot.facts.sdpa.callers import Callers
from consistency_bot.model import Place
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Step
from consistency_bot.syntax.parsed import Call, Expression

_REFUSING = re.compile(rb"\b(?:raise|assert|warn\w*)\b")
_WARNINGS = frozenset({"warn", "warning", "warn_once", "warning_once"})
_MOST_WAYS = 3
_TEXT = re.compile(rb"\"([^\"\n]*)\"|'([^'\n]*)'")
_WORD = re.compile(rb"[^\W\d_]{3,}")


class Refusal(msgspec.Struct, frozen=True):
    """One refusal. `how` is the exception's name, or `return`; `words` are those of the statement, `message` of its texts."""

    condition: Formula
    how: str
    place: Place
    words: frozenset[bytes]
    message: frozenset[bytes]

    def likeness(self, other: "Refusal") -> float:
        """How much of the words of two refusals, or of their messages, is in both, from 0 to 1."""
        return max(_share(self.words, other.words), _share(self.message, other.message))


class Refusing:
    """The refusals of one side in source order, and what it does under a condition otherwise."""

    def __init__(self, side: SideAt) -> None:
        self.side = side
        self.reader = Reader(SideCode(side.definitions))
        self._callers = Callers(self.reader)
        self.refusals = tuple(self._read())

    def _read(self) -> Iterator[Refusal]:
        for definition in self.reader.code.mentioning(_REFUSING):
            ways: list[tuple[Frame, Formula]] | None = None
            for function, step in steps_of(definition):
                how = _refuses(step)
                if how:
                    ways = ways if ways is not None else self._ways(definition)
                    condition = disjunction(
                        conjunction([entered, self._condition(step, inside(function, frame))])
                        for frame, entered in ways
                    )
                    if condition not in (TRUE, FALSE):
                        name = definition.qualname or None
                        place = Place(self.side.name, definition.path, step.line, step.end_line, name)
                        yield Refusal(condition, how, place, _words(step.text), _words(_message(step)))

    def _ways(self, definition: Definition) -> list[tuple[Frame, Formula]]:
        """The ways into a function: through its callers, so that its parameters are what these hand over, or by itself."""
        ways = self._callers.entered(definition)
        return ways if 0 < len(ways) <= _MOST_WAYS else [(Frame(definition.flow, definition), TRUE)]

    def _condition(self, step: Step, frame: Frame) -> Formula:
        here = reached(self.reader, step.block, step.index, frame)
        if step.kind != "assert":
            return here
        spot = Spot.before(step, frame)
        return conjunction([here, *(negation(self.reader.truth(test, spot)) for test in step.tests)])

    def branches(self, names: frozenset[bytes]) -> Iterator[tuple[Formula, Place]]:
        """(the condition, the place) of every `if` and `elif` that mentions all of the names and does not refuse."""
        for definition in self.reader.code.definitions:
            if not all(name in (definition.text or definition.source.data) for name in names):
                continue
            root = Frame(definition.flow, definition)
            for function, step in steps_of(definition):
                if step.kind == "if" and all(name in step.text for name in names):
                    yield from self._branches(step, inside(function, root), definition.path, definition.qualname)

    def _branches(self, step: Step, frame: Frame, path: str, name: str) -> Iterator[tuple[Formula, Place]]:
        for branch in step.branches:
            first = branch.block.steps[0] if branch.block.steps else None
            if branch.test is not None and first is not None and not _refuses(branch.block.steps[-1]):
                place = Place(self.side.name, path, branch.test.line, branch.test.line, name or None)
                yield reached(self.reader, branch.block, 0, frame), place


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


def _words(text: bytes) -> frozenset[bytes]:
    return frozenset(_WORD.findall(text.lower()))


def _message(step: Step) -> bytes:
    return b" ".join(b" ".join(found) for found in _TEXT.findall(step.text))
