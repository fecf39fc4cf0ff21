"""What the functions of a side refuse: where they raise, assert, or return early with a warning, and under which condition."""

import re
from collections.abc import Iterator
from functools import cache

import msgspec

from consistency_bot.facts.asking import SideAt
from consistency_bot.facts.conditions.calls import last_name
from consistency_bot.facts.conditions.exits import reached, refuses
from consistency_bot.facts.conditions.formulas import FALSE, TRUE, Formula, conjunction, disjunction
from consistency_bot.facts.conditions.frames import Frame, inside
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.facts.sdpa.callers import Callers
from consistency_bot.model import Place
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Block, Step
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
        for source in self.reader.code.sources:
            if not all(name in source.data for name in names):
                continue
            for definition in source.definitions:
                root = self.reader.root(definition)
                for step in _ifs_naming(names, definition):
                    frame = inside(step.block.function, root)
                    yield from self._branches(step, frame, definition.path, definition.qualname)

    def _branches(self, step: Step, frame: Frame, path: str, name: str) -> Iterator[tuple[Formula, Place]]:
        for branch in step.branches:
            first = branch.block.steps[0] if branch.block.steps else None
            if branch.test is not None and first is not None and not _refuses(branch.block.steps[-1]):
                place = Place(self.side.name, path, branch.test.line, branch.test.line, name or None)
                yield reached(self.reader, branch.block, 0, frame), place


def _ifs_naming(names: frozenset[bytes], definition: Definition) -> Iterator[Step]:
    """Every `if` of a definition in which all of the names stand; what has not all of them is not looked into."""
    data, start, end = definition.source.data, definition.start, definition.end
    if all(data.find(name, start, end) >= 0 for name in names):
        yield from _ifs_inside(names, definition.flow.body)


def _ifs_inside(names: frozenset[bytes], block: Block) -> Iterator[Step]:
    for step in block.steps:
        if step.kind == "define" and not block.function.is_function:
            continue  # a definition of its own
        if not all(name in step.text for name in names):
            continue
        if step.kind == "if":
            yield step
        nested = step.function if step.kind == "define" else None
        for inner in step.blocks if nested is None else [nested.body]:
            yield from _ifs_inside(names, inner)


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
