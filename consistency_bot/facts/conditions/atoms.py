"""The conditions that formulas are made of, and what one of them says about another.

An atom asks one thing about one value: is it true, is it None, is it equal to a constant, is it more than a number.
Atoms about one value are related: what is more than 1 is not 1. All others are taken to be independent.
"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from functools import lru_cache

import msgspec

from consistency_bot.facts.conditions.formulas import (
    TRUE,
    Formula,
    Tables,
    atom,
    conjunction,
    constant,
    disjunction,
    negation,
)

Constant = bool | int | float | str | None


class Atom(msgspec.Struct, frozen=True):
    """One question about the value `path`.

    `test` is `true`, `none`, `==`, `>` or `>=`, and `value` what it is compared with. A `doubt` says why nobody can tell what
    the answer depends on: it is the result of a call, or changes in a loop; empty for what is read by name.
    """

    path: tuple[str, ...]
    test: str = "true"
    value: Constant = None
    doubt: str = ""

    @property
    def text(self) -> str:
        """The question as a person would write it."""
        subject = ".".join(self.path)
        if self.test == "true":
            return subject
        return f"{subject} is None" if self.test == "none" else f"{subject} {self.test} {self.value!r}"


_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def mirrored(operator: str) -> str | None:
    """The operator with its operands swapped; None where that has no name."""
    return _MIRRORED.get(operator)


def is_size(path: Sequence[str]) -> bool:
    """Whether a value is taken to be a whole number of at least 1, by its name: the size of something."""
    return bool(path) and (path[-1] == "size" or path[-1].endswith("_size"))


def compared(path: tuple[str, ...], operator: str, value: Constant) -> Formula | None:
    """The formula of `path operator value`; None for an operator that no atom knows.

    `x >= 2` and `x > 1` are one atom where x is a whole number by its name, as are `x == 1` and `not x > 1`.
    """
    if operator in ("is not", "!="):
        same = compared(path, "==" if operator == "!=" else "is", value)
        return negation(same) if same is not None else None
    if operator in ("is", "=="):
        if value is None:
            return atom(Atom(path, "none"))
        if isinstance(value, bool):
            return atom(Atom(path)) if value else negation(atom(Atom(path)))
        if value == 1 and is_size(path):
            return negation(atom(Atom(path, ">", 1)))
        return atom(Atom(path, "==", value))
    if isinstance(value, bool) or not isinstance(value, int | float) or operator not in ("<", "<=", ">", ">="):
        return None
    if is_size(path) and isinstance(value, int) and operator in ("<", ">="):
        operator, value = ("<=" if operator == "<" else ">"), value - 1
    test = ">" if operator in ("<=", ">") else ">="
    holds = TRUE if is_size(path) and value < 1 else atom(Atom(path, test, value))
    return holds if operator == test else negation(holds)


def asked(each: Atom) -> Iterator[Atom]:
    """The questions in one: `x >= 1` is about what `x > 1` and what `x == 1` ask."""
    if each.test != ">=":
        yield each
        return
    yield Atom(each.path, ">", each.value, each.doubt)
    yield Atom(each.path, "==", each.value, each.doubt)


def fixed(left: Constant, operator: str, right: Constant) -> Formula | None:
    """What a comparison of two constants comes to; None where it raises or is not known."""
    try:
        match operator:
            case "==" | "is":
                return constant(left == right and isinstance(left, bool) == isinstance(right, bool))
            case "!=" | "is not":
                return constant(left != right or isinstance(left, bool) != isinstance(right, bool))
            case "<":
                return constant(left < right)  # type: ignore[operator]
            case "<=":
                return constant(left <= right)  # type: ignore[operator]
            case ">":
                return constant(left > right)  # type: ignore[operator]
            case ">=":
                return constant(left >= right)  # type: ignore[operator]
    except TypeError:
        return None
    return None


@lru_cache(maxsize=512)  # base and head, and the sides, mostly ask the same
def tables_over(atoms: tuple[Hashable, ...]) -> tuple[Tables, int]:
    """The tables over a row of atoms, and the combinations that can be. Raises `TooMany`."""
    tables = Tables(atoms)
    return tables, possible(tables)


def possible(tables: Tables) -> int:
    """The combinations that can be: atoms about one value are asked of every kind of value that they tell apart."""
    out = tables.all
    by_path: dict[tuple[str, ...], list[Atom]] = {}
    for each in tables.atoms:
        if isinstance(each, Atom):
            by_path.setdefault(each.path, []).append(each)
    for path, atoms in by_path.items():
        if len(atoms) > 1:
            answers = {tuple(_answer(each, sample) for each in atoms) for sample in _samples(path, atoms)}
            rows = (
                conjunction(atom(each) if yes else negation(atom(each)) for each, yes in zip(atoms, row, strict=True))
                for row in answers
            )
            out &= tables.of(disjunction(rows))
    return out


def _answer(each: Atom, sample: Constant) -> bool:
    if each.test == "true":
        return bool(sample)
    if each.test == "none":
        return sample is None
    if each.test == ">=":
        return any(_answer(one, sample) for one in asked(each))
    return fixed(sample, each.test, each.value) is TRUE


def _samples(path: tuple[str, ...], atoms: Iterable[Atom]) -> Iterator[Constant]:
    """One value of each kind: the constants themselves, what lies between numbers, and something else."""
    tests = {each.test for each in atoms}
    numbers = sorted({each.value for each in atoms if isinstance(each.value, int | float)})
    texts = [each.value for each in atoms if isinstance(each.value, str)]
    if "none" in tests or texts or not numbers:
        yield None
    if not is_size(path):
        yield from (False, True)
        yield from ("", "\u00b7") if texts or not numbers else ()
    yield from texts
    for number in numbers:
        step = 1 if is_size(path) else 0.5
        yield from (each for each in (number - step, number, number + step) if not is_size(path) or each >= 1)
