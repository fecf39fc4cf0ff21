"""Locks in TOML: one block per package and version, as `uv.lock`, `poetry.lock` and `pylock.toml` (PEP 751) have them.

A lock of a thousand packages is parsed only where it names the one asked for: 2 ms instead of 90 for one of a megabyte.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache

import msgspec

from consistency_bot.locks.toml import Mistake, Table, decode, is_table, parse, texts
from consistency_bot.locks.values import Locked, Said, Unreadable
from consistency_bot.packages import normalised

_VERSION_LINE = re.compile(r"^[ \t]*version[ \t]*=", re.MULTILINE)

_ESCAPES = ("\\u", "\\U", "\\x")
"""Those that can spell a letter."""


class _Block(msgspec.Struct, frozen=True):
    """A piece of a lock, and the line before its first."""

    text: str
    above: int


class _Cut(msgspec.Struct, frozen=True):
    """The text of a lock, and where each of its blocks begins; empty where it cannot be cut."""

    text: str
    starts: list[int]


def read_lock(path: str, data: bytes, package: str) -> Iterator[Said]:
    """Every version of the package in a `uv.lock` or a `poetry.lock`. uv has several where its resolution forks by markers."""
    return _read(path, data, package, "package")


def read_pylock(path: str, data: bytes, package: str) -> Iterator[Said]:
    """Every version of the package in a `pylock.toml`."""
    return _read(path, data, package, "packages")


def _read(path: str, data: bytes, package: str, key: str) -> Iterator[Said]:
    text = _cut(data, key)
    if isinstance(text, Mistake):
        yield Unreadable(path, text.line, text.reason)
        return
    for block in _blocks_with(text, package):
        parsed = parse(block.text)
        if isinstance(parsed, Mistake):
            yield Unreadable(path, block.above + parsed.line, parsed.reason)
            continue
        entries = parsed.get(key)
        for entry in entries if isinstance(entries, list) else ():
            name = entry.get("name") if is_table(entry) else None
            if isinstance(name, str) and normalised(name) == package:
                yield _entry(path, entry, block)


def _entry(path: str, entry: Table, block: _Block) -> Said:
    version = entry.get("version")
    if not isinstance(version, str):
        return Unreadable(path, block.above + 1, "locks it without a version")
    # A whole file in one block has many such lines: the one that says this version.
    lines = (found.start() for found in _VERSION_LINE.finditer(block.text))
    start = next((at for at in lines if _says(block.text, at, version)), 0)
    line = block.above + block.text.count("\n", 0, start) + 1
    return Locked(path, line, version, _marker(entry))


def _says(text: str, start: int, version: str) -> bool:
    return text[start : start + 200].partition("\n")[0].partition("=")[2].strip().strip("\"'") == version


def _marker(entry: Table) -> str:
    """For which machines the version is: uv's forks, else the marker of the others."""
    forks = texts(entry.get("resolution-markers"))
    if forks:
        return " or ".join(forks)
    for key in ("marker", "markers"):
        value = entry.get(key)
        if isinstance(value, str):
            return value
        if is_table(value):  # poetry, where groups differ
            return " or ".join(texts(list(value.values())))
    return ""


@lru_cache(maxsize=4)  # asked once for each package
def _cut(data: bytes, key: str) -> _Cut | Mistake:
    """The text of a lock, and where its blocks begin; nowhere where cutting it could cut a value.

    A line that begins with `[[package]]` begins a block, unless it stands inside a text of several lines. A name can
    be hidden from a search by escapes alone.
    """
    text = decode(data)
    if isinstance(text, Mistake):
        return text
    # Without an anchor in front it begins with letters to search for, which is eight times as fast.
    headers = re.finditer(rf"\[\[[ \t]*{key}[ \t]*\]\]", text)
    starts = [found.start() for found in headers if not _before(text, found.start())]
    is_plain = "\\" not in text or not any(escape in text for escape in _ESCAPES)
    return _Cut(text, starts if is_plain and '"""' not in text and "'''" not in text else [])


def _blocks_with(cut: _Cut, package: str) -> Iterator[_Block]:
    """The blocks that can be about the package; the whole text where it is not cut."""
    text, starts = cut.text, cut.starts
    if not starts:
        yield _Block(text, 0)
        return
    name = "[-_.]+".join(map(re.escape, package.split("-")))
    named = re.compile(rf"name[\"']?[ \t]*=[ \t]*[\"'](?i:{name})[\"']")
    line, counted = 0, 0
    for found in named.finditer(text):
        at = bisect_right(starts, found.start()) - 1
        if at < 0 or starts[at] < counted or _before(text, found.start()).strip("\"'"):
            continue  # before the first block, in one that was given, or the name of something in it
        end = starts[at + 1] if at + 1 < len(starts) else len(text)
        line += text.count("\n", counted, starts[at])
        counted = starts[at] + 1
        yield _Block(text[starts[at] : end], line)


def _before(text: str, at: int) -> str:
    """What stands on the line before a place, white space left out; its end where that is long."""
    return text[max(text.rfind("\n", 0, at) + 1, at - 100) : at].strip(" \t")
