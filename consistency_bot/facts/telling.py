"""How a condition is told: one text for all formulas that say the same, however the code puts it."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cache

from consistency_bot.facts.conditions.atoms import Atom, tables_over
from consistency_bot.facts.conditions.formulas import TRUE, Formula, Tables, atoms_of

_MOST_ATOMS = 7
"""Conditions of more atoms are told as they are written: to simplify them would cost more than it gives."""

_LONGEST = 2_000
"""Letters of a condition that are told."""

_OPPOSITES = {"==": (" == ", " != "), ">": (" > ", " <= "), ">=": (" >= ", " < "), "none": (" is None", " is not None")}
_Telling = Callable[[Hashable], str]


def as_written(key: Hashable) -> str:
    """An atom in the words of its own side."""
    return str(getattr(key, "text", key))


def told(formula: Formula, text: _Telling = as_written) -> str:
    """The condition in one line, its atoms as `text` tells them; empty for what always holds."""
    atoms = sorted(set(atoms_of(formula)), key=text)
    if not atoms or len(atoms) > _MOST_ATOMS:
        return _as_is(formula, text)
    tables, can_be = tables_over(tuple(atoms))
    said = tuple((text(each), each.test if isinstance(each, Atom) else "") for each in atoms)
    return _simplified(said, tables.of(formula) & can_be, can_be)


@cache  # base and head, and the sides, mostly say the same
def _simplified(said: tuple[tuple[str, str], ...], holds: int, can_be: int) -> str:
    """Few words for a truth table over atoms, of which their texts and tests are given."""
    tables = Tables(range(len(said)))
    if not can_be & ~holds:
        return ""
    terms = [
        [_literal(*said[at], is_so) for at, is_so in each.items()]
        for each in _cover(tables, holds, holds | (tables.all & ~can_be))
    ]
    if len(terms) == 1:
        return " and ".join(terms[0])
    return " or ".join(each[0] if len(each) == 1 else f"({' and '.join(each)})" for each in terms) or "never"


def _cover(tables: Tables, wanted: int, allowed: int) -> Iterator[dict[int, bool]]:
    """Few conjunctions that hold wherever they are wanted and nowhere where they are not allowed, the widest first.

    The atoms are numbers here.
    """
    left = wanted
    columns = [tables.column(each) for each in range(len(tables.atoms))]
    while left:
        best: tuple[int, dict[int, bool], int] | None = None
        for index in range(tables.size):
            if left >> index & 1:
                term, covered = _widened(tables.all, columns, index, allowed)
                gain = (covered & left).bit_count()
                if best is None or gain > best[0]:
                    best = gain, term, covered
        if best is None:
            return
        yield best[1]
        left &= ~best[2]


def _widened(every: int, columns: Sequence[int], index: int, allowed: int) -> tuple[dict[int, bool], int]:
    """The combination with this index without what it can do without, and its truth table."""
    term = {at: bool(column >> index & 1) for at, column in enumerate(columns)}
    halves = [column if term[at] else every & ~column for at, column in enumerate(columns)]
    for at in range(len(columns)):
        wider = every
        for other in term:
            if other != at:
                wider &= halves[other]
        if not wider & ~allowed:
            del term[at]
    covered = every
    for at in term:
        covered &= halves[at]
    return term, covered


def _literal(said: str, test: str, holds: bool) -> str:
    if holds:
        return said
    if test in _OPPOSITES:
        word, opposite = _OPPOSITES[test]
        before, found, behind = said.rpartition(word)
        if found:
            return f"{before}{opposite}{behind}"
    return f"not {said}" if " " not in said else f"not ({said})"


def _as_is(formula: Formula, text: _Telling) -> str:
    return _Writing(text).of(formula)


class _Writing:
    """Writes formulas down as they are. What is in them more than once is written once, and what is too long is cut."""

    def __init__(self, text: _Telling) -> None:
        self._text = text
        self._known: dict[int, str] = {}

    def of(self, formula: Formula) -> str:
        found = self._known.get(id(formula))
        if found is None:
            found = self._known[id(formula)] = _cut(self._written(formula))
        return found

    def _written(self, formula: Formula) -> str:
        if formula is TRUE:
            return ""
        if formula.word == "atom":
            return self._text(formula.atom)
        if formula.word == "not" and formula.parts[0].word == "atom":
            key = formula.parts[0].atom
            return _literal(self._text(key), key.test if isinstance(key, Atom) else "", False)
        if formula.word == "not":
            return f"not ({self.of(formula.parts[0])})"
        if not formula.parts:
            return "never"
        parts = (self.of(each) if each.word in ("atom", "not") else f"({self.of(each)})" for each in formula.parts)
        return f" {formula.word} ".join(sorted(parts))


def _cut(text: str) -> str:
    """A text that nobody reads to its end, with a mark of what is left out: other texts are told from it."""
    if len(text) <= _LONGEST:
        return text
    from hashlib import sha256  # 3 ms for OpenSSL, which hardly anything costs

    mark = sha256(text[_LONGEST:].encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{text[:_LONGEST]}… {mark}"
