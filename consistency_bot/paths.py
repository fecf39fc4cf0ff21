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
    expression = "".join(_translate(token) for token in _TOKEN.findall(pattern))
    # DOTALL because a file name may hold a line break.
    fullmatch = re.compile(expression, re.DOTALL).fullmatch
    return lambda path: fullmatch(path) is not None


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
    prefix = re.split(r"[*?]", parts[0])[0]
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
