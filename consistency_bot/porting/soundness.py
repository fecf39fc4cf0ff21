"""What a port must not do, whatever it is for: bring along what somebody acknowledged elsewhere, or leave a file broken."""

import builtins
import re
from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest
from keyword import iskeyword

from consistency_bot.port import Half
from consistency_bot.port.bindings import bound_in
from consistency_bot.port.decisions import Edit
from consistency_bot.port.imports import is_import
from consistency_bot.syntax.source_rows import CLOSERS, OPENERS, Row

_WAIVER = re.compile(
    r"(?:(?<=\n)|\A)[ \t]*#[^\n]*?consistency[ \t]*:[^\n]*\n|[ \t]*#[^\n]*?consistency[ \t]*:[^\n]*", re.IGNORECASE
)
"""A comment that may acknowledge something: a line of its own, or at the end of one."""


def without_waivers(edit: Edit, text: str) -> Edit:
    """The edit of a text without the acknowledgements that it would add: a person gives them, for one side."""
    old = text[edit.start : edit.end]
    said = _WAIVER.sub(lambda found: found[0] if found[0].strip() in old else "", edit.text)
    return edit if said == edit.text else Edit(edit.start, edit.end, said)


def fault_of(old: Half, new: Half) -> str:
    """What is wrong with the edited file that was not before, in a few words; "" where nothing is."""
    if new.source.is_broken and not old.source.is_broken:
        return "the result could not be read"
    if _empty_blocks(new) > _empty_blocks(old):
        return "nothing would stand in a block"
    before, after = (Counter(each.qualname for each in half.source.outline) for half in (old, new))
    again = next((name for name, count in after.items() if count > max(1, before[name])), None)
    if again is not None:
        return f"it would define `{again}` a second time"
    brought = _bound(new)
    still_used = sorted((_bound(old) - brought) & new.words)
    if still_used:
        return f"`{still_used[0]}` would be used and no longer brought in"
    strange = sorted(_used(new) - _used(old) - brought - old.words - _BUILT_IN)
    if strange and not any(is_import(row) and "*" in row.words for row in new.rows):
        return f"it would use `{strange[0]}`, which nothing there brings in"
    return ""


def _empty_blocks(half: Half) -> int:
    """How many rows open a block in which nothing stands: the grammar reads over them, Python does not."""
    rows = [row for row in half.rows if row.kind != "comment"]
    count = 0
    for row, following in zip_longest(rows, rows[1:]):
        said = [piece.text for piece in row.pieces if not piece.is_comment]
        is_last = following is None or (following.kind == "code" and len(following.indent) <= len(row.indent))
        count += row.kind == "code" and said[-1:] == [":"] and is_last
    return count


def _bound(half: Half) -> frozenset[str]:
    """Every name that something in the file brings in, loose ends (`for a, b in`, `lambda a: …`) included."""
    names = bound_in(half.rows)
    for row in half.rows:
        words = row.words if row.kind == "code" else ()
        for at, word in enumerate(words):
            end = _ENDS.get(word)
            if end is not None:
                names.update(words[at + 1 : words.index(end, at) if end in words[at:] else len(words)])
    return frozenset(names)


def _used(half: Half) -> frozenset[str]:
    """The names that its code says by themselves: no attributes, no keywords of calls, no words of the language."""
    return frozenset(name for row in half.rows if row.kind == "code" and not is_import(row) for name in _used_in(row))


def _used_in(row: Row) -> Iterator[str]:
    depth = 0
    for at, piece in enumerate(row.pieces):
        depth += (piece.text in OPENERS) - (piece.text in CLOSERS)
        before = row.pieces[at - 1].text if at else ""
        after = row.pieces[at + 1].text if at + 1 < len(row.pieces) else ""
        if piece.is_name and before != "." and not (depth and after == "=") and not iskeyword(piece.text):
            yield piece.text


_ENDS = {"for": "in", "lambda": ":", "as": ":", "case": ":", "global": ";", "nonlocal": ";"}
"""What brings names in, and where that ends; what is not there runs to the end of the row."""

_BUILT_IN = frozenset(dir(builtins)) | {"self", "cls", "match", "case", "type", "_"}
