"""Boolean formulas over atoms, decided by truth table.

A truth table is an integer: bit *i* is the formula's value in the *i*-th combination of the atoms. Equality of formulas
is then equality of integers, and implication `a & ~b == 0`.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from operator import is_

import msgspec

MOST_ATOMS = 12
"""With more atoms a table is neither decided nor readable."""


class TooMany(ValueError):
    """There are more conditions than a table has room for; the message says how many."""


class Formula(msgspec.Struct, frozen=True):
    """`word` is `atom`, `not`, `and` or `or`; `atom` is any value that can be a key.

    Without parts `and` is true and `or` is false: those are `TRUE` and `FALSE`, and no other objects are.
    """

    word: str
    parts: tuple["Formula", ...] = ()
    atom: Hashable = None


TRUE = Formula("and")
FALSE = Formula("or")


def atom(key: Hashable) -> Formula:
    """The formula that says the atom."""
    return Formula("atom", (), key)


def negation(part: Formula) -> Formula:
    """`not part`."""
    if part.word == "not":
        return part.parts[0]
    if not part.parts and part.word != "atom":
        return FALSE if part.word == "and" else TRUE
    return Formula("not", (part,))


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All of the parts; true for none."""
    return _joined("and", TRUE, FALSE, parts)


def both(left: Formula, right: Formula) -> Formula:
    """The conjunction of two, one of which mostly is true."""
    if left is TRUE:
        return right
    return left if right is TRUE else _joined("and", TRUE, FALSE, (left, right))


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Any of the parts; false for none."""
    return _joined("or", FALSE, TRUE, parts)


def constant(value: object) -> Formula:
    """True or false."""
    return TRUE if value else FALSE


def _joined(word: str, none: Formula, all_said: Formula, parts: Iterable[Formula]) -> Formula:
    # Equal parts are told by identity, equal atoms by key: to hash a formula takes time that grows with its size.
    kept: dict[Hashable, Formula] = {}
    for part in parts:
        if part is all_said:
            return part
        if part is none:
            continue
        if part.word == "atom":
            kept["atom", part.atom] = part
        elif part.word == word:
            kept.update((("atom", each.atom) if each.word == "atom" else id(each), each) for each in part.parts)
        else:
            kept[id(part)] = part
    if len(kept) < 2:
        return next(iter(kept.values()), none)
    return Formula(word, tuple(kept.values()))


def same(left: Formula, right: Formula) -> bool:
    """Whether they are written alike. `==` would look at a part as often as it stands in another one: again and again."""
    seen: set[tuple[int, int]] = set()
    todo = [(left, right)]
    while todo:
        a, b = todo.pop()
        if a is b or (id(a), id(b)) in seen:
            continue
        if a.word != b.word or a.atom != b.atom or len(a.parts) != len(b.parts):
            return False
        seen.add((id(a), id(b)))
        todo.extend(zip(a.parts, b.parts, strict=True))
    return True


def atoms_of(formula: Formula) -> list[Hashable]:
    """The atoms in the order in which they are said, each once."""
    seen: set[int] = set()
    found: dict[Hashable, None] = {}
    todo = [formula]
    while todo:
        each = todo.pop()
        if each.word == "atom":
            found[each.atom] = None
        elif id(each) not in seen:
            seen.add(id(each))
            todo.extend(reversed(each.parts))
    return list(found)


def atoms_of_all(formulas: Iterable[Formula]) -> list[Hashable]:
    """The atoms of several formulas, each once."""
    return list(dict.fromkeys(each for formula in formulas for each in atoms_of(formula)))


def replaced(formula: Formula, names: Mapping[Hashable, Formula]) -> Formula:
    """The formula with formulas for some of its atoms."""
    return _replaced(formula, names, {})


def _replaced(formula: Formula, names: Mapping[Hashable, Formula], known: dict[int, Formula]) -> Formula:
    if formula.word == "atom":
        return names.get(formula.atom, formula)
    found = known.get(id(formula))
    if found is None:
        parts = [_replaced(each, names, known) for each in formula.parts]
        if all(map(is_, parts, formula.parts)):
            found = formula
        elif formula.word == "not":
            found = negation(parts[0])
        else:
            found = conjunction(parts) if formula.word == "and" else disjunction(parts)
        known[id(formula)] = found
    return found


class Tables:
    """Truth tables over a row of atoms. The first atom changes slowest. Raises `TooMany`."""

    def __init__(self, atoms: Sequence[Hashable]) -> None:
        if len(atoms) > MOST_ATOMS:
            raise TooMany(f"{len(atoms)} conditions, more than {MOST_ATOMS}")
        self.atoms = tuple(atoms)
        self.size: int = 1 << len(atoms)
        self.all: int = (1 << self.size) - 1
        self._columns = {each: _column(len(atoms) - 1 - at, self.size) for at, each in enumerate(atoms)}

    def of(self, formula: Formula) -> int:
        """The formula's truth table. Raises `KeyError` for an atom that is not in the row."""
        known: dict[int, int] = {}
        return self._of(formula, known)

    def _of(self, formula: Formula, known: dict[int, int]) -> int:
        found = known.get(id(formula))
        if found is None:
            if formula.word == "atom":
                found = self._columns[formula.atom]
            elif formula.word == "not":
                found = self.all & ~self._of(formula.parts[0], known)
            elif formula.word == "and":
                found = self.all
                for part in formula.parts:
                    found &= self._of(part, known)
            else:
                found = 0
                for part in formula.parts:
                    found |= self._of(part, known)
            known[id(formula)] = found
        return found

    def column(self, key: Hashable) -> int:
        """The truth table of one of the atoms."""
        return self._columns[key]

    def combination(self, index: int) -> dict[Hashable, bool]:
        """What each atom is in the combination with this index."""
        return {each: bool(self._columns[each] >> index & 1) for each in self.atoms}

    def first(self, table: int) -> dict[Hashable, bool] | None:
        """A combination in which the table is true, with as few atoms true as possible; None where there is none."""
        indices = [index for index in range(self.size) if table >> index & 1]
        return self.combination(min(indices, key=lambda each: (each.bit_count(), each))) if indices else None

    def depends(self, table: int, key: Hashable, possible: int | None = None) -> bool:
        """Whether the table is another where the atom is true than where it is false, as far as `possible` holds."""
        high, low = self.halves(table, key)
        if possible is None:
            return high != low
        both = self.halves(possible, key)
        return bool((high ^ low) & both[0] & both[1])

    def halves(self, table: int, key: Hashable) -> tuple[int, int]:
        """The tables with the atom fixed to true and to false, both in the places of false."""
        column = self._columns[key]
        width = 1 << (len(self.atoms) - 1 - self.atoms.index(key))
        return (table & column) >> width, table & ~column

    def for_all(self, table: int, keys: Iterable[Hashable], possible: int) -> int:
        """Where the table is true whatever the given atoms are, within `possible`."""
        table |= self.all & ~possible
        for key in keys:
            high, low = self.halves(table, key)
            table = self._spread(high & low, key)
        return table & possible

    def formula(self, table: int) -> Formula:
        """A formula that has this table."""
        return self._formula(table, 0, {})

    def _formula(self, table: int, at: int, known: dict[tuple[int, int], Formula]) -> Formula:
        size = self.size >> at
        if table in (0, (1 << size) - 1):
            return TRUE if table else FALSE
        found = known.get((table, at))
        if found is None:
            half = size // 2
            low, high = table & ((1 << half) - 1), table >> half
            off, on = self._formula(low, at + 1, known), self._formula(high, at + 1, known)
            said = atom(self.atoms[at])
            found = off if low == high else _either(said, on, off)
            known[table, at] = found
        return found

    def _spread(self, half: int, key: Hashable) -> int:
        width = 1 << (len(self.atoms) - 1 - self.atoms.index(key))
        return half | half << width


def _either(said: Formula, on: Formula, off: Formula) -> Formula:
    return disjunction([conjunction([said, on]), conjunction([negation(said), off])])


@cache
def _column(power: int, size: int) -> int:
    """The truth table of the atom that changes every `2 ** power` combinations."""
    run = 1 << power
    block = ((1 << run) - 1) << run
    out = 0
    for start in range(0, size, 2 * run):
        out |= block << start
    return out
