"""Comments that speak to a tool, and the lines each is about: its own, or those of the statement below it.

A comment is looked up in the tree, so that text inside a string is none. Lines count from 1.
"""

import re
from itertools import zip_longest
from typing import NamedTuple

from tree_sitter import Node

from consistency_bot.syntax.outline import Source
from consistency_bot.syntax.rows import Readings
from consistency_bot.syntax.statements import FUNCTION_KINDS

_IN_PYTHON = re.compile(rb"(?i)#[ \t]*consistency[ \t]*:")
_ELSEWHERE = re.compile(rb"(?i)(?:#+|//+|--+|;+|%+|/\*+|<!--+)[ \t]*consistency[ \t]*:")
_CLOSING = re.compile(r"\s*(?:\*/|-->)\s*$")
_PYTHON_LEADS: tuple[bytes, ...] = (b"#",)
_OTHER_LEADS = (b"#", b"//", b"--", b";", b"%", b"/*", b"<!--")

MOST = 1_000
"""Marked comments looked at in one file."""

_MOST_STEPS = 500_000
"""Nodes passed in one file on the way to its comments. Real files need some thousand; one made to be slow needs more."""

_BLOCK = 50
"""Lines of comments and empty lines that a comment is about on either side of it."""

_BODIES = ("body", "consequence")
_CLAUSES = frozenset(
    {"elif_clause", "else_clause", "except_clause", "except_group_clause", "finally_clause", "case_clause"}
)


class Comment(NamedTuple):
    """A comment `… consistency: …`: what stands behind the colon, and the lines `first` to `last` that it is about."""

    line: int
    text: str
    first: int
    last: int


class Comments:
    """The marked comments of one file, and where its statements end."""

    def __init__(self, path: str, raw: bytes) -> None:
        """Raises Undecodable where a Python file is not text."""
        self._root: Node | None = None
        if path.endswith((".py", ".pyi")):
            source = Source(path, raw, Readings())
            self._root, data = source.root, source.data
        else:
            data = raw.replace(b"\r\n", b"\n")
        self._steps = 0
        self._rows = data.split(b"\n")
        self._starts = [0]
        for row in self._rows:
            self._starts.append(self._starts[-1] + len(row) + 1)
        self.all = self._read(data)

    def end_of_statement(self, line: int) -> int:
        """The last line of the statement (the header, if it has a body) that the code of this line belongs to."""
        path = self._path_to(line - 1)
        return max(_statement(path)[1] + 1, line) if path else line

    def _read(self, data: bytes) -> list[Comment]:
        pattern = _IN_PYTHON if self._root is not None else _ELSEWHERE
        marks: list[tuple[int, int, int]] = []  # row, and where the mark begins and ends in it
        row = 0
        for found in pattern.finditer(data):
            while self._starts[row + 1] <= found.start():
                row += 1
            if self._is_comment(found.start(), data[max(found.start() - 1, 0) : found.start()]):
                marks.append((row, found.start() - self._starts[row], found.end() - self._starts[row]))
                if len(marks) == MOST:
                    break
        return [self._comment(mark, follower) for mark, follower in zip_longest(marks, marks[1:])]

    def _comment(self, mark: tuple[int, int, int], follower: tuple[int, int, int] | None) -> Comment:
        """The comment that a mark begins; it ends with the line, or where another one begins."""
        row, _, start = mark
        end = follower[1] if follower is not None and follower[0] == row else None
        text = self._rows[row][start:end].decode("utf-8", "replace")
        first, last = self._reach(row)
        return Comment(row + 1, _CLOSING.sub("", text).strip(), first + 1, last + 1)

    def _is_comment(self, start: int, before: bytes) -> bool:
        """Whether a mark begins a comment, or stands behind another one: `# noqa  # consistency: …`, but no quotation."""
        is_apart = not before or before.isspace() or before == b"#"
        if self._root is None:
            return is_apart
        node = self._root.descendant_for_byte_range(start, start + 1)
        return node is not None and node.type == "comment" and (is_apart or node.start_byte == start)

    def _reach(self, row: int) -> tuple[int, int]:
        """The rows that a comment on this row is about."""
        if not self._is_quiet(row):
            path = self._path_to(row)
            first, last = _part_at(path, row, is_behind=True) if path else (row, row)
            return min(first, row), max(last, row)
        below = row + 1
        while below < min(len(self._rows), row + _BLOCK) and self._is_quiet(below) and self._rows[below].strip():
            below += 1
        path = self._path_to(below)
        first = self._first_above(row, path)
        if not path:
            is_text = self._root is None and below < len(self._rows) and self._rows[below].strip()
            return first, below if is_text else below - 1
        if self._indent(row) > self._indent(below) and path[_index_of_statement(path)].type not in _CLAUSES:
            return first, below - 1  # the end of a deeper block: it says nothing about what follows the block
        return first, _part_at(path, below, is_behind=False)[1]

    def _first_above(self, row: int, below: list[Node]) -> int:
        """The first row of the gap that ends with the comment: something that went may have stood anywhere in it."""
        is_of_next = bool(below) and below[_index_of_statement(below)].type in FUNCTION_KINDS
        top = max(row - _BLOCK, 0)
        while row > top and self._is_quiet(row - 1) and not (is_of_next and not self._rows[row - 1].strip()):
            row -= 1
        return row

    def _is_quiet(self, row: int) -> bool:
        leads = _OTHER_LEADS if self._root is None else _PYTHON_LEADS
        return not self._rows[row].strip() or self._rows[row].lstrip().startswith(leads)

    def _indent(self, row: int) -> int:
        return len(self._rows[row]) - len(self._rows[row].lstrip())

    def _path_to(self, row: int) -> list[Node]:
        """The nodes from the module to the first token of a row; none for a row without code.

        Found from the top: asking each node for its parent would begin at the top every time.
        """
        if self._root is None or row >= len(self._rows) or self._is_quiet(row) or self._steps > _MOST_STEPS:
            return []
        start = self._starts[row] + self._indent(row)
        cursor = self._root.walk()
        out = [self._root]
        while cursor.goto_first_child_for_byte(start) is not None:
            node = cursor.node
            if node is None or node.start_byte > start:
                break
            out.append(node)
        self._steps += len(out)
        return out if len(out) > 1 else []


def _statement(path: list[Node]) -> tuple[int, int]:
    """The rows of the innermost statement on a path; of its header, where it has a body."""
    index = _index_of_statement(path)
    node = path[index]
    if index == 0 or any(each.is_error for each in path[: index + 1]):
        return path[-1].start_point[0], path[-1].end_point[0]  # the end of a broken statement is a guess
    inner = node.children[-1] if node.type == "decorated_definition" else node
    body = next((found for field in _BODIES if (found := inner.child_by_field_name(field)) is not None), None)
    if body is None and node.type in _CLAUSES:
        body = next((child for child in node.children if child.type == "block"), None)
    before = body.prev_sibling if body is not None else None
    while before is not None and before.type == "comment":
        before = before.prev_sibling
    return node.start_point[0], (before or node).end_point[0]


def _index_of_statement(path: list[Node]) -> int:
    for index in range(len(path) - 1, 0, -1):
        if path[index].type in _CLAUSES or path[index - 1].type in ("block", "module"):
            return index
    return 0


def _part_at(path: list[Node], row: int, is_behind: bool) -> tuple[int, int]:
    """The rows that a comment on this row, or above it, is about.

    At the edge of a statement it is the whole of it; in its midst only the part that begins on the row, or, for a
    comment behind it, ends there.
    """
    first, last = _statement(path)
    if row == first or (is_behind and row == last):
        return first, last
    part = path[-1]
    for node in reversed(path[_index_of_statement(path) + 1 :]):
        if node.start_point[0] != row and not (is_behind and node.end_point[0] == row):
            break
        part = node
    return part.start_point[0], min(part.end_point[0], last)
