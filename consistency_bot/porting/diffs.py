"""Unified diffs as git writes and reads them."""

import re
from collections.abc import Iterator, Sequence

from consistency_bot.align.sequences import opcodes

_CONTEXT = 3
_AFTER_LINE = re.compile(rb"(?<=\n)")
_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r", '"': '"', "\\": "\\"}
_Code = tuple[str, int, int, int, int]


def unified_diff(path: str, old: bytes, new: bytes) -> str:
    """The change of one file, with a line end at its end; empty where the two are the same.

    Lines end where git ends them, at line feeds alone. Bytes that are not UTF-8 are surrogate escapes.
    """
    before, after = ([line for line in _AFTER_LINE.split(data) if line] for data in (old, new))
    hunks = list(_hunks(opcodes(before, after)))
    if not hunks:
        return ""
    mine, theirs = quoted_path(f"a/{path}"), quoted_path(f"b/{path}")
    head = [f"diff --git {mine} {theirs}\n", f"--- {_named(mine)}\n", f"+++ {_named(theirs)}\n"]
    body = [line for hunk in hunks for line in _hunk(hunk, before, after)]
    return "".join(head) + b"".join(body).decode("utf-8", "surrogateescape")


def quoted_path(path: str) -> str:
    """The path as git quotes it in patches: as it is, or in double quotes where something in it acts or is no UTF-8."""
    if path.isprintable() and not {'"', "\\"} & set(path):
        return path
    out = []
    for char in path:
        if char in _ESCAPES:
            out.append("\\" + _ESCAPES[char])
        elif char.isprintable():
            out.append(char)
        else:
            out.extend(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape"))
    return '"' + "".join(out) + '"'


def _named(path: str) -> str:
    """The path as the lines of old and new file have it: a tab ends one that a reader would end at a space."""
    return f"{path}\t" if " " in path and not path.startswith('"') else path


def _hunks(codes: Sequence[_Code]) -> Iterator[list[_Code]]:
    """The stretches that belong together, with the lines around them; those far from each other are apart."""
    hunk: list[_Code] = []
    for index, (tag, i1, i2, j1, j2) in enumerate(codes):
        if tag != "equal":
            hunk.append((tag, i1, i2, j1, j2))
            continue
        is_last = index == len(codes) - 1
        if hunk and (is_last or i2 - i1 > 2 * _CONTEXT):
            size = min(_CONTEXT, i2 - i1)
            yield [*hunk, (tag, i1, i1 + size, j1, j1 + size)]
            hunk = []
        elif hunk:
            hunk.append((tag, i1, i2, j1, j2))
        if not hunk and not is_last:
            size = min(_CONTEXT, i2 - i1)
            hunk = [(tag, i2 - size, i2, j2 - size, j2)]
    if any(tag != "equal" for tag, *_ in hunk):
        yield hunk


def _hunk(codes: Sequence[_Code], before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[bytes]:
    lines: list[bytes] = []
    counts = [0, 0]
    for tag, i1, i2, j1, j2 in codes:
        counts[0] += i2 - i1
        counts[1] += j2 - j1
        if tag == "equal":
            lines += _shown(b" ", before[i1:i2])
        else:
            lines += [*_shown(b"-", before[i1:i2]), *_shown(b"+", after[j1:j2])]
    starts = (codes[0][1], codes[0][3])
    spans = [f"{start + (count > 0)},{count}" for start, count in zip(starts, counts, strict=True)]
    yield f"@@ -{spans[0]} +{spans[1]} @@\n".encode()
    yield from lines


def _shown(sign: bytes, lines: Sequence[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield sign + line if line.endswith(b"\n") else sign + line + b"\n\\ No newline at end of file\n"
