"""What the imports of a file make its names stand for."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tree_sitter import Node

from consistency_bot.syntax.outline import Source
from consistency_bot.syntax.parsed import Attribute, Expression, Name
from consistency_bot.syntax.terms import significant, text_of


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
    for child in significant(node):
        if child == module or child.type not in ("dotted_name", "aliased_import"):
            continue
        name = text_of(child.children[0]) if child.type == "aliased_import" else text_of(child)
        line = child.start_point[0] + 1
        if child.type == "aliased_import":
            yield Imported(text_of(child.children[-1]), prefix + name, line)
        else:
            bound = name if home else name.partition(".")[0]
            yield Imported(bound, prefix + bound, line)
