"""Whether the rows of a file are nested as statements have to be: the grammar reads past a header without a block."""

from collections.abc import Iterable, Sequence

from consistency_bot.syntax.source_rows import CLOSERS, OPENERS, Row

_AFTER = {
    "elif": frozenset({"if", "elif"}),
    "else": frozenset({"if", "elif", "for", "while", "except", "async"}),
    "except": frozenset({"try", "except"}),
    "finally": frozenset({"try", "except", "else"}),
}


def is_nested_well(rows: Iterable[Row]) -> bool:
    """Whether every header has its block, no row is indented without one, and no `else` or `try` stands alone."""
    open_blocks: list[tuple[str, str]] = [("", "")]
    is_waiting = False
    for row in rows:
        if row.kind == "comment" or (row.kind == "prose" and not is_waiting):
            continue
        top, before = open_blocks[-1]
        if is_waiting:
            if len(row.indent) <= len(top):
                return False
            open_blocks.append((row.indent, ""))
        while len(row.indent) < len(open_blocks[-1][0]):
            if open_blocks.pop()[1] == "try":
                return False
        top, before = open_blocks[-1]
        if row.indent != top or not _may_follow(row, before):
            return False
        open_blocks[-1] = (top, "" if row.kind == "prose" else row.first)
        is_waiting = row.kind == "code" and _opens(row.words)
    return not is_waiting and all(before != "try" for _, before in open_blocks)


def _may_follow(row: Row, before: str) -> bool:
    if row.kind != "code":
        return True
    if before == "try" and row.first not in ("except", "finally"):
        return False
    return row.first not in _AFTER or before in _AFTER[row.first]


def _opens(words: Sequence[str]) -> bool:
    said = [word for word in words if not word.startswith("#")]
    return bool(said) and said[-1] == ":"


def has_ordered_arguments(words: Sequence[str]) -> bool:
    """Whether no argument without a name comes behind one with a name; of definitions and `lambda` all are in order."""
    if "lambda" in words or "def" in words[:2]:
        return True
    named: list[bool] = []
    for at, word in enumerate(words):
        previous = words[at - 1] if at else ""
        if named and (previous in OPENERS or previous == ",") and word not in CLOSERS and not word.startswith("#"):
            is_named = at + 1 < len(words) and words[at + 1] == "="
            if named[-1] and not is_named and word not in ("*", "**"):
                return False
            named[-1] |= is_named
        if word in OPENERS:
            named.append(False)
        elif word in CLOSERS and named:
            named.pop()
    return True
