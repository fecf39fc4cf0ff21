"""Conditions in normal form: what says the same by a `not` further out, a mirrored comparison or another order."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from consistency_bot.syntax.terms import Terms, Token, sort_key

if TYPE_CHECKING:
    from consistency_bot.syntax.expressions import TermReader

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">", "in": "not in", "not in": "in"}
_OPPOSITE |= {"is": "is not", "is not": "is"}
_MIRRORED = {">": "<", ">=": "<="}


def condition(reader: "TermReader", node: Node, negated: bool = False) -> Terms:
    """A condition in normal form, where `and` and `or` carry no order."""
    kind = node.type
    if kind == "parenthesized_expression":
        inner = [child for child in node.named_children if not child.is_extra]
        return condition(reader, inner[0], negated) if len(inner) == 1 else reader.read(node)
    if kind == "not_operator":
        return condition(reader, reader.parts(node)[-1], not negated)
    if kind == "boolean_operator":
        word = "and" if (reader.parts(node)[1].type == "and") != negated else "or"
        members = _operands(reader, node, word, negated)
        return (word, tuple(sorted(members, key=sort_key)))
    if kind == "comparison_operator":
        return _comparison(reader, node, negated)
    terms = reader.read(node)
    return ("not", *terms) if negated else terms


def _operands(reader: "TermReader", node: Node, word: str, negated: bool) -> list[Terms]:
    operands: list[Terms] = []
    children = reader.parts(node)
    for child in (children[0], children[-1]):
        operands.extend(members_of(condition(reader, child, negated), word))
    return operands


def members_of(terms: Terms, word: str) -> tuple[Terms, ...]:
    """What `and` or `or` connects in a condition; a condition of another kind is its own only member."""
    if len(terms) == 2 and terms[0] == word and isinstance(terms[1], tuple):
        return terms[1]
    return (terms,)


def _comparison(reader: "TermReader", node: Node, negated: bool) -> Terms:
    children = reader.parts(node)
    if len(children) != 3:
        out: list[Token] = ["not"] if negated else []
        for child in children:
            reader.into(child, out)
        return tuple(out)
    left, operator, right = reader.read(children[0]), children[1], reader.read(children[2])
    word = " ".join(reader.text_of(operator).split())
    if negated:
        word = _OPPOSITE.get(word, "not " + word)
    if word in _MIRRORED:
        left, right, word = right, left, _MIRRORED[word]
    if word in ("==", "!="):
        return (word, tuple(sorted((left, right), key=sort_key)))
    return (*left, word, *right)
