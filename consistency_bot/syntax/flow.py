"""A function as blocks of steps: what runs before what, and under which branch.

Only the shape is read at once; expressions are parsed when somebody asks for them.
"""

import re
from collections.abc import Iterator
from functools import cached_property

import msgspec
from tree_sitter import Node

from consistency_bot.syntax.parsed import Expression, bound
from consistency_bot.syntax.reading import parsed, squeezed
from consistency_bot.syntax.statement_nodes import (
    CLAUSES,
    VALUES,
    Parameter,
    decorators_of,
    definition_of,
    headers_of,
    items_of,
    parameters_of,
    targets_of,
    test_of,
)
from consistency_bot.syntax.terms import significant, text_of

_DEEPEST = 60
"""Blocks nested deeper than this are left out: people do not write them, and recursion has an end."""


class Branch(msgspec.Struct, frozen=True):
    """One inner block of a compound statement, and the test that it is taken for (None: it needs none, or is `else`).

    `word` is `if` (also for `elif`), `else`, `with`, `for`, `while`, `try`, `except`, `finally` or `case`.
    """

    word: str
    test: Expression | None
    block: "Block"


class Block:
    """Statements that run one after the other. `owner` is the compound statement around them, None in a body."""

    __slots__ = ("function", "owner", "steps")

    def __init__(self, function: "Function", owner: "Step | None") -> None:
        self.function = function
        self.owner = owner
        self.steps: list[Step] = []

    def holds(self, offset: int) -> bool:
        """Whether a byte of the file lies between its first and its last statement."""
        return bool(self.steps) and self.steps[0].node.start_byte <= offset < self.steps[-1].node.end_byte

    def walk(self) -> "Iterator[Step]":
        """All steps in source order, those of inner blocks included."""
        for step in self.steps:
            yield step
            for block in step.blocks:
                yield from block.walk()


class Step:
    """One statement. `kind` is one of `_KINDS`' values, or `other`. `own` is its text without its inner blocks."""

    __slots__ = ("__dict__", "block", "branches", "index", "kind", "line", "node")

    def __init__(self, node: Node, kind: str, block: Block, index: int) -> None:
        self.node = node
        self.kind = kind
        self.block = block
        self.index = index
        self.line = node.start_point[0] + 1
        self.branches: list[Branch] = []

    @cached_property
    def known(self) -> dict[str, bool]:
        """{name: whether it or a statement inside it binds that}, as far as somebody asked; kept by who does."""
        return {}

    @property
    def end_line(self) -> int:
        """The last line of the whole statement."""
        return self.node.end_point[0] + 1

    @property
    def own_end_line(self) -> int:
        """The last line of the statement without its inner blocks."""
        inner = next((child for child in self.node.children if child.type == "block"), None)
        return self.node.end_point[0] + 1 if inner is None else max(self.line, inner.start_point[0])

    @property
    def blocks(self) -> list[Block]:
        """The inner blocks in source order; a nested function's body is none of them."""
        return [branch.block for branch in self.branches]

    @cached_property
    def text(self) -> bytes:
        """The source of the whole statement."""
        return self.node.text or b""

    @cached_property
    def own(self) -> bytes:
        """The source without the inner blocks: of an `if` all of its tests."""
        if not self.branches and self.kind not in ("if", "with", "for", "while", "try", "match"):
            return self.text
        return b" ".join(child.text or b"" for child in headers_of(self.node))

    @cached_property
    def value(self) -> Expression | None:
        """What is assigned, returned, raised, iterated over or called; None where the statement has no such thing."""
        node = VALUES[self.kind](self.node) if self.kind in VALUES else None
        return parsed(node) if node is not None else None

    @property
    def operator(self) -> str:
        """`+=` and the like of an augmented assignment; empty for others."""
        node = self.node.named_children[0].child_by_field_name("operator") if self.kind == "augment" else None
        return text_of(node) if node is not None else ""

    @cached_property
    def subject(self) -> Expression | None:
        """What a `match` looks at."""
        node = self.node.child_by_field_name("subject") if self.kind == "match" else None
        return parsed(node) if node is not None else None

    @cached_property
    def targets(self) -> tuple[Expression, ...]:
        """What is assigned to, the first one first; empty for statements that assign nothing."""
        return tuple(parsed(node) for node in targets_of(self.node, self.kind))

    @cached_property
    def items(self) -> tuple[tuple[Expression, str], ...]:
        """The contexts of a `with` and the name each is bound to, which may be empty."""
        return tuple(items_of(self.node)) if self.kind == "with" else ()

    @cached_property
    def tests(self) -> tuple[Expression, ...]:
        """All expressions of an `assert`, `if` or `while` header."""
        if self.kind == "assert":
            return (parsed(significant(self.node)[1]),) if len(significant(self.node)) > 1 else ()
        return tuple(branch.test for branch in self.branches if branch.test is not None)

    @cached_property
    def expressions(self) -> tuple[Expression, ...]:
        """All expressions of the statement itself: what is assigned or called, targets, tests, contexts."""
        value = (self.value,) if self.value is not None else ()
        return (*value, *self.targets, *self.tests, *(each for each, _ in self.items))

    @cached_property
    def binds(self) -> frozenset[str]:
        """Names and dotted names that this statement itself gives a value to."""
        return frozenset(_binds(self))

    @cached_property
    def may_leave(self) -> bool:
        """Whether it, or a statement inside it, ends the function or a round of a loop; errors do not count."""
        return self.kind in _LEAVING or any(each.may_leave for block in self.blocks for each in block.steps)

    @property
    def name(self) -> str:
        """The name of what a `define` defines."""
        name = definition_of(self.node).child_by_field_name("name")
        return text_of(name) if name is not None else ""

    @cached_property
    def function(self) -> "Function | None":
        """The nested function that a `define` defines; None for a class."""
        node = definition_of(self.node)
        if node.type != "function_definition":
            return None
        return Function(node, decorators_of(self.node), self)


class Function:
    """A function, a class body or a module as a block. `outer` is the step that defines a nested function."""

    def __init__(self, node: Node, decorators: list[Node], outer: Step | None = None) -> None:
        self.node = node
        self.outer = outer
        self._decorators = decorators

    @property
    def name(self) -> str:
        """The name; empty for a module."""
        name = self.node.child_by_field_name("name")
        return text_of(name) if name is not None else ""

    @cached_property
    def decorators(self) -> tuple[Expression, ...]:
        """The decorators' expressions."""
        nodes = (significant(each) for each in self._decorators)
        return tuple(parsed(each[-1]) for each in nodes if each)

    @cached_property
    def bases(self) -> tuple[str, ...]:
        """The last names of a class's bases."""
        node = self.node.child_by_field_name("superclasses")
        named = (child for child in significant(node) if child.type in ("identifier", "attribute")) if node else ()
        return tuple(text_of(child).rpartition(".")[2] for child in named)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in order, `self` included."""
        node = self.node.child_by_field_name("parameters")
        return tuple(parameters_of(node)) if node is not None else ()

    @cached_property
    def body(self) -> Block:
        """The statements."""
        block = Block(self, None)
        node = self.node if self.node.type == "module" else self.node.child_by_field_name("body")
        if node is not None:
            _fill(block, node, 0)
        return block

    def forget(self) -> None:
        """Lets go of its steps, which know their blocks, and those of nested functions: no garbage is collected."""
        for step in self.every if "body" in self.__dict__ else ():
            nested = step.__dict__.get("function")
            if nested is not None:
                nested.forget()
            for branch in step.branches:
                branch.block.steps.clear()
        for name in ("body", "every"):
            self.__dict__.pop(name, None)

    @cached_property
    def text(self) -> bytes:
        """The source."""
        return self.node.text or b""

    @cached_property
    def yields(self) -> bool:
        """Whether one of its own statements yields."""
        return any(b"yield" in step.own for step in self.every if step.kind != "define")

    @cached_property
    def every(self) -> tuple[Step, ...]:
        """All steps in source order, those of inner blocks included; nested functions are one step each."""
        out: list[Step] = []
        todo = list(reversed(self.body.steps))
        while todo:
            step = todo.pop()
            out.append(step)
            if step.branches:
                todo.extend(inner for branch in reversed(step.branches) for inner in reversed(branch.block.steps))
        return tuple(out)

    def may_touch(self, name: str) -> bool:
        """Whether some statement may give a name, or a dotted one, a value, an item or, by a method, a member.

        Told by the text, which is quicker than to read every statement: false is sure, true is not.
        """
        known: dict[str, bool] = self.__dict__.setdefault("_touched", {})
        if name not in known:
            known[name] = _mentions_as_given(self.text, name.encode())
        return known[name]

    def step_at(self, offset: int) -> "tuple[Function, Step] | None":
        """The innermost statement around a byte of the file, and the function that it is in; None between statements."""
        block: Block | None = self.body
        found: Step | None = None
        while block is not None:
            inner = next((each for each in block.steps if each.node.start_byte <= offset < each.node.end_byte), None)
            if inner is None:
                break
            found, block = inner, next((each for each in inner.blocks if each.holds(offset)), None)
        if found is None:
            return None
        nested = found.function if found.kind == "define" else None
        return (nested.step_at(offset) if nested is not None else None) or (self, found)


def _mentions_as_given(text: bytes, name: bytes) -> bool:
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if _GIVEN.match(text, end) or text.endswith(_GIVING, max(0, at - 7), at):
            return True
        at = text.find(name, end)
    return False


_OPERATOR = rb"(?:=(?!=)|(?:[-+%&|^@]|\*\*?|//?|<<|>>)=)"
_GIVEN = re.compile(
    rb"\s*(?:%s|[:,);]|\]\s*%s|in\b|(?:\[(?:[^\[\]]|\[[^\[\]]*\])*\]\s*)+%s|\n|\Z"
    rb"|\.(?:append|add|extend|update|remove|discard|insert|pop|clear|sort|reverse|setdefault|popitem)\()"
    % (_OPERATOR, _OPERATOR, _OPERATOR)
)
"""What may stand behind a name that is given a value, an item or a member; a name at the end of a line may be imported."""
_GIVING = (b"def ", b"class ", b"import ", b"del ", b"as ")
_LEAVING = frozenset({"return", "break", "continue"})
_KINDS = {
    "return_statement": "return",
    "raise_statement": "raise",
    "assert_statement": "assert",
    "if_statement": "if",
    "with_statement": "with",
    "for_statement": "for",
    "while_statement": "while",
    "try_statement": "try",
    "match_statement": "match",
    "function_definition": "define",
    "class_definition": "define",
    "decorated_definition": "define",
    "import_statement": "import",
    "import_from_statement": "import",
    "break_statement": "break",
    "continue_statement": "continue",
    "delete_statement": "delete",
}


def _fill(block: Block, node: Node, depth: int) -> None:
    for child in node.named_children:
        kind = child.type
        if kind == "comment":
            continue
        if kind == "expression_statement":
            inner = child.named_children[0].type if child.named_children else ""
            word = {"assignment": "assign", "augmented_assignment": "augment"}.get(inner, "call")
        else:
            word = _KINDS.get(kind, "other")
        step = Step(child, word, block, len(block.steps))
        block.steps.append(step)
        if depth < _DEEPEST and word in ("if", "with", "for", "while", "try", "match"):
            _branch(step, child, depth + 1)


def _branch(step: Step, node: Node, depth: int) -> None:
    """Reads the inner blocks, in source order."""
    clauses = [child for child in node.named_children if child.type in CLAUSES]
    if step.kind == "match":
        body = node.child_by_field_name("body")
        clauses = [child for child in body.named_children if child.type == "case_clause"] if body is not None else []
    for child in clauses if step.kind == "match" else [node, *clauses]:
        body = child.child_by_field_name("consequence") or child.child_by_field_name("body")
        if body is None:
            body = next((each for each in child.named_children if each.type == "block"), None)
        block = Block(step.block.function, step)
        step.branches.append(Branch(CLAUSES.get(child.type, step.kind), test_of(child), block))
        if body is not None:
            _fill(block, body, depth)


def _binds(step: Step) -> Iterator[str]:
    if step.kind in ("assign", "augment", "for"):
        for target in step.targets:
            yield from bound(target)
    elif step.kind == "with":
        yield from (name for _, name in step.items if name)
    elif step.kind == "define":
        yield step.name
    elif step.kind == "import":
        module = step.node.child_by_field_name("module_name")
        for child in significant(step.node):
            if child != module and child.type in ("dotted_name", "aliased_import"):
                yield text_of(child.children[-1]) if child.type == "aliased_import" else text_of(child.children[0])
    elif step.kind == "delete":
        yield from (squeezed(child) for child in step.node.named_children)
