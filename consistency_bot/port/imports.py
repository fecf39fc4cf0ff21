"""Imports are a set: where one stands says little, what it brings in and whether anything uses it says all."""

from collections import Counter

import msgspec

from consistency_bot.port.half import Half
from consistency_bot.syntax.source_rows import Row

_FIRST = ("import", "from")


def is_import(row: Row) -> bool:
    """Whether it is an import statement."""
    return row.kind == "code" and row.first in _FIRST


class Brought(msgspec.Struct, frozen=True):
    """One name of an import: `written` is the name with its `as`, `name` what it binds."""

    written: str
    name: str


def module_of(row: Row) -> str:
    """The module of a `from … import`; empty for a plain `import`."""
    words = row.words
    return "".join(words[1 : words.index("import")]) if words[0] == "from" and "import" in words else ""


def brought_by(row: Row) -> tuple[Brought, ...]:
    """What an import binds, in order; nothing for `import *`."""
    words = [word for word in row.words if word not in "()" and not word.startswith("#")]
    start = words.index("import") + 1 if "import" in words else len(words)
    out: list[Brought] = []
    item: list[str] = []
    for word in [*words[start:], ","]:
        if word != ",":
            item.append(word)
        elif item:
            written = "".join(f" {each} " if each == "as" else each for each in item)
            out.append(Brought(written, item[-1] if "as" in item else item[0]))
            item = []
    return tuple(out)


class Imported:
    """What one file imports, and where."""

    def __init__(self, half: Half) -> None:
        self.rows = [number for number, row in enumerate(half.rows) if is_import(row)]
        self.names = frozenset(each.name for number in self.rows for each in brought_by(half.rows[number]))
        self.homes: dict[str, int] = {}
        for number in self.rows:
            if module := module_of(half.rows[number]):
                self.homes.setdefault(module, number)


class Modules:
    """Which module takes the place of which on the other side; learnt from imports that stand opposite."""

    def __init__(self) -> None:
        self._whole: dict[str, Counter[str]] = {}
        self._front: dict[str, Counter[str]] = {}

    def add(self, mine: str, theirs: str) -> None:
        """Two imports of the same names."""
        self._whole.setdefault(mine, Counter())[theirs] += 1
        a, b = mine.split("."), theirs.split(".")
        while len(a) > 1 and len(b) > 1 and a[-1] == b[-1]:
            a.pop()
            b.pop()
            self._front.setdefault(".".join(a), Counter())[".".join(b)] += 1

    def of(self, module: str) -> str:
        """The module over there; the same where nothing else is known."""
        if module in self._whole:
            return self._whole[module].most_common(1)[0][0]
        front, rest = module, ""
        while "." in front.lstrip("."):
            front, _, last = front.rpartition(".")
            rest = f".{last}{rest}"
            votes = self._front.get(front)
            if votes and len(votes) == 1:
                return votes.most_common(1)[0][0] + rest
        return module


def with_names(row: Row, text: str, added: list[str]) -> str | None:
    """The import with more names, sorted in where it is sorted; None where its layout is none of the usual ones."""
    start = next((i for i, piece in enumerate(row.pieces) if piece.text == "import"), None)
    if start is None or any(piece.is_comment for piece in row.pieces):
        return None
    pieces = row.pieces[start + 1 :]
    items = [piece for piece in pieces if piece.text not in ("(", ")", ",")]
    if any(piece.text in ("as", "*") for piece in items) or not items:
        return None
    out = text[row.start : row.end]
    for name in added:
        out = _with_name(out, row.start, items, name)
    return out


def _with_name(out: str, offset: int, items: list, name: str) -> str:  # type: ignore[type-arg]
    import re

    body_at = re.search(r"\bimport\b", out)
    assert body_at is not None
    names = list(re.finditer(r"\w+", out[body_at.end() :]))
    spellings = [found[0] for found in names]
    key = _sorter(spellings)
    place = next((found for found in names if key is not None and key(found[0]) > key(name)), None)
    if place is not None:
        at = body_at.end() + place.start()
        gap = re.search(r"\s*$", out[:at])
        blank = gap[0] if gap else " "
        lead = "\n" + blank.rpartition("\n")[2] if "\n" in blank else " "
        return out[:at] + name + "," + lead + out[at:]
    last = names[-1]
    at = body_at.end() + last.end()
    before = re.search(r"\s*$", out[: body_at.end() + last.start()])
    blank = before[0] if before else " "
    return out[:at] + "," + (blank or " ") + name + out[at:]


def _sorter(names: list[str]):  # type: ignore[no-untyped-def]
    for key in (lambda name: name, str.lower, lambda name: (not name.isupper(), not name[:1].isupper(), name)):
        if names == sorted(names, key=key):
            return key
    return None
