"""A function as blocks of steps: what runs before what, and under which branch.

Only the shape is read at once; expressions are parsed when somebody asks for them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from sys import maxsize

from tree_sitter import Node

from consistency_bot.syntax.headings import Heading
from consistency_bot.syntax.kept import kept
from consistency_bot.syntax.occurrences import Occurrences
from consistency_bot.syntax.parsed import Expression
from consistency_bot.syntax.reading import parsed
from consistency_bot.syntax.spoken import COMPOUND, Spoken
from consistency_bot.syntax.statement_nodes import (
    CLAUSES,
    own_spans,
    test_of,
)
from consistency_bot.syntax.statements import undecorated
from consistency_bot.syntax.terms import significant

_DEEPEST = 60
"""Blocks nested deeper than this are left out: people do not write them, and recursion has an end."""


class Branch:
    """One inner block of a compound statement, and the test that it is taken for (None: it needs none, or is `else`).

    `word` is `if` (also for `elif`), `else`, `with`, `for`, `while`, `try`, `except`, `finally` or `case`.
    """

    __slots__ = ("_node", "_test", "block", "word")

    def __init__(self, node: Node, word: str, block: "Block") -> None:
        self.word = word
        self.block = block
        self._node = node
        self._test: tuple[Expression | None] | None = None

    @property
    def test(self) -> Expression | None:
        """The test; parsed when somebody asks for it."""
        if self._test is None:
            self._test = (test_of(self._node),)
        return self._test[0]


class Block:
    """Statements that run one after the other. `owner` is the compound statement around them, None in a body.

    They are read when somebody asks for them: of most functions only the way down to one statement is.
    """

    __slots__ = ("_naming", "_node", "_starts", "_steps", "depth", "function", "owner")

    def __init__(self, function: "Function", owner: "Step | None", node: Node | None) -> None:
        self.function = function
        self.owner = owner
        self.depth: int = owner.block.depth + 1 if owner is not None else 0
        self._node = node
        self._steps: list[Step] | None = None
        self._starts: list[int] | None = None
        self._naming: dict[str, list[int]] = {}

    @property
    def steps(self) -> "list[Step]":
        """The statements."""
        if self._steps is None:
            nodes = self._node.named_children if self._node is not None else ()
            nodes = [node for node in nodes if node.type != "comment"]
            self._steps = [Step(node, self, index) for index, node in enumerate(nodes)]
        return self._steps

    def leaving(self, start: int, stop: int) -> "list[Step]":
        """Those of so many of its steps that may end the function or a round of a loop."""
        steps = self.steps[start:stop]
        if not steps or not self.function.may_leave(steps[0].node.start_byte, steps[-1].node.end_byte):
            return []
        return [step for step in steps if step.may_leave]

    @property
    def span(self) -> tuple[int, int] | None:
        """Where it begins, and where it ends, as bytes of the file; None where the source has none."""
        return (self._node.start_byte, self._node.end_byte) if self._node is not None else None

    def walk(self) -> "Iterator[Step]":
        """All steps in source order, those of inner blocks included."""
        todo = self.steps[::-1]
        while todo:
            step = todo.pop()
            yield step
            for block in reversed(step.blocks):
                todo.extend(reversed(block.steps))

    def at(self, offset: int) -> "Step | None":
        """The statement of its own around a byte of the file; None between them."""
        steps = self.steps
        if self._starts is None:
            self._starts = [each.node.start_byte for each in steps]
        index = bisect_right(self._starts, offset) - 1
        return steps[index] if index >= 0 and offset < steps[index].node.end_byte else None

    def naming(self, name: str) -> list[int]:
        """Where among its steps those stand that may give a name, or a dotted one, a value, an item or a member."""
        found = self._naming.get(name)
        if found is None:
            found = self._naming[name] = [
                step.index
                for step in self._around(self.function.occurrences.given(name))
                if step.kind not in _GIVING_NOTHING and (step.kind != "define" or step.name == name)
            ]
        return found

    def _around(self, places: list[int]) -> "Iterator[Step]":
        """Those of its steps that stand around one of some bytes of the file, which are in order."""
        at, end = self.span or (0, 0)
        index = bisect_left(places, at)
        while index < len(places) and places[index] < end:
            step = self.at(places[index])
            if step is None:  # a comment
                index += 1
                continue
            yield step
            index = bisect_left(places, step.node.end_byte, index)

    def taken(self) -> "list[Step]":
        """The steps as far as they have been read; they are forgotten."""
        steps, self._steps, self._starts = self._steps, None, None
        return steps or []


class Step(Spoken):
    """One statement among those around it, with what is in it."""

    __slots__ = ("block", "index")

    def __init__(self, node: Node, block: Block, index: int) -> None:
        super().__init__(node)
        self.block = block
        self.index = index

    @kept
    def branches(self) -> tuple[Branch, ...]:
        """The inner blocks, in source order; none for a simple statement."""
        return tuple(_branches(self)) if self.kind in COMPOUND and self.block.depth < _DEEPEST else ()

    @kept
    def known(self) -> dict[str, bool]:
        """{name: whether it or a statement inside it binds that}, as far as somebody asked; kept by who does."""
        return {}

    @kept
    def blocks(self) -> list[Block]:
        """The inner blocks in source order; a nested function's body is none of them."""
        return [branch.block for branch in self.branches]

    def inside(self, offset: int) -> Block | None:
        """The inner block around a byte of the file; None where it is part of the header."""
        if not self.branches:
            return None
        spans, blocks = self._spans
        at = bisect_right(spans, (offset, maxsize)) - 1
        return blocks[at] if at >= 0 and offset < spans[at][1] else None

    @kept
    def _spans(self) -> tuple[list[tuple[int, int]], list[Block]]:
        """Where the inner blocks stand, and these."""
        found = [(span, block) for block in self.blocks if (span := block.span) is not None]
        return [span for span, _ in found], [block for _, block in found]

    @kept
    def tests(self) -> tuple[Expression, ...]:
        """All expressions of an `assert`, `if` or `while` header."""
        if self.kind == "assert":
            return (parsed(significant(self.node)[1]),) if len(significant(self.node)) > 1 else ()
        return tuple(branch.test for branch in self.branches if branch.test is not None)

    @kept
    def expressions(self) -> tuple[Expression, ...]:
        """All expressions of the statement itself: what is assigned or called, targets, tests, contexts."""
        value = (self.value,) if self.value is not None else ()
        return (*value, *self.targets, *self.tests, *(each for each, _ in self.items))

    @kept
    def may_leave(self) -> bool:
        """Whether it, or a statement inside it, ends the function or a round of a loop; errors do not count."""
        if self.kind not in COMPOUND:
            return self.kind in _LEAVING
        if not self.block.function.may_leave(self.node.start_byte, self.node.end_byte):
            return False
        return any(each.may_leave for block in self.blocks for each in block.steps)

    @kept
    def function(self) -> "Function | None":
        """The nested function that a `define` defines; None for a class."""
        decorators, node = undecorated(self.node)
        if node.type != "function_definition":
            return None
        return Function(node, decorators, self)


class Function(Heading):
    """A function, a class body or a module as a block. `outer` is the step that defines a nested function."""

    def __init__(self, node: Node, decorators: list[Node], outer: Step | None = None) -> None:
        super().__init__(node, decorators)
        self.outer = outer

    @kept
    def body(self) -> Block:
        """The statements."""
        return Block(self, None, self._block)

    @property
    def _block(self) -> Node | None:
        return self.node if self.node.type == "module" else self.node.child_by_field_name("body")

    def forget(self) -> None:
        """Lets go of its steps, which know their blocks, and those of nested functions: no garbage is collected."""
        todo = [self.body] if "body" in self.__dict__ else []
        while todo:
            for step in todo.pop().taken():
                nested = step.__dict__.get("function")
                if nested is not None:
                    nested.forget()
                todo.extend(each.block for each in step.__dict__.get("branches", ()))
                step.__dict__.clear()
        for name in ("body", "every"):
            self.__dict__.pop(name, None)

    @kept
    def yields(self) -> bool:
        """Whether one of its own statements yields."""
        return any(b"yield" in step.own for step in self.every if step.kind != "define")

    @kept
    def every(self) -> tuple[Step, ...]:
        """All steps in source order, those of inner blocks included; nested functions are one step each."""
        return tuple(self.body.walk())

    @kept
    def occurrences(self) -> Occurrences:
        """Where words occur in its source, as bytes of the file; of a module or class not in the bodies of its functions."""
        start = self.node.start_byte
        if self.is_function:
            return Occurrences([(start, self.text)])
        spans = own_spans(self.node, self._block)
        return Occurrences([(at, self.text[at - start : end - start]) for at, end in spans])

    def may_touch(self, name: str) -> bool:
        """Whether some statement may give a name, or a dotted one, a value, an item or, by a method, a member.

        Told by the text, which is quicker than to read every statement: false is sure, true is not.
        """
        return bool(self.occurrences.given(name))

    def may_leave(self, start: int, end: int) -> bool:
        """Whether the words by which a function or a round of a loop ends stand somewhere between two bytes of the file."""
        places = self._leaving
        at = bisect_left(places, start)
        return at < len(places) and places[at] < end

    @kept
    def _leaving(self) -> list[int]:
        return sorted(at for word in _LEAVING for at in self.occurrences.of(word))

    def step_at(self, offset: int) -> "tuple[Function, Step] | None":
        """The innermost statement around a byte of the file, and the function that it is in; None between statements."""
        block: Block | None = self.body
        found: Step | None = None
        while block is not None:
            inner = block.at(offset)
            if inner is None:
                break
            found, block = inner, inner.inside(offset)
        if found is None:
            return None
        nested = found.function if found.kind == "define" else None
        return (nested.step_at(offset) if nested is not None else None) or (self, found)


_GIVING_NOTHING = frozenset({"return", "raise", "other"})
_LEAVING = frozenset({"return", "break", "continue"})


def _branches(step: Step) -> Iterator[Branch]:
    node = step.node
    clauses = [child for child in node.named_children if child.type in CLAUSES]
    if step.kind == "match":
        body = node.child_by_field_name("body")
        clauses = [child for child in body.named_children if child.type == "case_clause"] if body is not None else []
    for child in clauses if step.kind == "match" else [node, *clauses]:
        inner = child.child_by_field_name("consequence") or child.child_by_field_name("body")
        if inner is None:
            inner = next((each for each in child.named_children if each.type == "block"), None)
        yield Branch(child, CLAUSES.get(child.type, step.kind), Block(step.block.function, step, inner))
