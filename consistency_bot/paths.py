"""Patterns of repository paths: `*` and `?` stay within one folder, `**` does not, everything else is literal.

`[` is literal too: real file names have brackets, and the rules file offers no character classes. A pattern
without a wildcard is the path itself.
"""

import re
from collections.abc import Callable

WILDCARDS = frozenset("*?")

_TOKEN = re.compile(r"(?:(?<=/)|\A)\*\*/|\*+|\?|[^*?]+")


def split_symbol(pattern: str) -> tuple[str, str]:
    """(`path.py`, `Class.method`) for `path.py::Class.method`; the symbol is empty where the pattern names none."""
    path, _, symbol = pattern.partition("::")
    return path, symbol


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
