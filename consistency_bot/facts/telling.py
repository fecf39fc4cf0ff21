"""How a condition is told: one text for all formulas that say the same, however the code puts it."""

from collections.abc import Callable, Hashable, Iterator, Sequence

from consistency_bot.facts.conditions.atoms import Atom, possible
from consistency_bot.facts.conditions.formulas import TRUE, Formula, Tables, atoms_of

_MOST_ATOMS = 7
"""Conditions of more atoms are told as they are written: to simplify them would cost more than it gives."""

_OPPOSITES = {"==": (" == ", " != "), ">": (" > ", " <= "), "none": (" is None", " is not None")}
_Telling = Callable[[Hashable], str]


def as_written(key: Hashable) -> str:
    """An atom in the words of its own side."""
    return str(getattr(key, "text", key))


def told(formula: Formula, text: _Telling = as_written) -> str:
    """The condition in one line, its atoms as `text` tells them; empty for what always holds."""
    atoms = sorted(set(atoms_of(formula)), key=text)
    if not atoms or len(atoms) > _MOST_ATOMS:
        return _as_is(formula, text)
    tables = Tables(atoms)
    can_be = possible(tables)
    holds = tables.of(formula) & can_be
    if not can_be & ~holds:
        return ""
    terms = [_term(tables, each, text) for each in _cover(tables, holds, holds | (tables.all & ~can_be))]
    if len(terms) == 1:
        return " and ".join(terms[0])
    return " or ".join(each[0] if len(each) == 1 else f"({' and '.join(each)})" for each in terms) or "never"


def _cover(tables: Tables, wanted: int, allowed: int) -> Iterator[dict[Hashable, bool]]:
    """Few conjunctions that hold wherever they are wanted and nowhere where they are not allowed, the widest first."""
    left = wanted
    while left:
        best: tuple[int, dict[Hashable, bool], int] | None = None
        for index in range(tables.size):
            if left >> index & 1:
                term = _widened(tables, tables.combination(index), allowed)
                covered = _table(tables, term)
                gain = (covered & left).bit_count()
                if best is None or gain > best[0]:
                    best = gain, term, covered
        if best is None:
            return
        yield best[1]
        left &= ~best[2]


def _widened(tables: Tables, term: dict[Hashable, bool], allowed: int) -> dict[Hashable, bool]:
    """The conjunction without what it can do without."""
    for key in list(term):
        shorter = {each: value for each, value in term.items() if each != key}
        if not _table(tables, shorter) & ~allowed:
            term = shorter
    return term


def _table(tables: Tables, term: dict[Hashable, bool]) -> int:
    out = tables.all
    for key, value in term.items():
        column = tables.of(Formula("atom", (), key))
        out &= column if value else ~column
    return out


def _term(tables: Tables, term: dict[Hashable, bool], text: _Telling) -> Sequence[str]:
    return [_literal(key, holds, text) for key, holds in term.items()]


def _literal(key: Hashable, holds: bool, text: _Telling) -> str:
    said = text(key)
    if holds:
        return said
    if isinstance(key, Atom) and key.test in _OPPOSITES:
        word, opposite = _OPPOSITES[key.test]
        before, found, behind = said.rpartition(word)
        if found:
            return f"{before}{opposite}{behind}"
    return f"not {said}" if " " not in said else f"not ({said})"


def _as_is(formula: Formula, text: _Telling) -> str:
    if formula == TRUE:
        return ""
    if formula.word == "atom":
        return text(formula.atom)
    if formula.word == "not" and formula.parts[0].word == "atom":
        return _literal(formula.parts[0].atom, False, text)
    if formula.word == "not":
        return f"not ({_as_is(formula.parts[0], text)})"
    if not formula.parts:
        return "never"
    parts = (
        _as_is(each, text) if each.word in ("atom", "not") else f"({_as_is(each, text)})" for each in formula.parts
    )
    return f" {formula.word} ".join(sorted(parts))
