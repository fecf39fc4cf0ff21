"""One statement as it reads by itself: its words without its inner blocks, and what they give, take and bind."""

from collections.abc import Iterator

from tree_sitter import Node

from consistency_bot.syntax.bindings import names_in
from consistency_bot.syntax.kept import kept
from consistency_bot.syntax.nodes import line_of
from consistency_bot.syntax.parsed import Expression, bound
from consistency_bot.syntax.reading import parsed, squeezed
from consistency_bot.syntax.statement_nodes import VALUES, headers_of, items_of, kind_of, targets_of
from consistency_bot.syntax.statements import undecorated
from consistency_bot.syntax.terms import text_of

COMPOUND = frozenset({"if", "with", "for", "while", "try", "match"})
"""Kinds of statements with inner blocks."""


class Spoken:
    """A statement. `kind` is what `kind_of` tells. `own` is its text without its inner blocks."""

    __slots__ = ("__dict__", "kind", "node")

    def __init__(self, node: Node) -> None:
        self.node = node
        self.kind = kind_of(node)

    @kept
    def line(self) -> int:
        """Its first line, counted from 1."""
        return line_of(self.node)

    @property
    def end_line(self) -> int:
        """The last line of the whole statement."""
        return self.node.end_point[0] + 1

    @property
    def own_end_line(self) -> int:
        """The last line of the statement without its inner blocks."""
        inner = next((child for child in self.node.children if child.type == "block"), None)
        return self.node.end_point[0] + 1 if inner is None else max(self.line, inner.start_point[0])

    @kept
    def text(self) -> bytes:
        """The source of the whole statement."""
        return self.node.text or b""

    @kept
    def own(self) -> bytes:
        """The source without the inner blocks: of an `if` all of its tests."""
        if self.kind not in COMPOUND:
            return self.text
        return b" ".join(child.text or b"" for child in headers_of(self.node))

    @kept
    def value(self) -> Expression | None:
        """What is assigned, returned, raised, iterated over or called; None where the statement has no such thing."""
        node = VALUES[self.kind](self.node) if self.kind in VALUES else None
        return parsed(node) if node is not None else None

    @property
    def operator(self) -> str:
        """`+=` and the like of an augmented assignment; empty for others."""
        node = self.node.named_children[0].child_by_field_name("operator") if self.kind == "augment" else None
        return text_of(node) if node is not None else ""

    @kept
    def subject(self) -> Expression | None:
        """What a `match` looks at."""
        node = self.node.child_by_field_name("subject") if self.kind == "match" else None
        return parsed(node) if node is not None else None

    @kept
    def targets(self) -> tuple[Expression, ...]:
        """What is assigned to, the first one first; empty for statements that assign nothing."""
        return tuple(parsed(node) for node in targets_of(self.node, self.kind))

    @kept
    def items(self) -> tuple[tuple[Expression, str], ...]:
        """The contexts of a `with` and the name each is bound to, which may be empty."""
        return tuple(items_of(self.node)) if self.kind == "with" else ()

    @kept
    def binds(self) -> frozenset[str]:
        """Names and dotted names that this statement itself gives a value to."""
        return frozenset(_binds(self))

    @kept
    def name(self) -> str:
        """The name of what a `define` defines."""
        name = undecorated(self.node)[1].child_by_field_name("name")
        return text_of(name) if name is not None else ""


def _binds(step: Spoken) -> Iterator[str]:
    if step.kind in ("assign", "augment", "for"):
        for target in step.targets:
            yield from bound(target)
    elif step.kind == "with":
        yield from (name for _, name in step.items if name)
    elif step.kind == "define":
        yield step.name
    elif step.kind == "import":
        yield from (alias or text_of(place.children[0]) for _, alias, place in names_in(step.node))
    elif step.kind == "delete":
        yield from (squeezed(child) for child in step.node.named_children)
