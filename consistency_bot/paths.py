"""Patterns of repository paths: `*` and `?` stay within one folder, `**` does not, everything else is literal.

`[` is literal too: real file names have brackets, and the rules file offers no character classes. A pattern
without a wildcard is the path itself. `{name}` is a capture: a part of one name, to be found again in other patterns.
"""

import re
from collections.abc import Callable, Mapping

WILDCARDS = frozenset("*?")

_CAPTURE = re.compile(r"\{(\w+)\}")
_CAPTURED = "[^/*?:{}]+"
"""What a capture stands for: never nothing, and nothing that would mean more once it is put into another pattern."""

_TOKEN = re.compile(r"(?:(?<=/)|\A)\*\*/|\*+|\?|[^*?]+")


def split_symbol(pattern: str) -> tuple[str, str]:
    """(`path.py`, `Class.method`) for `path.py::Class.method`; the symbol is empty where the pattern names none."""
    path, _, symbol = pattern.partition("::")
    return path, symbol


def is_python(path: str) -> bool:
    """Whether the file is read by the grammar of Python; everything else is read line by line."""
    return path.endswith((".py", ".pyi", ".pyw"))


def is_glob(pattern: str) -> bool:
    """Whether the pattern has a wildcard, and so may match any number of paths, or none."""
    return not WILDCARDS.isdisjoint(pattern)


def compile_pattern(pattern: str) -> Callable[[str], bool]:
    """A function that says whether a whole repository-relative path matches.

    `a/**/b.py` matches `a/b.py` as well as `a/x/y/b.py`; `a/**` matches everything below `a` but not `a` itself.
    """
    if not is_glob(pattern):
        return pattern.__eq__
    # DOTALL because a file name may hold a line break.
    fullmatch = re.compile(_expression(_TOKEN.findall(pattern)), re.DOTALL).fullmatch
    return lambda path: fullmatch(path) is not None


def literal_prefix(pattern: str) -> str:
    """How every path that matches begins: what stands before the first wildcard."""
    return re.split(r"[*?]", pattern, maxsplit=1)[0]


def _expression(tokens: list[str]) -> str:
    """The regular expression for the tokens of a pattern, which never tries the same again.

    What stands between two `**` is taken where it is found first, and what stands between two `*` likewise: whatever
    could be found further on can then be found too. Only the last piece is bound to the end.
    """
    chunks: list[list[str]] = [[]]
    crossings: list[str] = []
    for token in tokens:
        if token.startswith("**"):
            crossings.append(r"(?:[^/]*/)*?" if token == "**/" else ".*?")
            chunks.append([])
        else:
            chunks[-1].append(token)
    *others, last = [_pieces(chunk) for chunk in chunks]
    out = "".join(f"(?>{lead}{_joined(pieces)})" for lead, pieces in zip(["", *crossings], others, strict=False))
    start, *rest = last
    end = _joined([start, *rest[:-1]]) + (f"[^/]*{rest[-1]}" if rest else "")
    return out + (crossings[-1] if crossings else "") + end


def _pieces(chunk: list[str]) -> list[str]:
    """The expressions between the stars of a chunk."""
    pieces = [""]
    for token in chunk:
        if token == "*":
            pieces.append("")
        else:
            pieces[-1] += _translate(token)
    return pieces


def _joined(pieces: list[str]) -> str:
    return pieces[0] + "".join(f"(?>[^/]*?{piece})" for piece in pieces[1:])


def _translate(token: str) -> str:
    """The regular expression for one token of a pattern."""
    if token == "**/":  # a whole `**` segment stands for no folder as well
        return "(?:.*/)?"
    if token.startswith("**"):
        return ".*"
    return {"*": "[^/]*", "?": "[^/]"}.get(token) or re.escape(token)


def captures_in(pattern: str) -> list[str]:
    """The names of the captures in a pattern, in order, each as often as it is there."""
    return _CAPTURE.findall(pattern)


def compile_captures(pattern: str) -> tuple[str, re.Pattern[str]]:
    """(how each match begins, an expression whose groups are the captures); a name that comes twice is the same twice."""
    parts = _CAPTURE.split(pattern)
    prefix = literal_prefix(parts[0])
    expression = ""
    known: set[str] = set()
    for number, part in enumerate(parts):
        if number % 2 == 0:
            expression += "".join(_translate(token) for token in _TOKEN.findall(part))
        else:
            expression += f"(?P={part})" if part in known else f"(?P<{part}>{_CAPTURED})"
            known.add(part)
    return prefix, re.compile(expression, re.DOTALL)


def fill_captures(pattern: str, values: Mapping[str, str]) -> str:
    """The pattern with each capture replaced by what it stands for."""
    return _CAPTURE.sub(lambda found: values[found[1]], pattern)


def captures_as_wildcards(pattern: str) -> str:
    """The pattern with `*` for each capture: it matches what the captures match, and perhaps more."""
    return _CAPTURE.sub("*", pattern)
