"""The body of one definition as a sequence of statements, each with its units.

A unit is the smallest thing that can agree: one alternative of a condition, a call without its
keywords, each keyword, an assignment, a raise. Statements keep their nesting, so that a unit can be asked what guards it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from consistency_bot.syntax.bindings import given_in
from consistency_bot.syntax.expressions import TermReader
from consistency_bot.syntax.rows import Known, Row
from consistency_bot.syntax.said import BLOCKS, parameters_of, said_by
from consistency_bot.syntax.terms import significant, text_of
from consistency_bot.syntax.text import HASH
from consistency_bot.syntax.units import Block, Statement, Unit

_WORD = re.compile(r"[^\W\d]\w*")
FUNCTION_KINDS = frozenset({"function_definition", "class_definition", "decorated_definition"})
_SILENT = frozenset(
    {"pass_statement", "import_statement", "import_from_statement", "future_import_statement", "global_statement"}
    | {"nonlocal_statement", "type_alias_statement", "comment"}
)


class BodyReader:
    """Reads bodies of one file. What has the same text is read once."""

    def __init__(self, data: bytes, prefixes: frozenset[str], aliases: Mapping[str, str], known: Known) -> None:
        self._data = data
        self._prefixes = prefixes
        self._words = frozenset(map(str.encode, prefixes))
        self._aliases = aliases
        self._rows, self._blocks = known.rows, known.blocks

    def function(self, definition: Node, decorators: Iterable[Node]) -> list[Statement]:
        """The statements of a function: decorators and signature first, then its body, nested functions included."""
        shadowed = self._shadowed_by(definition)
        if shadowed:
            return self._without(shadowed).function(definition, decorators)
        out: list[Statement] = []
        self._decorators(decorators, out)
        self._signature(definition, out)
        body = definition.child_by_field_name("body")
        if body is not None:
            self._function_body(body, -1, out)
        return out

    def _shadowed_by(self, definition: Node) -> frozenset[str]:
        """Names of imported modules that are parameters or variables in this function, and so no modules there."""
        given = given_in(definition, self._text(definition), self._words)
        parameters = definition.child_by_field_name("parameters")
        if parameters is None or self._prefixes.isdisjoint(_WORD.findall(self._text(parameters).decode())):
            return given
        return given.union(self._prefixes.intersection(text_of(names[0]) for _, names in parameters_of(parameters)))

    def _without(self, names: frozenset[str]) -> "BodyReader":
        aliases = {alias: name for alias, name in self._aliases.items() if alias not in names}
        return BodyReader(self._data, self._prefixes - names, aliases, Known(None, ()))

    def class_header(self, definition: Node, decorators: Iterable[Node]) -> list[Statement]:
        """Decorators, bases and the statements of a class body that are not definitions."""
        out: list[Statement] = []
        self._decorators(decorators, out)
        bases = definition.child_by_field_name("superclasses")
        if bases is not None:
            self._add(out, bases, -1, "base class", bases)
        body = definition.child_by_field_name("body")
        if body is not None:
            self._block(body, -1, out, skip_definitions=True)
        return out

    def module(self, root: Node) -> list[Statement]:
        """The statements at module level that are not definitions or imports."""
        out: list[Statement] = []
        self._block(root, -1, out, skip_definitions=True)
        return out

    def _add(self, out: list[Statement], node: Node, parent: int, how: str, *spoken: Node) -> int:
        """Appends one statement whose text is `spoken`; returns its index."""
        first, last = spoken[0], spoken[-1]
        line, end_line = first.start_point[0] + 1, last.end_point[0] + 1
        text = self._text(first) if first is last else b" ".join(map(self._text, spoken))
        raw = b"".join(text.split() if HASH not in text else map(_squeezed, spoken))
        rows = self._rows.find(how, text)
        if rows is None:
            rows = list(self._read(how, text, first.start_point[0], spoken))
            self._rows.keep(how, text, rows)
        index = len(out)
        units = [Unit(c, terms, line + low, line + high, index) for c, terms, low, high in rows]
        out.append(Statement(line, end_line, parent, raw, units))
        return index

    def _text(self, node: Node) -> bytes:
        return self._data[node.start_byte : node.end_byte]

    def _read(self, how: str, text: bytes, row: int, spoken: tuple[Node, ...]) -> Iterator[Row]:
        reader = TermReader(self._data, text, self._prefixes, self._aliases)
        height = spoken[-1].end_point[0] - row
        for concept, terms in said_by(reader, how, spoken):
            yield concept, terms, 0, height
        for piece in reader.pieces:
            yield piece.concept, piece.terms, piece.line - row, piece.line - row

    def _decorators(self, decorators: Iterable[Node], out: list[Statement]) -> None:
        for decorator in decorators:
            self._add(out, decorator, -1, "decorator", decorator)

    def _signature(self, definition: Node, out: list[Statement]) -> None:
        parameters = definition.child_by_field_name("parameters")
        if parameters is not None:
            self._add(out, parameters, -1, "parameter", parameters)

    def _function_body(self, body: Node, parent: int, out: list[Statement]) -> None:
        """The statements of a body, without a last `return None`: every function ends so."""
        children = [child for child in body.named_children if not child.is_extra]
        ends = bool(children) and children[-1].type == "return_statement"
        if ends and self._text(children[-1]).split() in ([b"return"], [b"return", b"None"]):
            children.pop()
        self._nodes(children, parent, out)

    def _block(self, block: Node, parent: int, out: list[Statement], skip_definitions: bool = False) -> None:
        self._nodes(block.named_children, parent, out, skip_definitions)

    def _nodes(self, nodes: Iterable[Node], parent: int, out: list[Statement], skip_definitions: bool = False) -> None:
        for node in nodes:
            kind = node.type
            if kind in FUNCTION_KINDS:
                if not skip_definitions:
                    self._nested(node, parent, out)
            elif kind not in _SILENT:
                self._statement(node, kind, parent, out, skip_definitions)

    def _nested(self, node: Node, parent: int, out: list[Statement]) -> None:
        decorators, definition = undecorated(node)
        name = definition.child_by_field_name("name")
        if name is None:
            return
        index = self._add(out, name, parent, "definition", name)
        self._decorators(decorators, out)
        self._signature(definition, out)
        body = definition.child_by_field_name("body")
        if body is not None:
            self._function_body(body, index, out)

    def _statement(self, node: Node, kind: str, parent: int, out: list[Statement], skip_definitions: bool) -> None:
        if kind == "if_statement" or kind in BLOCKS:
            self._compound_or_known(node, kind, parent, out, skip_definitions)
        elif kind == "expression_statement":
            children = significant(node)
            if len(children) == 1 and children[0].type not in ("string", "concatenated_string", "ellipsis"):
                self._add(out, node, parent, "expression", children[0])
            elif len(children) > 1:
                self._add(out, node, parent, "expression", node)
        else:
            self._add(out, node, parent, kind, node)

    def _compound_or_known(
        self, node: Node, kind: str, parent: int, out: list[Statement], skip_definitions: bool
    ) -> None:
        """A compound statement with all that is in it, which the other revision mostly has too."""
        how = "without definitions" if skip_definitions else "with definitions"
        text, line, start = self._text(node), node.start_point[0], len(out)
        known = self._blocks.find(how, text)
        if known is not None:
            known.put(out, parent, line)
            return
        if kind == "if_statement":
            self._if(node, parent, out, skip_definitions)
        else:
            self._compound(node, kind, parent, out, skip_definitions)
        read = out[start:]
        if not any(unit.concept == "definition" for each in read for unit in each.units):  # its signature has no parent
            self._blocks.keep(how, text, Block(read, start, parent, line))

    def _compound(self, node: Node, kind: str, parent: int, out: list[Statement], skip_definitions: bool) -> None:
        children = significant(node)
        header = [child for child in children if child.is_named and child.type not in _BODIES]
        index = parent
        if header and kind != "else_clause":
            index = self._add(out, node, parent, kind, *header)
        elif kind == "finally_clause" or (kind == "except_clause" and not header):
            index = self._add(out, node, parent, kind, children[0])
        for child in children:
            if child.type == "block":
                self._block(child, index, out, skip_definitions)
            elif child.type in _BODIES:
                inner = parent if kind == "try_statement" else index
                self._compound(child, child.type, inner, out, skip_definitions)

    def _if(self, node: Node, parent: int, out: list[Statement], skip_definitions: bool) -> None:
        """An `if` chain. Neighbouring branches with one body are one branch: `if a: X elif b: X` says `if a or b: X`."""
        branches = list(_branches(node))
        if len(branches) == 1:
            conditions, body = _nested_ifs(*branches[0])
            how = ("guard" if _raises(body) else "condition") + (" all" if len(conditions) > 1 else "")
            self._block(body, self._add(out, node, parent, how, *conditions), out, skip_definitions)
            return
        is_first = True
        while branches:
            start = len(out)
            condition, body = branches.pop(0)
            conditions = [condition] if condition is not None else []
            while condition is not None and branches and _squeezed(branches[0][1]) == _squeezed(body):
                following = branches.pop(0)[0]
                conditions.extend([following] if following is not None else [])
            index = parent
            for each in conditions:
                index = self._add(out, node, parent, "guard" if _raises(body) else "condition", each)
            self._block(body, index, out, skip_definitions)
            for statement in out[start:] if not is_first else ():
                statement.is_otherwise = statement.is_otherwise or statement.parent == parent
            is_first = False


_BODIES = frozenset({"block", "except_clause", "except_group_clause", "else_clause", "finally_clause", "case_clause"})


def undecorated(node: Node) -> tuple[list[Node], Node]:
    """The decorators of a definition, and the definition itself."""
    if node.type != "decorated_definition":
        return [], node
    children = significant(node)
    return children[:-1], children[-1]


def _branches(node: Node) -> Iterator[tuple[Node | None, Node]]:
    """(condition or None for `else`, block) for every branch of an `if` chain."""
    for child in [node, *node.children_by_field_name("alternative")]:
        body = child.child_by_field_name("body" if child.type == "else_clause" else "consequence")
        if body is not None:
            yield child.child_by_field_name("condition"), body


def _nested_ifs(condition: Node | None, body: Node) -> tuple[list[Node], Node]:
    """The conditions that must all hold, and the block they guard: `if a: if b: X` says `if a and b: X`."""
    conditions = [condition] if condition is not None else []
    while True:
        children = [child for child in body.named_children if not child.is_extra]
        branches = list(_branches(children[0])) if len(children) == 1 and children[0].type == "if_statement" else []
        if len(branches) != 1 or branches[0][0] is None:
            return conditions, body
        conditions.append(branches[0][0])
        body = branches[0][1]


def _raises(body: Node) -> bool:
    children = [child for child in body.named_children if not child.is_extra]
    return bool(children) and children[-1].type == "raise_statement"


def _squeezed(node: Node) -> bytes:
    """The node's source without white space and comments."""
    text = node.text or b""
    if HASH in text:
        spoken: list[bytes] = []
        end = 0
        for first, last in _comments(node, text):
            spoken.append(text[end : first - node.start_byte])
            end = last - node.start_byte
        text = b" ".join([*spoken, text[end:]])
    return b"".join(text.split())


def _comments(node: Node, text: bytes) -> Iterator[tuple[int, int]]:
    """First and last byte of each comment inside a node, whose text this is.

    Without recursion: the nesting may be deep. What has no `#` in it is passed by.
    """
    cursor = node.walk()
    start = node.start_byte
    while (each := cursor.node) is not None:
        if each.type == "comment":
            yield each.start_byte, each.end_byte
        elif text.find(b"#", each.start_byte - start, each.end_byte - start) >= 0 and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
