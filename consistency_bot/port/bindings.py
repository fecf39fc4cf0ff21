"""Which names a row brings in."""

import keyword
from collections.abc import Iterable
from itertools import pairwise

from consistency_bot.port.changes import Run
from consistency_bot.port.half import Half
from consistency_bot.port.imports import is_import
from consistency_bot.syntax.source_rows import CLOSERS, OPENERS, Row


def bound_by(row: Row) -> list[str]:
    """The names that a row brings in: by an import, a definition, a parameter or an assignment."""
    words = row.words
    if row.kind != "code":
        return []
    if is_import(row):
        start = words.index("import") + 1 if "import" in words else 1
        return [word for word in words[start:] if word.isidentifier() and not keyword.iskeyword(word)]
    plain = words[1:] if words[0] == "async" else words
    if plain[0] in ("def", "class"):
        inside = [a for a, b in pairwise(plain[2:]) if b in (":", "=", ",", ")") and a.isidentifier()]
        return [*plain[1:2], *inside]
    bound: list[str] = []
    depth = 0
    for index, word in enumerate(words):
        depth += (word in OPENERS) - (word in CLOSERS)
        if depth == 0 and (word in ("=", ":=") or (word == ":" and words[0] not in _HEADERS)):
            bound += [each for each in words[:index] if each.isidentifier()]
            break
        if word in ("as", "for") and index + 1 < len(words):
            bound.append(words[index + 1])
    return bound


def bound_in(rows: Iterable[Row]) -> set[str]:
    """The names that any of the rows brings in."""
    return {name for row in rows for name in bound_by(row)}


def added_by(run: Run, old: Half, new: Half) -> set[str]:
    """The names that the new rows of a run bring in and its old ones did not."""
    return bound_in(new.rows[run.new_start : run.new_end]) - bound_in(old.rows[run.start : run.end])


_HEADERS = frozenset("if elif else for while with try except finally match case return raise assert lambda".split())
