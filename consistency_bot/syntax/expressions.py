"""Reads expressions into terms: one function per kind of node, and the table that names them."""

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter
from typing import TypeAlias

from tree_sitter import Node

from consistency_bot.syntax.conditions import condition
from consistency_bot.syntax.constants import float_into, integer_into, string_into
from consistency_bot.syntax.grouping import is_needed
from consistency_bot.syntax.terms import (
    CLOSES,
    MADE_UP,
    MESSAGE_CALLS,
    OPENS,
    PROSE,
    Piece,
    Terms,
    Token,
    significant,
)
from consistency_bot.syntax.text import BACKSLASH, HASH

_ALL_CHILDREN = attrgetter("children")


class TermReader:
    """Reads one statement's expressions. `pieces` collects the keyword arguments and dictionary entries met.

    `parts` gives the children of a node without comments and line continuations; `text`, which is the statement's own,
    tells whether there can be any.
    """

    __slots__ = ("_data", "aliases", "parts", "pieces", "prefixes")

    def __init__(self, data: bytes, text: bytes, prefixes: frozenset[str], aliases: Mapping[str, str]) -> None:
        self._data = data
        self.parts: Callable[[Node], list[Node]] = significant if HASH in text or BACKSLASH in text else _ALL_CHILDREN
        self.pieces: list[Piece] = []
        self.prefixes = prefixes
        self.aliases = aliases

    def text_of(self, node: Node) -> str:
        """The same as `terms.text_of`, four times as fast as `Node.text`."""
        return self._data[node.start_byte : node.end_byte].decode("utf-8", "replace") or MADE_UP

    def read(self, node: Node) -> Terms:
        """The expression in normal form."""
        out: list[Token] = []
        self.into(node, out)
        return tuple(out)

    def into(self, node: Node, out: list[Token]) -> None:
        """Appends the expression's tokens to `out`."""
        method = _READERS.get(node.type)
        if method is not None:
            method(self, node, out)
            return
        children = self.parts(node)
        if not children:
            out.append(self.text_of(node))
        for child in children:
            self.into(child, out)


def _identifier(reader: TermReader, node: Node, out: list[Token]) -> None:
    name = reader.text_of(node)
    out.append(reader.aliases.get(name, name))


def _subscript(reader: TermReader, node: Node, out: list[Token]) -> None:
    """`x["a", "b"]` and `x[("a", "b")]` are one thing."""
    value, *rest = [child for child in reader.parts(node) if child.is_named]
    reader.into(value, out)
    if len(rest) == 1 and rest[0].type == "tuple":
        rest = [child for child in reader.parts(rest[0]) if child.is_named]
    out.append("[")
    for index, child in enumerate(rest):
        if index:
            out.append(",")
        reader.into(child, out)
    out.append("]")


def _skip(reader: TermReader, node: Node, out: list[Token]) -> None:
    for child in reader.parts(node):
        if child.is_named:
            reader.into(child, out)


def _parenthesized(reader: TermReader, node: Node, out: list[Token]) -> None:
    if is_needed(node):
        out.append(OPENS)
        _skip(reader, node, out)
        out.append(CLOSES)
    else:
        _skip(reader, node, out)


def _attribute(reader: TermReader, node: Node, out: list[Token]) -> None:
    children = reader.parts(node)
    owner, name = children[0], children[-1]
    # The name at the left end decides for nearly every chain: what stands in between is looked at where it is a module.
    if reader.text_of(owner).partition(".")[0].rstrip() in reader.prefixes and _only_says_where(reader, owner):
        out.append(reader.text_of(name))
        return
    reader.into(owner, out)
    out.append("." + reader.text_of(name))


def _only_says_where(reader: TermReader, owner: Node) -> bool:
    """Whether `os.path` in `os.path.join` is what an import of another style leaves out: `path.join`, `join`.

    As of an imported name itself, a capital letter marks what is more than a place: `Enum` in `enums.Enum.MEMBER`.
    """
    while owner.type == "attribute":
        owner, name = (children := reader.parts(owner))[0], children[-1]
        if not reader.text_of(name)[:1].islower():
            return False
    return owner.type == "identifier" and reader.text_of(owner) in reader.prefixes


def _call(reader: TermReader, node: Node, out: list[Token]) -> None:
    children = reader.parts(node)
    reader.into(children[0], out)
    if children[-1].type != "argument_list":
        reader.into(children[-1], out)
        return
    callee = next((token.lstrip(".") or token for token in reversed(out) if isinstance(token, str)), MADE_UP)
    out.append("(")
    _arguments(reader, children[-1], out, callee)
    out.append(")")


def _arguments(reader: TermReader, node: Node, out: list[Token], callee: str) -> None:
    is_message = callee in MESSAGE_CALLS
    wide = ("list_splat", "dictionary_splat")
    for child in reader.parts(node):
        if child.type == "keyword_argument":
            pieces = reader.parts(child)
            terms: list[Token] = [callee, "(", reader.text_of(pieces[0]) + "="]
            reader.into(pieces[-1], terms)
            reader.pieces.append(Piece("argument", tuple(terms), child.start_point[0]))
        elif child.type in wide:
            reader.pieces.append(Piece("argument", (callee, "(", *reader.read(child)), child.start_point[0]))
        elif child.is_named:
            if is_message and child.type in ("string", "concatenated_string"):
                out.append(PROSE)
            else:
                reader.into(child, out)
            out.append(",")


def _dictionary(reader: TermReader, node: Node, out: list[Token]) -> None:
    out.append("{")
    for child in reader.parts(node):
        if child.type == "pair":
            pieces = reader.parts(child)
            terms: list[Token] = ["{"]
            reader.into(pieces[0], terms)
            terms.append(":")
            reader.into(pieces[-1], terms)
            reader.pieces.append(Piece("entry", tuple(terms), child.start_point[0]))
        elif child.is_named:
            reader.into(child, out)
    out.append("}")


def _elements(reader: TermReader, node: Node, out: list[Token]) -> None:
    children = [child for child in reader.parts(node) if child.is_named]
    bracket = "[" if node.type == "list" else "{"
    if len(children) < 3:
        out.append(bracket)
        for child in children:
            reader.into(child, out)
            out.append(",")
        out.append("]")
        return
    for child in children:
        terms: list[Token] = [bracket]
        reader.into(child, terms)
        reader.pieces.append(Piece("element", tuple(terms), child.start_point[0]))
    out.append(bracket + "]")


def _sequence(reader: TermReader, node: Node, out: list[Token]) -> None:
    out.append("(")
    for child in reader.parts(node):
        if child.is_named:
            reader.into(child, out)
            out.append(",")
    out.append(")")


def _boolean(reader: TermReader, node: Node, out: list[Token]) -> None:
    children = reader.parts(node)
    reader.into(children[0], out)
    out.append(children[1].type)
    reader.into(children[-1], out)


def _condition(reader: TermReader, node: Node, out: list[Token]) -> None:
    out.extend(condition(reader, node))


def _conditional(reader: TermReader, node: Node, out: list[Token]) -> None:
    children = reader.parts(node)
    if len(children) != 5:
        _skip(reader, node, out)
        return
    out.append("if")
    out.extend(condition(reader, children[2]))
    out.append("then")
    reader.into(children[0], out)
    out.append("else")
    reader.into(children[4], out)


def _await(reader: TermReader, node: Node, out: list[Token]) -> None:
    children = reader.parts(node)
    if children:  # in code that is broken the bare word can stand alone
        reader.into(children[-1], out)


def _lambda(reader: TermReader, node: Node, out: list[Token]) -> None:
    out.append("lambda")
    _skip(reader, node, out)


def _for_clause(reader: TermReader, node: Node, out: list[Token]) -> None:
    out.append("for")
    for child in reader.parts(node):
        if child.is_named:
            reader.into(child, out)
        elif child.type == "in":
            out.append("in")


def _if_clause(reader: TermReader, node: Node, out: list[Token]) -> None:
    out.append("if")
    out.extend(condition(reader, reader.parts(node)[-1]))


def _assignment(reader: TermReader, node: Node, out: list[Token]) -> None:
    children = reader.parts(node)
    reader.into(children[0], out)
    out.append("=")
    reader.into(children[-1], out)


def _keyword_parameter(reader: TermReader, node: Node, out: list[Token]) -> None:
    children = [child for child in reader.parts(node) if child.is_named and child.type != "type"]
    for child in children:
        reader.into(child, out)


_Method: TypeAlias = Callable[[TermReader, Node, list[Token]], None]


def _table(rows: Iterable[tuple[str, _Method]]) -> dict[str, _Method]:
    return {kind: method for kinds, method in rows for kind in kinds.split()}


_READERS = _table(
    (
        ("identifier", _identifier),
        ("subscript", _subscript),
        ("integer", integer_into),
        ("float", float_into),
        ("parenthesized_expression", _parenthesized),
        ("attribute", _attribute),
        ("call", _call),
        ("dictionary", _dictionary),
        ("list set", _elements),
        ("tuple expression_list pattern_list tuple_pattern list_pattern", _sequence),
        ("boolean_operator", _boolean),
        ("not_operator comparison_operator", _condition),
        ("conditional_expression", _conditional),
        ("string concatenated_string", string_into),
        ("await", _await),
        ("lambda", _lambda),
        ("for_in_clause", _for_clause),
        ("if_clause", _if_clause),
        ("assignment", _assignment),
        ("default_parameter typed_parameter typed_default_parameter", _keyword_parameter),
    )
)
