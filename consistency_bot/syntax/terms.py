"""Expressions in normal form: a tuple of tokens that reads the same however the expression is laid out.

Tokens are strings: `name` for a variable, `.name` for an attribute, `name=` for a keyword, `'text` for a string
constant, everything else (operators, brackets, numbers) as written. A tuple inside the tuple is a group whose members
have no order of their own: the operands of `and`, `or`, `==`, sorted.

What is said the same way whatever the source looks like: quotes, parentheses that bind nothing otherwise, line breaks,
trailing commas, `await` and `async`, keyword order (keywords and dictionary entries leave the expression as parts of
their own), `not` pushed inwards, `>` turned into `<`, and prose: a string constant with white space in it says `'` and
nothing more.
"""

from collections.abc import Iterator
from typing import TypeAlias

from tree_sitter import Node

Token: TypeAlias = "str | tuple[Terms, ...]"
Terms: TypeAlias = tuple[Token, ...]

PROSE = "'\u00b7"
"""The token of a string constant with white space in it: a message, a help text, a query. Its wording is not compared."""

OPENS = "(("
CLOSES = "))"
"""The tokens of parentheses that bind what would be bound otherwise; those of calls and tuples are `(` and `)`."""
_OPENING, _CLOSING = ("(", "[", "{", OPENS), (")", "]", "}", CLOSES)

MADE_UP = "\ufffd"
"""The text of what the grammar missed and went on as if it were there."""

MESSAGE_CALLS = frozenset(
    "debug info warning warn error critical exception log print fail skip warn_once info_once warning_once".split()
)
"""Last names of calls whose arguments are messages to people."""


UNPARSED = frozenset({"line", "comment", "docstring"})
"""Concepts of units whose words are compared in their order, and which nobody looks into: no target, no value, no name."""


class Piece:
    """A piece of a statement that agrees or differs on its own: a keyword argument, a dictionary entry, an element."""

    __slots__ = ("concept", "line", "terms")

    def __init__(self, concept: str, terms: Terms, line: int) -> None:
        self.concept = concept
        self.terms = terms
        self.line = line


def text_of(node: Node) -> str:
    """The node's source text, never empty: `MADE_UP` for a node that error recovery made up."""
    raw = node.text
    return raw.decode("utf-8", "replace") if raw else MADE_UP


def significant(node: Node) -> list[Node]:
    """The children without comments and line continuations."""
    return [child for child in node.children if not child.is_extra]


def leaves(node: Node) -> Iterator[Node]:
    """The nodes without children, in source order; however deeply they are nested, it costs no recursion."""
    nodes = [node]
    while nodes:
        last = nodes.pop()
        children = significant(last)
        nodes.extend(reversed(children))
        if not children:
            yield last


def outside_brackets(terms: Terms) -> Iterator[tuple[int, str]]:
    """The tokens, with their indices, that stand in no brackets and are no groups; a bracket that closes is one of them."""
    depth = 0
    for index, token in enumerate(terms):
        if isinstance(token, str):
            depth += (token in _OPENING) - (token in _CLOSING)
            if depth == 0:
                yield index, token


def split_at(terms: Terms, word: str) -> list[Terms]:
    """What stands before, between and behind the tokens of a word that stand in no brackets; all of it where none does."""
    out: list[Terms] = []
    start = 0
    for index, token in outside_brackets(terms):
        if token == word:
            out.append(terms[start:index])
            start = index + 1
    return [*out, terms[start:]]


def sort_key(terms: Terms) -> str:
    """A total order on terms, for the members of a group."""
    return repr(terms)
