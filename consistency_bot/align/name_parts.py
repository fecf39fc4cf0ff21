"""Parts of names that tell the twins apart: `grpo`/`rloo`, `llama3`/`qwen3`, nothing/`v2`.

They show in the names of what is paired anyway, classes, functions, files and folders, and are then known wherever they
stand: `set_llama3_sharding` on one side is `set_qwen3_sharding` on the other.
"""

import re
from collections.abc import Iterable

_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")
_SAYS_ENOUGH = 2
"""A part of fewer letters stands in any name."""

Parts = tuple[str, str]


def differing_part(left: str, right: str) -> Parts | None:
    """(left part, right part), in lower case and without `_`, where the names are alike around it; else None.

    One of the two may be empty.
    """
    a, b = ([word.lower() for word in _WORD.findall(name)] for name in (left, right))
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    part_a, part_b = "".join(a[start : len(a) - end]), "".join(b[start : len(b) - end])
    if part_a == part_b or max(len(part_a), len(part_b)) < _SAYS_ENOUGH:
        return None
    return part_a, part_b


def parts_of_path(left: Iterable[str], right: Iterable[str]) -> list[Parts]:
    """The differing parts of two paths or dotted names, their pieces compared from the end."""
    pieces = zip(list(left)[::-1], list(right)[::-1], strict=False)
    return [part for a, b in pieces if a != b and (part := differing_part(a, b)) is not None]


def names_by_part(parts: Iterable[Parts], left: frozenset[bytes], right: frozenset[bytes]) -> dict[str, str]:
    """{right name: left name} for names that differ in one of the parts alone and that only their own side knows."""
    only_left, only_right = (
        [(name, name.lower().replace("_", "")) for name in sorted(map(bytes.decode, words))]
        for words in (left - right, right - left)
    )
    out: dict[str, str] = {}
    for part_a, part_b in parts:
        mark = "\u00b7" if part_a and part_b else ""
        known = {_without(name, bare, part_a, mark): name for name, bare in only_left if part_a in bare}
        for name, bare in only_right:
            if part_b in bare:
                found = known.get(_without(name, bare, part_b, mark))
                if found is not None:
                    out.setdefault(name, found)
    return out


def without_part(name: str, part: str) -> tuple[str, bool, bool] | None:
    """What is left of a name without a part of it, to be compared with others; None where the part is not in it."""
    bare = name.lower().replace("_", "")
    return _without(name, bare, part, "\u00b7") if part and part in bare else None


def _without(name: str, bare: str, part: str, mark: str) -> tuple[str, bool, bool]:
    """What is left of a name, and the two things that tell a class from a function and a private name from a public."""
    return (bare.replace(part, mark, 1) if part else bare), name.lstrip("_")[:1].isupper(), name.startswith("_")
