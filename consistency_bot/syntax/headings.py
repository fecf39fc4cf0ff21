"""What a function, a class or a module says of itself before its body."""

from collections.abc import Sequence

from tree_sitter import Node

from consistency_bot.syntax.kept import kept
from consistency_bot.syntax.parsed import Expression
from consistency_bot.syntax.reading import parsed
from consistency_bot.syntax.statement_nodes import Parameter, parameters_of
from consistency_bot.syntax.terms import significant, text_of


class Heading:
    """Its name, decorators, bases and parameters; each is empty where it has none."""

    def __init__(self, node: Node, decorators: Sequence[Node]) -> None:
        self.node = node
        self._decorators = decorators

    @property
    def name(self) -> str:
        """The name; empty for a module."""
        name = self.node.child_by_field_name("name")
        return text_of(name) if name is not None else ""

    @property
    def is_function(self) -> bool:
        """Whether it is a function: what a class or a module defines is no part of that."""
        return self.node.type == "function_definition"

    @kept
    def decorators(self) -> tuple[Expression, ...]:
        """The decorators' expressions."""
        nodes = (significant(each) for each in self._decorators)
        return tuple(parsed(each[-1]) for each in nodes if each)

    @kept
    def bases(self) -> tuple[str, ...]:
        """The last names of a class's bases."""
        node = self.node.child_by_field_name("superclasses")
        named = (child for child in significant(node) if child.type in ("identifier", "attribute")) if node else ()
        return tuple(text_of(child).rpartition(".")[2] for child in named)

    @kept
    def parameters(self) -> tuple[Parameter, ...]:
        """The parameters in order, `self` included."""
        node = self.node.child_by_field_name("parameters")
        return tuple(parameters_of(node)) if node is not None else ()

    @kept
    def text(self) -> bytes:
        """The source."""
        return self.node.text or b""
