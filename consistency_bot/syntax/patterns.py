"""Structural patterns: Python with `$NAME` for any expression and `$$$` for any number of them.

`f($X, $X)` matches a call with the same argument twice, `f($$$)` one with any. Layout, quotes and comments do not
matter. A pattern is one expression or one statement.
"""

import re
from collections.abc import Iterator

from tree_sitter import Node

from consistency_bot.syntax.outline import Source
from consistency_bot.syntax.rows import Readings
from consistency_bot.syntax.terms import significant, text_of

_PLACEHOLDER = re.compile(r"\$\$\$|\$([A-Z_][A-Z0-9_]*)")
_ONE = "placeholder_of_one_"
_ANY = "placeholder_of_any"
_SILENT = frozenset({",", "(", ")", "[", "]", "{", "}", ":", ";"})
_MOST_STEPS = 200_000
"""Comparisons in one file; a pattern of many `$$$` stops there."""


class Pattern:
    """A pattern, ready to be looked for. Raises `ValueError` where it is no Python."""

    def __init__(self, text: str) -> None:
        code = _PLACEHOLDER.sub(lambda found: _ANY if found[1] is None else _ONE + found[1], text.strip())
        source = Source("pattern", code.encode(), Readings())
        nodes = source.root.named_children
        if source.root.has_error or len(nodes) != 1:
            raise ValueError("it is neither one expression nor one statement of Python")
        node = nodes[0]
        inner = node.named_children
        self._source = source  # the tree lives as long as it does
        self._node = inner[0] if node.type == "expression_statement" and len(inner) == 1 else node
        self._words = [word for word in re.findall(rb"\w+", source.data) if not word.startswith(b"placeholder_of_")]
        self._steps = 0

    def lines(self, source: Source) -> Iterator[tuple[int, int]]:
        """First and last line of every match in a file, in source order."""
        if not all(word in source.data for word in self._words):
            return
        self._steps = 0
        for node in self._candidates(source):
            if self._matches(self._node, node, {}):
                yield node.start_point[0] + 1, node.end_point[0] + 1

    def _candidates(self, source: Source) -> Iterator[Node]:
        """The nodes that may match, in source order: those around the word that is rarest in the file, else all."""
        if not self._words:
            todo = [source.root]
            while todo:
                node = todo.pop()
                yield node
                todo.extend(reversed(node.named_children))
            return
        rarest = min(self._words, key=source.data.count)
        seen: set[int] = set()
        for found in re.finditer(rb"\b%s\b" % re.escape(rarest), source.data):
            for node in _around(source, found.start()):
                if node.id not in seen:
                    seen.add(node.id)
                    yield node

    def _matches(self, pattern: Node, node: Node, bound: dict[str, str]) -> bool:
        self._steps += 1
        if self._steps > _MOST_STEPS:
            return False
        name = text_of(pattern) if pattern.type == "identifier" else ""
        if name.startswith(_ONE):
            said = "".join(text_of(node).split())
            return node.is_named and bound.setdefault(name, said) == said
        if pattern.type != node.type:
            return False
        if pattern.type == "string":
            return _content(pattern) == _content(node)
        theirs = _parts(pattern)
        if not theirs:
            return text_of(pattern) == text_of(node)
        return self._all(theirs, _parts(node), bound)

    def _all(self, patterns: list[Node], nodes: list[Node], bound: dict[str, str]) -> bool:
        """Whether the patterns match the nodes one by one, `$$$` as many as it takes."""
        if not patterns:
            return not nodes
        if _is_any(patterns[0]):
            return any(self._all(patterns[1:], nodes[skipped:], dict(bound)) for skipped in range(len(nodes) + 1))
        return bool(nodes) and self._matches(patterns[0], nodes[0], bound) and self._all(patterns[1:], nodes[1:], bound)


def _around(source: Source, start: int) -> Iterator[Node]:
    """The nodes that a byte lies in, the module first. From the top, since asking for parents begins there each time."""
    cursor = source.root.walk()
    while cursor.node is not None:
        yield cursor.node
        if cursor.goto_first_child_for_byte(start) is None or cursor.node.start_byte > start:
            return


def _is_any(node: Node) -> bool:
    """Whether a part of the pattern is `$$$`, alone or as a statement of its own."""
    return text_of(node) == _ANY


def _parts(node: Node) -> list[Node]:
    """The children that say something, comments and punctuation left out."""
    return [child for child in significant(node) if child.is_named or text_of(child) not in _SILENT]


def _content(node: Node) -> str:
    return "".join(text_of(child) for child in node.children if child.type not in ("string_start", "string_end"))
