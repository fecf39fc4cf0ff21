"""A Python file as text beside its syntax tree: where a node stands, and what the text is after an edit."""

import ast
from collections.abc import Iterator, Sequence
from typing import NamedTuple

Node = ast.expr | ast.stmt | ast.ExceptHandler | ast.keyword | ast.arg | ast.alias


class Edit(NamedTuple):
    """Replaces `text[start:end]`."""

    start: int
    end: int
    text: str


Edits = tuple[Edit, ...]
"""Edits of one file that belong together; they do not overlap."""


class Text:
    """The text and tree of one file. Raises SyntaxError where the running Python cannot read it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = ast.parse(text)
        self._lines = text.split("\n")
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)

    def _offset(self, line: int, column: int) -> int:
        row = self._lines[line - 1]
        if not row.isascii():
            column = len(row.encode()[:column].decode())
        return self._starts[line - 1] + column

    def start(self, node: Node) -> int:
        """The offset of the node's first character."""
        return self._offset(node.lineno, node.col_offset)

    def end(self, node: Node) -> int:
        """The offset just after the node's last character."""
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return self._offset(node.end_lineno, node.end_col_offset)

    def segment(self, node: Node) -> str:
        """The node's own text, without parentheses around it."""
        return self.text[self.start(node) : self.end(node)]

    def line_start(self, line: int) -> int:
        """The offset at which a line starts; lines count from 1."""
        return self._starts[line - 1]

    def first_line(self, node: Node) -> int:
        """The node's first line; for a definition that of its first decorator."""
        decorators: list[ast.expr] = getattr(node, "decorator_list", [])
        return min([node.lineno, *(each.lineno for each in decorators)])

    def last_line(self, node: Node) -> int:
        """The node's last line."""
        return node.end_lineno or node.lineno

    def whole_lines(self, first: Node, last: Node | None = None) -> tuple[int, int] | None:
        """The offsets of the lines from `first` to `last` where nothing else stands on them, else None."""
        start = self.line_start(self.first_line(first))
        end = self.end(last or first)
        after, _, _ = self.text[end:].partition("\n")
        if self.text[start : self.start(first)].strip(" \t") or after.strip():
            return None
        return start, min(end + len(after) + 1, len(self.text))

    def indent(self, node: Node) -> str:
        """The white space before the node's first line."""
        row = self._lines[node.lineno - 1]
        return row[: len(row) - len(row.lstrip())]

    def replace(self, node: Node, text: str) -> Edits:
        """The edit that puts `text` in the node's place."""
        return (Edit(self.start(node), self.end(node), text),)

    def edited(self, edits: Edits) -> str:
        """The text after the edits."""
        text = self.text
        for each in sorted(edits, reverse=True):
            text = text[: each.start] + each.text + text[each.end :]
        return text

    def has(self, word: str) -> bool:
        """Whether the word stands anywhere in the text."""
        return word in self.text


def joined(text: Text, operands: Sequence[ast.expr], word: str) -> str:
    """Operands joined by `and` or `or`, in parentheses where they need them."""
    loose = (ast.BoolOp, ast.IfExp, ast.Lambda, ast.NamedExpr)
    return f" {word} ".join(
        f"({text.segment(each)})" if isinstance(each, loose) else text.segment(each) for each in operands
    )


PROSE = frozenset("critical debug error exception info log print print_warning_once warn warning log_once".split())
"""Names of calls that only talk."""


def is_prose(call: ast.Call) -> bool:
    """Whether the call only talks to people (logging, warnings, print) or to a type checker (`cast`)."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    return name in PROSE or name in ("cast", "TypeVar", "NewType")


def header(node: ast.AST) -> list[ast.AST]:
    """The nodes that belong to a statement itself and not to the statements in it."""
    match node:
        case ast.If() | ast.While():
            return [node.test]
        case ast.For() | ast.AsyncFor():
            return [node.target, node.iter]
        case ast.With() | ast.AsyncWith():
            return [part for item in node.items for part in (item.context_expr, item.optional_vars) if part]
        case ast.ExceptHandler():
            return [node.type] if node.type else []
        case ast.AnnAssign():
            return [node.target, node.value] if node.value else [node.target]
        case ast.Assert():
            return [node.test]
        case ast.stmt() if hasattr(node, "body"):
            return []
        case ast.Raise() | ast.Match():
            return []
    return [child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context)]


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """The node and what stands in its header, depth first, `await` left out.

    Left out are f-strings (their positions are wrong before Python 3.12), calls that only talk, and annotations. Two
    nodes that say the same are walked in the same order.
    """
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Call) and is_prose(node)):
        return
    if not isinstance(node, ast.Await):
        yield node
    for child in header(node):
        yield from walk(child)
