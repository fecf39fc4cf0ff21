"""A file with some of its text replaced, every other byte as it was."""

import re
from collections.abc import Sequence

from consistency_bot.align.sequences import opcodes
from consistency_bot.syntax import Undecodable
from consistency_bot.syntax.text import encoding_of, utf8

_LINE = re.compile(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+\Z")
_BOM = b"\xef\xbb\xbf"


class Unwritable(ValueError):
    """The text cannot be put into the file's bytes; the message says why."""


def rewritten(raw: bytes, new: str) -> bytes:
    """The file with another text, which has `\\n` line ends.

    Its own line ends, byte order mark and encoding stay; a new line ends as the one before it. Raises Unwritable.
    """
    old = utf8(raw).decode("utf-8")
    bom = _BOM if raw.startswith(_BOM) else b""
    name = encoding_of(raw.removeprefix(bom))
    lines = _LINE.findall(raw.removeprefix(bom))
    before, after = _lines(old), _lines(new)
    if len(lines) != len(before):
        raise Unwritable(f"its lines cannot be told apart in {name}")
    try:
        out = bom + b"".join(_joined(lines, before, after, name))
        if utf8(out).decode("utf-8") == new:
            return out
    except (UnicodeEncodeError, Undecodable):
        pass
    raise Unwritable(f"what would be written cannot be said in {name}")


def _lines(text: str) -> list[str]:
    """The lines with their ends; unlike `splitlines` no form feed ends one."""
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _joined(lines: Sequence[bytes], before: Sequence[str], after: Sequence[str], encoding: str) -> list[bytes]:
    out: list[bytes] = []
    for tag, i1, i2, j1, j2 in opcodes(before, after):
        if tag == "equal":
            out.extend(lines[i1:i2])
            continue
        end = _end_of(lines, i1)
        for line in after[j1:j2]:
            text = line.removesuffix("\n")
            out.append(text.encode(encoding) + (end if line.endswith("\n") else b""))
    return out


def _end_of(lines: Sequence[bytes], at: int) -> bytes:
    """How the line before ends, or else the one that stands there; a line feed where neither does."""
    near = [*(lines[max(0, at - 1) : at + 1] or lines[-1:]), *lines[:1]]
    return next((line[len(line.rstrip(b"\r\n")) :][-2:] for line in near if line.endswith((b"\r", b"\n"))), b"\n")
