"""Reads snippets of code the way kinds of rules do, for tests."""

from collections.abc import Mapping

from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.calls import SideCode
from consistency_bot.facts.conditions.formulas import Formula, Tables, atoms_of
from consistency_bot.facts.conditions.frames import Frame, Spot
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.facts.conditions.values import Choices
from consistency_bot.syntax import Readings, Source


def probed(code: str, *more: str) -> tuple[Choices, Formula]:
    """What the argument of the one `probe(…)` in the code may be worth, and when it is called. `more` are other files."""
    definitions = [
        each
        for at, text in enumerate((code, *more))
        for each in Source(f"file_{at}.py", text.encode(), Readings(), at == 0).definitions
    ]
    reader = Reader(SideCode(definitions))
    (site,) = reader.code.calls("probe")
    frame = Frame(site.function, site.definition)
    spot = Spot.before(site.step, frame)
    return reader.value(site.call.arguments[0].value, spot), reader.reached(site, frame)


def condition(code: str, *more: str) -> Formula:
    """The condition under which the one `probe(…)` in the code is called."""
    return probed(code, *more)[1]


def said(formula: Formula) -> str:
    """The formula with brackets around everything, for messages."""
    if formula.word == "atom":
        return formula.atom.text if isinstance(formula.atom, Atom) else str(formula.atom)
    if formula.word == "not":
        return f"not {said(formula.parts[0])}"
    if not formula.parts:
        return "always" if formula.word == "and" else "never"
    return "(" + f" {formula.word} ".join(map(said, formula.parts)) + ")"


def holds(formula: Formula, answers: Mapping[str, bool]) -> bool:
    """Whether the formula is true where its atoms have these answers, by their text."""
    tables = Tables(list(atoms_of(formula)))
    table = tables.of(formula)
    for index in range(tables.size):
        combination = tables.combination(index)
        if all(answers[each.text] is value for each, value in combination.items() if isinstance(each, Atom)):
            return bool(table >> index & 1)
    raise AssertionError(f"no combination of {said(formula)} is {answers}")
