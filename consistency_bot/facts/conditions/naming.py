"""The names that conditions are made of, so that conditions of two sides can be put into the names of one."""

import re
from collections.abc import Hashable, Mapping

from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.formulas import Formula, atom, atoms_of, replaced

_NAME = re.compile(r"[^\W\d]\w*")


def names_of(formula: Formula) -> frozenset[str]:
    """Every name in what a condition asks."""
    return frozenset(name for step in _steps(formula) for name in _NAME.findall(step))


def renamed(formula: Formula, names: Mapping[str, str]) -> Formula:
    """The condition with other names; itself where none of them is in it."""
    if names.keys().isdisjoint(names_of(formula)):
        return formula
    said: dict[Hashable, Formula] = {
        each: atom(Atom(tuple(_put(step, names) for step in each.path), each.test, each.value, each.doubt))
        for each in atoms_of(formula)
        if isinstance(each, Atom)
    }
    return replaced(formula, said)


def _steps(formula: Formula) -> list[str]:
    return [step for each in atoms_of(formula) if isinstance(each, Atom) for step in each.path]


def _put(step: str, names: Mapping[str, str]) -> str:
    return _NAME.sub(lambda found: names.get(found[0], found[0]), step)
