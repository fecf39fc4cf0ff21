"""pip's requirements files: pins, bounds, includes, hashes, extras, markers, and wheels named by their address."""

import codecs
import posixpath
import re
from collections.abc import Callable, Iterator

import msgspec

from consistency_bot.locks.toml import LARGEST
from consistency_bot.locks.values import Bound, Locked, Said, Unreadable
from consistency_bot.packages import normalised

MOST_FILES = 100
"""Files that includes may lead to."""

LONGEST = 2_000
"""Characters of one requirement without its hashes; longer ones are passed over."""

_BOMS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_ENCODINGS = ("utf-8-sig", "utf-16", "utf-16")
_COMMENT = re.compile(r"(?:^|\s)#.*")
_INCLUDE = re.compile(r"(?:-r|-c|--requirement|--constraint)(?:[ \t]*=[ \t]*|[ \t]*)(?P<path>\S.*)")
_REQUIREMENT = re.compile(
    r"(?P<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?P<rest>@\s*\S+|\(?[=<>!~][^;]*|)\s*(?:;(?P<marker>.*))?"
)
_PIN = re.compile(r"={2,3}\s*(?P<version>[^\s,*]+)")
_FILE = re.compile(r"(?P<name>[A-Za-z0-9._-]+?)-(?P<version>\d[^-/]*?)(?:-[^/]*\.whl|\.tar\.gz|\.zip)(?:[#?].*)?")


class _Line(msgspec.Struct, frozen=True):
    """A logical line: continued ones joined, comments gone."""

    number: int
    text: str


def read_requirements(
    path: str, data: bytes, package: str, read: Callable[[str], bytes | None], seen: set[str]
) -> Iterator[Said]:
    """What a requirements file and the files that it includes say about the package.

    `seen` are the paths that have been read already; it grows. `read` gives another file of the same tree.
    """
    waiting = [(path, data)]
    seen.add(path)
    while waiting:
        name, content = waiting.pop(0)
        text = _decode(content)
        if text is None:
            yield Unreadable(name, 1, "is not text, or too large to be read")
            continue
        for line in _lines(text):
            include = _INCLUDE.fullmatch(line.text)
            if include is None:
                said = requirement(line.text, package, name, line.number)
                if said is not None:
                    yield said
                continue
            other = _beside(name, include["path"].strip().strip("\"'"))
            if other is None or other in seen or len(seen) >= MOST_FILES:
                continue
            seen.add(other)
            found = read(other)
            if found is not None:
                waiting.append((other, found))


def requirement(text: str, package: str, path: str, line: int) -> Said | None:
    """What one requirement says about the package; None where it is about another, or is none."""
    text = re.split(r"\s--[a-z]", text, maxsplit=1)[0].strip()  # `--hash=…` and the like
    if len(text) > LONGEST:
        return None
    found = _REQUIREMENT.fullmatch(text)
    if found is None:
        return _of_file(text, package, path, line)
    if normalised(found["name"]) != package:
        return None
    marker = (found["marker"] or "").strip()
    rest = found["rest"].strip()
    if rest.startswith("@"):
        said = _of_file(rest[1:].strip(), package, path, line, marker)
        return said or Unreadable(path, line, "takes it from an address that does not tell the version")
    specifier = rest.strip("()").strip()
    pin = _PIN.fullmatch(specifier)
    return Locked(path, line, pin["version"], marker) if pin else Bound(path, line, specifier, marker)


def _of_file(address: str, package: str, path: str, line: int, marker: str = "") -> Locked | None:
    """The version that the name of a wheel or a source archive tells."""
    name = re.sub("%2[Bb]", "+", address.rpartition("/")[2].partition(";")[0].strip())
    found = _FILE.fullmatch(name)
    if found is None or normalised(found["name"]) != package:
        return None
    return Locked(path, line, found["version"], marker)


def _decode(data: bytes) -> str | None:
    """The text, in the encodings that pip reads: UTF-8, or UTF-16 as PowerShell writes it."""
    if len(data) > LARGEST:
        return None
    encoding = next((name for bom, name in zip(_BOMS, _ENCODINGS, strict=True) if data.startswith(bom)), "utf-8")
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return None
    return None if "\0" in text else text


def _lines(text: str) -> Iterator[_Line]:
    """The logical lines of a file, those that say something."""
    parts: list[str] = []
    first = 1
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        if not parts:
            first = number
        if raw.lstrip().startswith("#"):  # a comment ends what was continued, as pip has it
            is_continued = False
        else:
            is_continued = raw.endswith("\\")
            parts.append(raw[:-1] if is_continued else raw)
        if not is_continued:
            said = _COMMENT.sub("", "".join(parts)).strip()
            if said:
                yield _Line(first, said)
            parts = []
    said = _COMMENT.sub("", "".join(parts)).strip()
    if said:
        yield _Line(first, said)


def _beside(path: str, name: str) -> str | None:
    """The path of an included file; None where it lies outside the repository, or on the web."""
    if "://" in name or name.startswith("/") or "\\" in name or "\0" in name:
        return None
    joined = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
    return None if joined == ".." or joined.startswith("../") else joined
