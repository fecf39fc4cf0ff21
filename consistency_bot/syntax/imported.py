"""What the imports of a file make its names stand for."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from consistency_bot.syntax.bindings import names_in
from consistency_bot.syntax.nodes import line_of
from consistency_bot.syntax.outline import Source
from consistency_bot.syntax.parsed import Attribute, Expression, Name
from consistency_bot.syntax.terms import text_of


class Imported(NamedTuple):
    """One name that an import binds: the name, the dotted name it stands for, and the line."""

    name: str
    full: str
    line: int


def imports_of(source: Source) -> Iterator[Imported]:
    """Every name that an import of the file binds, those inside functions included.

    `import a.b` binds `a`; a relative import keeps its dots: `.patches.apply`.
    """
    for node in source.import_nodes:
        yield from _bound(node)


def dotted(expression: Expression, names: Mapping[str, str]) -> str:
    """The full dotted name that an expression reads, as far as `names` tell; empty where it is none."""
    if isinstance(expression, Name):
        return names.get(expression.name, expression.name)
    if isinstance(expression, Attribute):
        owner = dotted(expression.owner, names)
        return f"{owner}.{expression.name}" if owner else ""
    return ""


def _bound(node: Node) -> Iterator[Imported]:
    module = node.child_by_field_name("module_name")
    home = text_of(module) if module is not None else ""
    prefix = home if not home or home.endswith(".") else f"{home}."
    for name, alias, place in names_in(node):
        bound = name if alias or home else name.partition(".")[0]
        yield Imported(alias or bound, prefix + bound, line_of(place))
