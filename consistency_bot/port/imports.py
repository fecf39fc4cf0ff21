"""Imports are a set: where one stands says little, what it brings in and whether anything uses it says all."""

from collections import Counter
from collections.abc import Callable, Sequence

import msgspec

from consistency_bot.syntax import Definition
from consistency_bot.syntax.source_rows import Row


def is_import(row: Row) -> bool:
    """Whether it is an import statement."""
    return row.kind == "code" and row.first in ("import", "from")


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
    """What one file imports, and where; `owners` are the definitions around its rows."""

    def __init__(self, rows: Sequence[Row], owners: Sequence[Definition]) -> None:
        self._rows = rows
        self._brought = {number: brought_by(row) for number, row in enumerate(rows) if is_import(row)}
        self.names = frozenset(each.name for brought in self._brought.values() for each in brought)
        self.homes: dict[str, int] = {}
        self.row_of: dict[str, int] = {}
        for number, brought in self._brought.items():
            if module := module_of(rows[number]):
                self.homes.setdefault(module, number)
                if owners[number].kind == "module":
                    self.row_of.update((each.name, number) for each in brought)

    @property
    def origins(self) -> dict[str, str]:
        """What each imported name is called where it comes from."""
        every = (each for brought in self._brought.values() for each in brought)
        return {each.name: each.written.partition(" ")[0].rpartition(".")[2] for each in every}

    def module_with(self, name: str) -> str:
        """The module from which a name is imported at the margin; empty where it is not."""
        return module_of(self._rows[self.row_of[name]]) if name in self.row_of else ""

    def moved_since(self, before: "Imported") -> frozenset[str]:
        """The names that `before` imported at the margin, and this one from another module or in a function."""
        both = self.names & before.row_of.keys()
        return frozenset(name for name in both if self.module_with(name) != before.module_with(name))


_LEAST_VOTES = 2
"""For another module where the other side imports from the same one too."""


class Modules:
    """Which module takes the place of which on the other side; learnt from imports that stand opposite."""

    def __init__(self, known: frozenset[str]) -> None:
        self._known = known
        self._whole: dict[str, Counter[str]] = {}
        self._front: dict[str, Counter[str]] = {}

    @classmethod
    def learnt(cls, mine: Sequence[Row], theirs: Sequence[Row]) -> "Modules":
        """What the imports of the same names say."""
        homes: dict[str, str] = {}
        for row in theirs:
            if is_import(row) and (module := module_of(row)):
                homes.update((each.name, module) for each in brought_by(row))
        out = cls(frozenset(homes.values()))
        for row in mine:
            if is_import(row) and (module := module_of(row)):
                for each in brought_by(row):
                    if each.name in homes:
                        out.add(module, homes[each.name])
        return out

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
            found, count = self._whole[module].most_common(1)[0]
            return module if module in self._known and count < _LEAST_VOTES else found
        front, rest = module, ""
        while "." in front:
            front, _, last = front.rpartition(".")
            rest = f".{last}{rest}"
            votes = self._front.get(front)
            if votes and len(votes) == 1:
                return votes.most_common(1)[0][0] + rest
        return module


_LONGEST = 88
"""Imports on one line that get longer than this are put one name on a line."""


def with_names(row: Row, text: str, added: Sequence[str], order: Sequence[str], width: int | None = None) -> str | None:
    """The import with more names, on lines of at most `width`; None where its layout is none of the usual ones.

    They are sorted in where it is sorted, and stand beside their neighbours in `order` where it is not.
    """
    start = next((i for i, piece in enumerate(row.pieces) if piece.text == "import"), None)
    if start is None or any(piece.is_comment for piece in row.pieces):
        return None
    items = [piece for piece in row.pieces[start + 1 :] if piece.text not in ("(", ")", ",")]
    if any(piece.text in ("as", "*") for piece in items) or any(" " in name for name in added) or not items:
        return None
    names = [piece.text for piece in items]
    out = text[row.start : row.end]
    for name in added:
        at = _place(names, name, order)
        out = _with_name(out, at, name)
        names.insert(at, name)
    if len(out) > (width or _LONGEST) + 1 and out.count("\n") == 1 and "(" not in out:
        head = out[: out.index(" import ") + len(" import ")]
        inner = "".join(f"{row.indent}    {name},\n" for name in names)
        return f"{head}(\n{inner}{row.indent})\n"
    return out


def _place(names: Sequence[str], name: str, order: Sequence[str]) -> int:
    """Before which of the names the new one goes."""
    fitting = [key for key in _SORTED if list(names) == sorted(names, key=key)]
    if fitting:
        key = next((key for key in fitting if list(order) == sorted(order, key=key)), fitting[0])
        return next((at for at, each in enumerate(names) if key(each) > key(name)), len(names))
    here = order.index(name) if name in order else len(order)
    before = next((each for each in reversed(order[:here]) if each in names), None)
    if before is not None:
        return names.index(before) + 1
    after = next((each for each in order[here + 1 :] if each in names), None)
    return names.index(after) if after is not None else len(names)


def _with_name(out: str, place: int, name: str) -> str:
    import re

    start = re.search(r"\bimport\b", out)
    names = list(re.compile(r"\w+").finditer(out, start.end() if start else 0))
    if place < len(names):
        at = names[place].start()
        blank = _blank_before(out, at)
        lead = "\n" + blank.rpartition("\n")[2] if "\n" in blank else " "
        return out[:at] + name + "," + lead + out[at:]
    last = names[-1]
    return out[: last.end()] + "," + (_blank_before(out, last.start()) or " ") + name + out[last.end() :]


def _blank_before(text: str, at: int) -> str:
    return text[len(text[:at].rstrip()) : at]


_SORTED: tuple[Callable[[str], tuple[bool, bool, str]], ...] = (
    lambda name: (False, False, name),
    lambda name: (False, False, name.lower()),
    lambda name: (not name.isupper(), not name[:1].isupper(), name),
)
