"""Numbers and strings in normal form."""

from typing import TYPE_CHECKING

from tree_sitter import Node

from consistency_bot.syntax.terms import PROSE, Token

if TYPE_CHECKING:
    from consistency_bot.syntax.expressions import TermReader

_LONG_NUMBER = 1000
"""Longer integers are compared as written: converting them costs quadratic time."""


def integer_into(reader: "TermReader", node: Node, out: list[Token]) -> None:
    """`1_000` and `1000`, `0xFF` and `255` are one number; what is no Python 3 integer stays as written."""
    text = reader.text_of(node)
    try:
        out.append(str(int(text, 0)) if len(text) < _LONG_NUMBER else text)
    except ValueError:
        out.append(text)


def float_into(reader: "TermReader", node: Node, out: list[Token]) -> None:
    """`0.`, `0.0` and `0.00` are one number, and `1e-8` is `1E-08`."""
    text = reader.text_of(node)
    try:
        out.append(repr(float(text)).replace("e-0", "e-") if len(text) < _LONG_NUMBER else text)
    except ValueError:  # an imaginary one
        out.append(text)


def string_into(reader: "TermReader", node: Node, out: list[Token]) -> None:
    """Its pieces as one constant, however it is quoted and split, then what stands in an f-string's braces."""
    pieces = (
        node.children if node.type == "string" else [grand for child in reader.parts(node) for grand in child.children]
    )
    content: list[str] = []
    values: list[Node] = []
    is_bytes = is_split = False
    for piece in pieces:
        if piece.type == "string_start":
            is_bytes = is_bytes or "b" in reader.text_of(piece).lower()
        elif piece.type == "interpolation":
            values.append(piece)
            content.append("{}")
            is_split = True
        elif piece.type != "string_end":
            if content and not is_split:
                content[-1] += reader.text_of(piece)
            else:
                content.append(reader.text_of(piece))
            is_split = False
    spoken = [PROSE[1:] if len(piece.split()) > 1 else piece.strip() for piece in content]
    out.append(("b'" if is_bytes else "'") + "".join(spoken))
    for value in values:
        for child in reader.parts(value):
            if child.is_named and child.type not in ("type_conversion", "format_specifier"):
                reader.into(child, out)
