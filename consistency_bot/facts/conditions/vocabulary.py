"""One name for one condition on all sides, whatever each side calls it."""

from collections.abc import Hashable, Iterable, Mapping, Sequence

from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.formulas import Formula, atom, atoms_of, negation, replaced
from consistency_bot.facts.conditions.written import written, written_atom

Names = Mapping[tuple[str, ...], Iterable[str]]
"""What a side's code calls a value, by the value's path."""
_Steps = tuple[str, ...]

_DECLARED = "@"
"""The first step of the paths of atoms that the rules file declares."""
_SAYS_LITTLE = 8
"""A last step of fewer letters, without an underscore, is told with the one before it: `sequence_packing.enabled`."""

_LONGEST = 80
"""Longer texts are cut: a column of a table has to be read."""


class Vocabulary:
    """Brings the formulas of several sides, and those of a rule, to the same atoms. `asked` are all atoms of the sides.

    Two paths are one where the rules file's `atoms` says so, where they are equal, where one is the end of the other, or
    where both sides have the same name for it and one of them does not tell where it comes from. Raises
    `written.Unclear` for a spelling that is no condition, `IndexError` for a name without one.
    """

    def __init__(
        self, declared: Mapping[str, Sequence[str]], asked: Iterable[Hashable], names: Sequence[Names]
    ) -> None:
        self._declared = {name: [written_atom(each) for each in given] for name, given in declared.items()}
        self._homes = _homes(self._declared.values())
        self._order = [self._of_name(name) for name in self._declared]
        self._names: dict[_Steps, set[str]] = {}
        for each in names:
            for path, known in each.items():
                self._names.setdefault(path, set()).update(known)
        found = dict.fromkeys(each for each in asked if isinstance(each, Atom))
        self._paths = one_path([each.path for each in found if not each.doubt], self._names)
        self._said: dict[Hashable, Formula] = {each: self._named(each) for each in found}
        self._common = {each: _inner(formula) for each, formula in self._said.items()}
        self._texts: dict[str, Atom | None] = {}
        for said in dict.fromkeys(self._common.values()):
            if isinstance(said, Atom):
                short = _short(said)
                self._texts[short] = None if short in self._texts else said

    def of(self, formula: Formula) -> Formula:
        """The formula of a side in the common atoms."""
        return replaced(formula, self._said)

    def asked(self, atoms: Iterable[Hashable]) -> frozenset[Hashable]:
        """The common atoms of a formula that has these atoms."""
        return frozenset(self._common.get(each, each) for each in atoms)

    def wanted(self, text: str) -> Formula:
        """The condition of a rule in the common atoms: names of `atoms`, or spellings of what the sides ask."""
        formula = written(text)
        return replaced(formula, {each: self._wanted(each) for each in atoms_of(formula) if isinstance(each, Atom)})

    def _wanted(self, each: Atom) -> Formula:
        if each.test == "true" and len(each.path) == 1 and each.path[0] in self._declared:
            _, holds = self._declared[each.path[0]][0]
            own = atom(self._of_name(each.path[0]))
            return own if holds else negation(own)
        for path in dict.fromkeys(self._paths.values()):
            if _spells(each.path, path, self._names):
                return self._named(Atom(path, each.test, each.value))
        return atom(each)

    def _of_name(self, name: str) -> Atom:
        """The atom that the first spelling of a declared name asks, or denies."""
        first, _ = self._declared[name][0]
        return Atom((_DECLARED, *self._homes[first.path]), first.test, first.value)

    def _named(self, each: Atom) -> Formula:
        """An atom of a side: that of a declared name, or one about the path that is common to the sides."""
        if each.doubt:
            return atom(each)
        path = self._paths.get(each.path, each.path)
        others = [other for other, one in self._paths.items() if one == path] or [path]
        best: tuple[tuple[bool, int], str, Atom, bool] | None = None
        for name, spellings in self._declared.items():
            for said, holds in spellings:
                rank = ((each.test, each.value) == (said.test, said.value), len(said.path))
                if (best is None or rank > best[0]) and any(_spells(said.path, other, self._names) for other in others):
                    best = (rank, name, said, holds)
        if best is None:
            return atom(Atom(path, each.test, each.value))
        (is_same_question, _), name, said, holds = best
        if not is_same_question:
            return atom(Atom((_DECLARED, *self._homes[said.path]), each.test, each.value))
        own = atom(self._of_name(name))
        _, first_holds = self._declared[name][0]
        return own if holds == first_holds else negation(own)

    def text(self, each: Hashable) -> str:
        """What people call the atom; with all of its path where two would be called the same."""
        if not isinstance(each, Atom):
            return str(each)
        for name, own in zip(self._declared, self._order, strict=True):
            if each == own and self._declared[name][0][1]:
                return name
        short = _short(each)
        said = short if self._texts.get(short, each) == each else _bare(each).text
        return said if len(said) <= _LONGEST else f"{said[: _LONGEST - 1]}…"

    def rank(self, each: Hashable) -> int:
        """Where a declared atom stands in the rules file; behind all of these for every other atom."""
        return self._order.index(each) if each in self._order else len(self._order)

    def is_declared(self, each: Hashable) -> bool:
        """Whether the rules file has a name for the atom."""
        return each in self._order


def _inner(formula: Formula) -> Hashable:
    """The atom that a formula says or denies."""
    return (formula.parts[0] if formula.word == "not" else formula).atom


def _bare(each: Atom) -> Atom:
    return Atom(each.path[1:], each.test, each.value) if each.path[0] == _DECLARED else each


def _short(each: Atom) -> str:
    """The end of the path, with the step before it where that says little by itself."""
    path = _bare(each).path
    if each.doubt or len(path) < 2:
        return Atom(path, each.test, each.value).text
    is_short = len(path[-1]) < _SAYS_LITTLE and "_" not in path[-1] and path[-2] != "config"
    return Atom(path[-2:] if is_short or " " in path[-1] else path[-1:], each.test, each.value).text


def _homes(declared: Iterable[Sequence[tuple[Atom, bool]]]) -> dict[_Steps, _Steps]:
    """{path of a spelling: the path that stands for it}: spellings of one name ask about one value."""
    out: dict[_Steps, _Steps] = {}
    for spellings in declared:
        first, _ = spellings[0]
        home = out.setdefault(first.path, first.path)
        for each, _ in spellings:
            is_same_question = (each.test, each.value) == (first.test, first.value)
            out.setdefault(each.path, home if is_same_question else each.path)
    return out


def _spells(said: _Steps, path: _Steps, names: Mapping[_Steps, Iterable[str]]) -> bool:
    """Whether a spelling means the value of a path: it is its end, or a name that the code has for it."""
    if not said:
        return False
    if path[-len(said) :] == said or (len(said) == 1 and said[0] in names.get(path, ())):
        return True
    return said[0] == "config" and len(said) > 2 and path[-len(said) + 1 :] == said[1:]


def one_path(paths: Iterable[_Steps], names: Mapping[_Steps, Iterable[str]]) -> dict[_Steps, _Steps]:
    """{path: the path that stands for it}."""
    every = sorted(dict.fromkeys(paths), key=len, reverse=True)
    out: dict[_Steps, _Steps] = {}
    for path in every:
        longer = {out[each] for each in out if len(each) > len(path) and _is_end(path, each, names)}
        out[path] = next(iter(longer)) if len(longer) == 1 else path
    return out


def _is_end(path: _Steps, longer: _Steps, names: Mapping[_Steps, Iterable[str]]) -> bool:
    if len(path) > 1:
        return longer[-len(path) :] == path
    return "_" in path[0] and (longer[-1] == path[0] or path[0] in names.get(longer, ()))
