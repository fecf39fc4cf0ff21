"""A file as rows of tokens that together are its text to the byte: what an edit is written in.

A row is one logical line with the comments in it, one line of a comment of its own, or one line of a docstring. This
is a lexer and no grammar: brackets, strings and comments are enough to say where a row ends.
"""

import re
from collections.abc import Iterator

import msgspec

_LEXER = re.compile(
    r"""(?:[ \t\f]|\\\n)*+
    (?:(?P<string>\b[rbuftRBUFT]{1,3}(?=["'])(?:\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}|"(?:\\.|[^\\"\n])*"|'(?:\\.|[^\\'\n])*')
    |\"{3}(?:\\.|[^\\])*?\"{3}|'{3}(?:\\.|[^\\])*?'{3}|"(?:\\.|[^\\"\n])*"|'(?:\\.|[^\\'\n])*')
    |(?P<comment>\#[^\n]*)|(?P<newline>\n)
    |(?P<word>\w+)|(?P<operator>\*\*=|//=|>>=|<<=|\.\.\.|\*\*|//|>>|<<|->|:=|[-+*/%@&|^=<>!]=|.)|(?P<end>\Z))""",
    re.VERBOSE | re.DOTALL,
)
"""A token and the blanks before it, of which nothing is given back: that would cost the square of their number."""

_PROSE = re.compile(r"\w+|[^\w\s]")

OPENERS, CLOSERS = frozenset("([{"), frozenset(")]}")


class Piece(msgspec.Struct, frozen=True, gc=False):
    """A token, and what stands between it and the one before: blanks, and line ends inside brackets."""

    text: str
    gap: str
    start: int
    end: int

    @property
    def is_name(self) -> bool:
        """Whether it is spelt like a name or a keyword."""
        return self.text.isidentifier()

    @property
    def is_comment(self) -> bool:
        """Whether it is a comment."""
        return self.text.startswith("#")


class Row(msgspec.Struct, frozen=True):
    """`start:end` are whole lines of the text, line end included; `blanks` counts the blank lines before them."""

    kind: str
    indent: str
    pieces: tuple[Piece, ...]
    start: int
    end: int
    line: int
    blanks: int

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens' text."""
        return tuple([piece.text for piece in self.pieces])

    @property
    def first(self) -> str:
        """The first token."""
        return self.pieces[0].text


def rows_of(text: str) -> list[Row]:
    """The rows of a file whose line ends are `\\n`; empty where nothing but blank lines stands in it."""
    out: list[Row] = []
    line = blanks = at = 0
    for pieces, end in _logical_lines(text):
        lines = text.count("\n", at, end)
        if pieces:
            out.extend(_rows(text, pieces, at, end, line + 1, blanks))
            blanks = 0
        else:
            blanks += 1
        line, at = line + lines, end
    return out


def _logical_lines(text: str) -> Iterator[tuple[list[Piece], int]]:
    """(tokens, where the line ends) of every logical line, blank ones included."""
    pieces: list[Piece] = []
    depth, last = 0, 0
    for found in _LEXER.finditer(text):
        kind = found.lastgroup or "end"
        start, end = found.span(kind)
        if kind == "newline" and depth <= 0:
            yield pieces, end
            pieces, last = [], end
        elif kind not in ("newline", "end"):
            token = found[kind]
            if kind == "operator":
                depth = max(0, depth + (token in OPENERS) - (token in CLOSERS))
            pieces.append(Piece(token, text[last:start], start, end))
            last = end
    if pieces or last < len(text):
        yield pieces, len(text)


def _rows(text: str, pieces: list[Piece], start: int, end: int, line: int, blanks: int) -> Iterator[Row]:
    first = pieces[0]
    indent = first.gap
    if len(pieces) == 1 and "\n" in first.text:
        yield from _prose(text, start, end, line, blanks)
        return
    kind = "comment" if first.is_comment else "code"
    yield Row(kind, indent, tuple(pieces), start, end, line, blanks)


def _prose(text: str, start: int, end: int, line: int, blanks: int) -> Iterator[Row]:
    """A docstring line by line; its blank lines count like any others."""
    at = start
    for number, each in enumerate(text[start:end].splitlines(keepends=True)):
        if not each.strip():
            blanks += 1
        else:
            indent = each[: len(each) - len(each.lstrip())]
            yield Row("prose", indent, tuple(_spoken(each, at)), at, at + len(each), line + number, blanks)
            blanks = 0
        at += len(each)


def _spoken(line: str, offset: int) -> Iterator[Piece]:
    last = 0
    for found in _PROSE.finditer(line):
        yield Piece(found[0], line[last : found.start()], offset + found.start(), offset + found.end())
        last = found.end()
