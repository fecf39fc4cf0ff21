"""Whether conditions of several sides are one, decided by truth table, and how they are told."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Literal

from consistency_bot.facts.conditions.atoms import possible
from consistency_bot.facts.conditions.formulas import MOST_ATOMS, TRUE, Formula, Tables, atoms_of
from consistency_bot.facts.conditions.vocabulary import Names, Vocabulary

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

    def covers(self, wide: Formula, text: str) -> Relation:
        """Whether a condition of a side holds wherever the condition of the rules file does: `equal` for yes."""
        narrow, wide = self._vocabulary.wanted(text), self._vocabulary.of(wide)
        atoms = list(dict.fromkeys([*atoms_of(narrow), *atoms_of(wide)]))
        if len(atoms) > MOST_ATOMS:
            return "unknown"
        tables = Tables(atoms)
        return "unlike" if tables.of(narrow) & ~tables.of(wide) & possible(tables) else "equal"

    def text(self, formula: Formula) -> str:
        """The condition as a person would write it, in the words of the rules file; empty for what always holds."""
        return said(self._vocabulary.of(formula), self._vocabulary.text)


def said(formula: Formula, text: Callable[[Hashable], str]) -> str:
    """The formula in one line, its atoms as `text` tells them; empty for what always holds."""
    if formula == TRUE:
        return ""
    if formula.word == "atom":
        return text(formula.atom)
    if formula.word == "not":
        inner = formula.parts[0]
        told = said(inner, text)
        return f"not {told}" if inner.word == "atom" and " " not in told else f"not ({told})"
    if not formula.parts:
        return "never"
    parts = (said(each, text) if each.word in ("atom", "not") else f"({said(each, text)})" for each in formula.parts)
    return f" {formula.word} ".join(parts)


def as_written(key: Hashable) -> str:
    """An atom in the words of its own side."""
    return str(getattr(key, "text", key))
