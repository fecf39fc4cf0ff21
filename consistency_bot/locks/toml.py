"""TOML from strangers: parsed within limits, and a mistake is a reason instead of an exception."""

from typing import TypeGuard

import msgspec

LARGEST = 16_000_000
"""Bytes that a file may have. The lock of a project with 400 packages has one million."""

LONGEST = 20_000
"""Characters on one line of it. Real ones have a few hundred."""

MOST_DOTS = 2_000
"""Dots on one line: the parser takes quadratic time for a dotted key."""

Table = dict[str, object]


class Mistake(msgspec.Struct, frozen=True):
    """Why a text is not read, and in which of its lines, counted from 1."""

    line: int
    reason: str


def decode(data: bytes) -> str | Mistake:
    """The text of a file, with `\\n` line ends."""
    if len(data) > LARGEST:
        return Mistake(1, f"is too large to be read ({len(data)} bytes, at most {LARGEST})")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        return Mistake(data.count(b"\n", 0, error.start) + 1, "is not UTF-8")


def parse(text: str) -> Table | Mistake:
    """The table that a text spells."""
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LONGEST or line.count(".") > MOST_DOTS:
            return Mistake(number, "has a line that is too long to be read")
    import tomllib  # 2 ms that only whoever reads a lock pays

    try:
        return tomllib.loads(text)
    except RecursionError:
        return Mistake(1, "is nested too deeply to be read")
    except ValueError as error:  # TOML's own mistakes, and numbers of more digits than Python reads
        message = str(error)
        line = message.rpartition("(at line ")[2].split(",")[0]
        what = message.partition(" (at ")[0]
        return Mistake(int(line) if line.isdecimal() else 1, f"is not TOML: {what[:200]}")


def is_table(value: object) -> TypeGuard[Table]:
    """Whether a value is a table."""
    return isinstance(value, dict)


def table(value: object, *keys: str) -> Table:
    """The table at a path of keys; an empty one where something else stands, or nothing."""
    for key in keys:
        value = value.get(key) if is_table(value) else None
    return value if is_table(value) else {}


def texts(value: object) -> list[str]:
    """The texts of a list; empty for anything else."""
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
