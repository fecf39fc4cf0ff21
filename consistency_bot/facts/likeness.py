"""Whether conditions of several sides are one, decided by truth table, and how they are told."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Literal

from consistency_bot.facts.conditions.atoms import possible
from consistency_bot.facts.conditions.formulas import MOST_ATOMS, Formula, Tables, atoms_of, disjunction
from consistency_bot.facts.conditions.vocabulary import Names, Vocabulary
from consistency_bot.facts.telling import told

Relation = Literal["equal", "unlike", "unknown"]


class Likeness:
    """The conditions of all sides of a rule in common atoms."""

    def __init__(
        self, declared: Mapping[str, Sequence[str]], formulas: Iterable[Formula], names: Sequence[Names]
    ) -> None:
        self._vocabulary = Vocabulary(declared, formulas, names)

    def compared(self, left: Formula, right: Formula) -> Relation:
        """Whether two conditions are one.

        They are unlike where one of them asks nothing that the other one does not ask too. Where each asks something
        of its own, that may be one thing in two ways: `isinstance(model, Llama)` and `model_type == "llama"`.
        """
        if left == right:
            return "equal"
        left, right = self._vocabulary.of(left), self._vocabulary.of(right)
        mine, theirs = set(atoms_of(left)), set(atoms_of(right))
        if len(mine | theirs) > MOST_ATOMS:
            return "unknown"
        tables = Tables(list(dict.fromkeys([*atoms_of(left), *atoms_of(right)])))
        if not (tables.of(left) ^ tables.of(right)) & possible(tables):
            return "equal"
        return "unknown" if mine - theirs and theirs - mine else "unlike"

    def covering(self, conditions: Sequence[Formula], text: str) -> bool:
        """Whether one of the conditions, or all together that ask nothing else, hold wherever that of the rules does."""
        narrow = self._vocabulary.wanted(text)
        asked = frozenset(atoms_of(narrow))
        wide = [self._vocabulary.of(each) for each in conditions]
        near = [each for each in wide if asked & set(atoms_of(each))]
        together = disjunction(each for each in near if set(atoms_of(each)) <= asked)
        return any(_covers(each, narrow) for each in [*near, together])

    def atoms(self, formula: Formula) -> frozenset[Hashable]:
        """What a condition asks, in the common atoms."""
        return frozenset(atoms_of(self._vocabulary.of(formula)))

    def text(self, formula: Formula) -> str:
        """The condition as a person would write it, in the words of the rules file; empty for what always holds."""
        return told(self._vocabulary.of(formula), self._vocabulary.text)


def _covers(wide: Formula, narrow: Formula) -> bool:
    atoms = list(dict.fromkeys([*atoms_of(narrow), *atoms_of(wide)]))
    if len(atoms) > MOST_ATOMS:
        return False
    tables = Tables(atoms)
    return not tables.of(narrow) & ~tables.of(wide) & possible(tables)
