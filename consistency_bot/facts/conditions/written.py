"""Conditions as people write them in a rules file: read like code, without any code around them."""

from functools import cache

from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.calls import SideCode
from consistency_bot.facts.conditions.formulas import Formula, atoms_of
from consistency_bot.facts.conditions.frames import Frame
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.syntax import Readings, Source, Undecodable


class Unclear(ValueError):
    """The text is no condition; the message is the end of a sentence that begins with the text."""


@cache
def written(text: str) -> Formula:
    """The condition that a text says, over atoms as the text spells them. Raises `Unclear`."""
    try:
        source = Source("condition", text.encode(), Readings())
    except (Undecodable, UnicodeEncodeError) as error:
        raise Unclear("is not text that can be read") from error
    module = source.definitions[0]
    steps = module.flow.body.steps
    if source.root.has_error or len(steps) != 1 or steps[0].kind != "call" or steps[0].value is None:
        raise Unclear("is not one condition in Python's words")
    frame = Frame(module.flow, module)
    formula = Reader(SideCode(source.definitions)).truth(steps[0].value, frame.end)
    for each in atoms_of(formula):
        if isinstance(each, Atom) and each.doubt:
            raise Unclear(f"asks `{each.text}`, which is no name, no key and no comparison with a constant")
    return formula


def written_atom(text: str) -> tuple[Atom, bool]:
    """The one atom that a text says, and whether it says it or denies it. Raises `Unclear`."""
    formula = written(text)
    inner = formula.parts[0] if formula.word == "not" else formula
    if inner.word != "atom" or not isinstance(inner.atom, Atom):
        raise Unclear("is put together from several conditions, or is always the same")
    return inner.atom, formula.word == "atom"


def fault_of_condition(text: str) -> str | None:
    """Why a text is no condition, as the end of a sentence that begins with it; None where it is one."""
    try:
        written(text)
    except Unclear as error:
        return str(error)
    return None


def fault_of_atom(text: str) -> str | None:
    """Why a text is no single condition, as the end of a sentence that begins with it; None where it is one."""
    try:
        written_atom(text)
    except Unclear as error:
        return str(error)
    return None
