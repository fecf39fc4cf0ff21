"""Whether conditions of several sides are one, decided by truth table, and how they are told."""

import re
from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from typing import Literal

from consistency_bot.facts.conditions.atoms import Atom, asked, tables_over
from consistency_bot.facts.conditions.formulas import (
    MOST_ATOMS,
    Formula,
    atom,
    atoms_of,
    atoms_of_all,
    disjunction,
    replaced,
    same,
)
from consistency_bot.facts.conditions.vocabulary import Names, Vocabulary
from consistency_bot.facts.telling import told

_OWNER = re.compile(r"\b(?:self|cls)\.")
_CONFIGURATION = re.compile(r"\b(?:cfg|conf|configuration)\b")
_SPACES = re.compile(r"(?<=[(\[{]) | (?=[)\]}])|,(?= ?[)\]}])")

Relation = Literal["equal", "unlike", "unknown"]


class Likeness:
    """The conditions of all sides of a rule in common atoms."""

    def __init__(
        self, declared: Mapping[str, Sequence[str]], formulas: Iterable[Formula], names: Sequence[Names]
    ) -> None:
        self._known: dict[int, tuple[Formula, Formula, frozenset[Hashable]]] = {}
        self._spelt = {id(each): (each, *_alike(each)) for each in formulas}
        asked = (each for _, _, atoms in self._spelt.values() for each in atoms)
        self._vocabulary = Vocabulary(declared, asked, names)

    def compared(self, left: Formula, right: Formula) -> Relation:
        """Whether two conditions are one.

        They are unlike where one of them asks nothing that the other one does not ask too. Where each asks something
        of its own, that may be one thing in two ways: `isinstance(model, Llama)` and `model_type == "llama"`.
        """
        if same(left, right):
            return "equal"
        (_, left, mine), (_, right, theirs) = self._alike(left), self._alike(right)
        if len(mine | theirs) > MOST_ATOMS:
            return "unknown"
        tables, can_be = tables_over(tuple(atoms_of_all((left, right))))
        if not (tables.of(left) ^ tables.of(right)) & can_be:
            return "equal"
        mine, theirs = _questions(mine), _questions(theirs)
        return "unknown" if mine - theirs and theirs - mine else "unlike"

    def identity(self, formula: Formula) -> Hashable | None:
        """What is equal for two conditions that ask the same and are one; None for one that is too large to tell."""
        _, common, atoms = self._alike(formula)
        if len(atoms) > MOST_ATOMS:
            return None
        tables, can_be = tables_over(tuple(sorted(atoms, key=_place)))
        return atoms, tables.of(common) & can_be

    def covering(self, conditions: Sequence[Formula], text: str) -> bool:
        """Whether one of the conditions, or those together that ask the same, hold wherever that of the rules does."""
        narrow = self._vocabulary.wanted(text)
        wanted = _questions(atoms_of(narrow))
        wide = [self._alike(each) for each in conditions]
        about = _values(wanted)  # `n < 3` covers `n < 2`, though it asks something else of n
        near = [(each, _questions(atoms)) for _, each, atoms in wide if about & _values(atoms)]
        alone = disjunction(each for each, here in near if here <= wanted)
        every = [each for each, _ in near]
        return any(_covers(each, narrow) for each in [*every, alone, disjunction(every)])

    def shape(self, formula: Formula) -> Hashable:
        """What two conditions have in common that ask the same of values with other names."""
        atoms = [each for each in self.atoms(formula) if isinstance(each, Atom)]
        return tuple(sorted((len(each.path), each.test, repr(each.value), each.doubt) for each in atoms))

    def atoms(self, formula: Formula) -> frozenset[Hashable]:
        """What a condition asks, in the common atoms."""
        return self._alike(formula)[2]

    def _of(self, formula: Formula) -> Formula:
        return self._alike(formula)[1]

    def _alike(self, formula: Formula) -> tuple[Formula, Formula, frozenset[Hashable]]:
        """(the formula as it is, in common atoms, and what it asks); kept by identity, since there are few of them."""
        found = self._known.get(id(formula))
        if found is None:
            _, alike, atoms = self._spelt.get(id(formula)) or (formula, *_alike(formula))
            found = self._known[id(formula)] = formula, self._vocabulary.of(alike), self._vocabulary.asked(atoms)
        return found

    def text(self, formula: Formula) -> str:
        """The condition as a person would write it, in the words of the rules file; empty for what always holds."""
        return told(self._of(formula), self._vocabulary.text)


def _alike(formula: Formula) -> tuple[Formula, list[Hashable]]:
    """The formula with the texts of what is not read by name freed of what each side calls its owner and configuration.

    With it the atoms that it has then.
    """
    atoms = atoms_of(formula)
    names: dict[Hashable, Atom] = {
        each: Atom(tuple(map(spelt_alike, each.path)), each.test, each.value, each.doubt)
        for each in atoms
        if isinstance(each, Atom) and each.doubt
    }
    if not names:
        return formula, atoms
    said = {each: atom(alike) for each, alike in names.items()}
    return replaced(formula, said), [names.get(each, each) for each in atoms]


@cache  # base and head, and the sides, mostly say the same
def spelt_alike(text: str) -> str:
    """The text of an expression without what differs from side to side: `self.`, the name of a configuration, layout."""
    return _SPACES.sub("", _CONFIGURATION.sub("config", _OWNER.sub("", text)))


def _place(each: Hashable) -> tuple[Sequence[str], str, str, str]:
    """Where an atom stands among others, whoever asks it; what `repr` would tell takes longer."""
    if isinstance(each, Atom):
        return each.path, each.test, repr(each.value), each.doubt
    return (repr(each),), "", "", ""


def _questions(atoms: Iterable[Hashable]) -> frozenset[Hashable]:
    """What atoms ask, so that `x >= 1` and `x > 1` are seen to ask the same of `x`."""
    return frozenset(one for each in atoms for one in (asked(each) if isinstance(each, Atom) else (each,)))


def _values(atoms: Iterable[Hashable]) -> frozenset[Hashable]:
    """What atoms ask about."""
    return frozenset(each.path if isinstance(each, Atom) else each for each in atoms)


def _covers(wide: Formula, narrow: Formula) -> bool:
    atoms = atoms_of_all((narrow, wide))
    if len(atoms) > MOST_ATOMS:
        return False
    tables, can_be = tables_over(tuple(atoms))
    return not tables.of(narrow) & ~tables.of(wide) & can_be
