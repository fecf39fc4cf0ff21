"""Comments and docstrings as units of their own, for twins that say `comments: compare`.

Comments that follow each other line by line are one unit, so that it does not matter where their lines break; one behind
code is one of its own. Only words are compared. Comments that speak to this tool are none.
"""

import re
from collections.abc import Iterator, Sequence

from tree_sitter import Node

from consistency_bot.syntax.statements import FUNCTION_KINDS
from consistency_bot.syntax.terms import text_of
from consistency_bot.syntax.units import Statement, Unit

WORD = re.compile(r"[^\W\d]\w*|\d[\w.]*|\S")
_SAYS_SOMETHING = re.compile(r"\w")
_TO_THIS_TOOL = re.compile(r"(?i)\W*consistency[ \t]*:")
_QUOTES = re.compile(r"(?s)[a-zA-Z]*(\"\"\"|'''|\"|')(.*)\1")


class _Remark:
    """A comment or docstring: its concept, what it says, and the lines from and to which it stands."""

    __slots__ = ("concept", "end_line", "is_alone", "line", "text")

    def __init__(self, concept: str, text: str, line: int, end_line: int, is_alone: bool) -> None:
        self.concept = concept
        self.text = text
        self.line = line
        self.end_line = end_line
        self.is_alone = is_alone


def is_remark(text: str) -> bool:
    """Whether a comment says something, and not to this tool."""
    return _SAYS_SOMETHING.search(text) is not None and _TO_THIS_TOOL.match(text) is None


def with_remarks(statements: Sequence[Statement], node: Node, is_function: bool) -> list[Statement]:
    """The statements of a definition with its comments and docstrings between them, each where it stands.

    Definitions inside a class or a module have their own; those inside a function belong to it.
    """
    remarks = list(_joined(_found(node, is_function)))[::-1]
    out: list[Statement] = []
    moved: dict[int, int] = {}
    for index, statement in enumerate(statements):
        while remarks and remarks[-1].line < statement.line:
            _add(out, remarks.pop())
        moved[index] = len(out)
        units = [Unit(each.concept, each.terms, each.line, each.end_line, len(out)) for each in statement.units]
        parent = moved.get(statement.parent, -1)
        out.append(Statement(statement.line, statement.end_line, parent, statement.raw, units))
    for remark in reversed(remarks):
        _add(out, remark)
    return out


def _add(out: list[Statement], remark: _Remark) -> None:
    words = WORD.findall(remark.text)
    lead = "#" if remark.concept == "comment" else '"""'
    unit = Unit(remark.concept, (lead, *words), remark.line, remark.end_line, len(out))
    out.append(Statement(remark.line, remark.end_line, -1, "".join(words).encode(), [unit]))


def _found(node: Node, is_function: bool) -> Iterator[_Remark]:
    """The comments and docstrings in source order. Without recursion: the nesting may be deep."""
    waiting = list(reversed(node.children))
    while waiting:
        each = waiting.pop()
        if each.type == "comment":
            text = text_of(each).lstrip("#!:")
            before = each.prev_sibling
            is_alone = before is None or before.end_point[0] != each.start_point[0]
            if is_remark(text):
                yield _Remark("comment", text, each.start_point[0] + 1, each.end_point[0] + 1, is_alone)
        elif each.type == "expression_statement" and [child.type for child in each.children] == ["string"]:
            inside = _QUOTES.fullmatch(text_of(each))
            if inside is not None and is_remark(inside[2]):
                yield _Remark("docstring", inside[2], each.start_point[0] + 1, each.end_point[0] + 1, False)
        elif is_function or each.type not in FUNCTION_KINDS:
            waiting.extend(reversed(each.children))


def _joined(remarks: Iterator[_Remark]) -> Iterator[_Remark]:
    """The remarks with comments on lines of their own that follow each other put together."""
    row: list[_Remark] = []
    for each in remarks:
        if row and not (row[-1].is_alone and each.is_alone and each.line == row[-1].end_line + 1):
            yield _as_one(row)
            row = []
        row.append(each)
    if row:
        yield _as_one(row)


def _as_one(row: Sequence[_Remark]) -> _Remark:
    first, last = row[0], row[-1]
    text = " ".join(each.text for each in row)
    return _Remark(first.concept, text, first.line, last.end_line, first.is_alone)
