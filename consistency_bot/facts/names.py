"""Names as people write them in rules: `*` stands for any run of characters, everything else for itself."""

import re
from collections.abc import Iterable
from functools import cache


def is_named(name: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns is this name, or matches it."""
    return any(pattern == name or ("*" in pattern and _expression(pattern).fullmatch(name)) for pattern in patterns)


def in_source(name: str) -> bytes:
    """A regular expression for the last part of a name as it stands in source: `*` is any run of letters there."""
    return rb"\w*".join(re.escape(part.encode()) for part in name.rpartition(".")[2].split("*"))


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
