"""Which parentheses say something: those without which Python would bind otherwise. `(a + b) * c` is not `a + b * c`.

All others are lay-out, and are not part of the normal form. How tightly things bind is told by numbers, in the order of
the table of operator precedence in Python's language reference.
"""

from collections.abc import Mapping
from typing import Final

from tree_sitter import Node

from consistency_bot.syntax.terms import CLOSES, OPENS, Terms, Token, outside_brackets, sort_key

_OR: Final = 3
_AND: Final = 4
_NOT: Final = 5
_COMPARISON: Final = 6
_UNARY: Final = 13
_POWER: Final = 14
_PRIMARY: Final = 16

_OPERATORS = {
    "|": 7,
    "^": 8,
    "&": 9,
    **dict.fromkeys(("<<", ">>"), 10),
    **dict.fromkeys(("+", "-"), 11),
    **dict.fromkeys(("*", "@", "/", "//", "%"), 12),
    "**": _POWER,
}
_COMPARING = frozenset({"<", "<=", ">", ">=", "==", "!=", "<>", "in", "not in", "is", "is not"})
_WORDS = {":=": 0, "yield": 0, "lambda": 1, "if": 2, "or": _OR, "and": _AND, "not": _NOT}
_WORDS |= dict.fromkeys(_COMPARING, _COMPARISON) | _OPERATORS

_NODES = {
    "named_expression": 0,
    "yield": 0,
    "lambda": 1,
    "conditional_expression": 2,
    "not_operator": _NOT,
    "comparison_operator": _COMPARISON,
    "unary_operator": _UNARY,
}
_SIGNS = frozenset({"+", "-", "~"})
_BEFORE_A_VALUE = frozenset({"return", "then", "else", "for"})
_HEADS = frozenset({"attribute", "call", "subscript"})
"""Nodes whose first child has to bind more tightly than any operator does."""

_SEEN_THROUGH = frozenset({"parenthesized_expression", "await"})


def is_needed(node: Node) -> bool:
    """Whether what stands in these parentheses would be bound otherwise without them. An `await` counts for nothing."""
    inner = node
    while inner.type in _SEEN_THROUGH:
        children = [child for child in inner.named_children if not child.is_extra]
        if len(children) != 1:
            return False
        inner = children[0]
    parent = node.parent
    while parent is not None and parent.type == "await":
        node, parent = parent, parent.parent
    return parent is not None and _strength(inner) < _wanted(parent, node)


def _strength(node: Node) -> int:
    """How tightly an expression holds together."""
    if node.type in ("binary_operator", "boolean_operator"):
        operator = node.child_by_field_name("operator")
        return _WORDS.get(operator.type, _PRIMARY) if operator is not None else _PRIMARY
    return _NODES.get(node.type, _PRIMARY)


def _wanted(parent: Node, child: Node) -> int:
    """How tightly a child has to hold together to stand where it does without parentheses."""
    kind = parent.type
    if kind in ("binary_operator", "boolean_operator"):
        side = _on_the_left if parent.children[0] == child else _on_the_right
        return side(_strength(parent))
    if kind in _HEADS:
        return _PRIMARY if parent.children[0] == child else 0
    if kind == "comparison_operator":
        return _COMPARISON + 1
    # What a conditional expression chooses from and by has words before and after it: only `:=` needs more than those.
    return _NODES[kind] if kind in ("not_operator", "unary_operator", "conditional_expression") else 0


def _on_the_left(strength: int) -> int:
    """What the operand before an operator of this strength needs: `(a < b) < c` and `(a ** b) ** c` do need more."""
    return strength + (strength in (_COMPARISON, _POWER))


def _on_the_right(strength: int) -> int:
    """What the operand behind it needs: `a or (b or c)` is `a or b or c`, and `a ** (-b)` is `a ** -b`."""
    return _UNARY if strength == _POWER else strength + (strength > _NOT)


def put_in_place(value: Terms, before: Terms, after: Terms) -> Terms:
    """The terms of a value as they read between others: in parentheses where those would be needed there."""
    is_loose = _loosest(value) < max(_asked_before(before), _asked_after(after))
    return (OPENS, *value, CLOSES) if is_loose else value


def with_values(terms: Terms, known: Mapping[str, Terms]) -> Terms:
    """The terms with every known variable replaced by its value, in parentheses where it needs them."""
    out: list[Token] = []
    for index, token in enumerate(terms):
        if not isinstance(token, str):
            out.append(tuple(sorted((with_values(member, known) for member in token), key=sort_key)))
        elif token in known:
            out.extend(put_in_place(known[token], terms[:index], terms[index + 1 :]))
        else:
            out.append(token)
    return tuple(out)


def _loosest(value: Terms) -> int:
    """How tightly a value holds together, by the operators that stand in no brackets."""
    out = _PRIMARY
    for index, token in outside_brackets(value):
        if token in _WORDS:
            out = min(out, _WORDS[token] if token not in _SIGNS or _ends_a_value(value[:index]) else _UNARY)
    return out


def _asked_before(before: Terms) -> int:
    """How tightly a value has to hold together behind these terms."""
    last = before[-1] if before else ""
    if not isinstance(last, str) or _WORDS.get(last, 0) < _OR:
        return 0
    if last in _OPERATORS and not _ends_a_value(before[:-1]):
        return _UNARY if last in _SIGNS else 0  # `f(*a)`, `f(**a)`
    return _on_the_right(_WORDS[last])


def _asked_after(after: Terms) -> int:
    """How tightly a value has to hold together before these terms."""
    following = after[0] if after else ""
    if not isinstance(following, str):
        return 0
    if following in ("(", "[") or (following[:1] == "." and following[1:].isidentifier()):
        return _PRIMARY
    strength = _WORDS.get(following, 0)
    return _on_the_left(strength) if strength >= _OR else 0


def _ends_a_value(terms: Terms) -> bool:
    """Whether a value ends here, so that a sign behind it is an operator between two."""
    last = terms[-1] if terms else "="
    if not isinstance(last, str):
        return True
    is_word = last[:1] in ("'", ".") or last.replace("_", "a").replace(".", "0").isalnum()
    return last in (")", "]", "}", CLOSES) or (is_word and last not in _BEFORE_A_VALUE and last not in _WORDS)
