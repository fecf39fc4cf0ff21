"""Comparisons and truth values as formulas over atoms."""

from typing import TYPE_CHECKING

from consistency_bot.facts.conditions import atoms
from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.formulas import (
    FALSE,
    TRUE,
    Formula,
    atom,
    conjunction,
    constant,
    disjunction,
    negation,
)
from consistency_bot.facts.conditions.frames import Spot
from consistency_bot.facts.conditions.values import Choices, Code, Entries, Items, Literal, Path, Result, Unread, Value
from consistency_bot.syntax.parsed import Comparison, Expression, worded

if TYPE_CHECKING:
    from consistency_bot.facts.conditions.reader import Reader


_RUN = Path(("__name__",))


def truth_of(choices: Choices, expression: Expression) -> Formula:
    """The condition under which a value is true."""
    if len(choices) == 1 and choices[0][0] is TRUE:
        return _truth(choices[0][1], False, expression)
    absent = _may_be_absent(choices)
    return disjunction(conjunction([guard, _truth(value, absent, expression)]) for guard, value in choices)


def _truth(value: Value, is_sentinel: bool, expression: Expression) -> Formula:
    if isinstance(value, Literal):
        return constant(value.value)
    if isinstance(value, Path):
        return FALSE if value.steps[-1:] == ("TYPE_CHECKING",) else atom(Atom(value.steps or ("self",)))
    if isinstance(value, Items):
        return constant(value.members)
    if isinstance(value, Entries):
        return constant(value.written.entries)
    if isinstance(value, Result) and not is_sentinel:
        return atom(Atom((value.call.text,), doubt="it is the result of a call"))
    if isinstance(value, Unread):
        return atom(Atom((value.text,), doubt=value.reason))
    return TRUE


def _may_be_absent(choices: Choices) -> bool:
    """Whether None stands for "there is none" here: then what a call gives elsewhere is something."""
    return len(choices) > 1 and any(isinstance(value, Literal) and value.value is None for _, value in choices)


def compared(reader: "Reader", expression: Comparison, spot: Spot) -> Formula:
    """The condition under which a comparison holds."""
    left, right = reader.value(expression.left, spot), reader.value(expression.right, spot)
    operator = expression.operator
    if operator in ("in", "not in"):
        holds = _contained(left, right, Comparison(expression.line, expression.left, "in", expression.right))
        return negation(holds) if operator == "not in" else holds
    if len(left) == len(right) == 1 and left[0][0] is right[0][0] is TRUE:
        return _pair(left[0][1], operator, right[0][1], False, expression)
    absent = _may_be_absent(left) or _may_be_absent(right)
    parts: list[Formula] = []
    for guard, a in left:
        for inner, b in right:
            parts.append(conjunction([guard, inner, _pair(a, operator, b, absent, expression)]))
    return disjunction(parts)


def _contained(left: Choices, right: Choices, expression: Comparison) -> Formula:
    parts: list[Formula] = []
    for guard, a in left:
        for inner, b in right:
            if isinstance(b, Items):
                any_of = disjunction(_pair(a, "==", each, False, expression) for each in b.members)
            elif isinstance(b, Path) and isinstance(a, Literal):
                # `"key" in config` asks whether there is such a thing: what its truth is asked of is not there else.
                any_of = atom(Atom((*b.steps, f"has {a.value}")))
            else:
                any_of = _opaque(expression, "it looks something up in a value that is not read")
            parts.append(conjunction([guard, inner, any_of]))
    return disjunction(parts)


def _pair(a: Value, operator: str, b: Value, is_sentinel: bool, expression: Comparison) -> Formula:
    if isinstance(a, Literal) and not isinstance(b, Literal):
        swapped = atoms.mirrored(operator) or operator  # `is` and `is not` read the same both ways
        a, operator, b = b, swapped, a
    if not isinstance(b, Literal):
        if isinstance(a, Path) and a == b and operator in ("==", "is", "!=", "is not"):
            return constant(operator in ("==", "is"))
        if isinstance(a, Path) and isinstance(b, Path) and _is_member(a) and _is_member(b):
            return constant(operator in ("!=", "is not"))
        return _opaque(expression, "it compares two values that are not constants")
    if a == _RUN and b.value == "__main__":
        return constant(operator in ("==", "is"))  # a program is looked at as it is run
    if isinstance(a, Literal):
        found = atoms.fixed(a.value, operator, b.value)
    elif isinstance(a, Path):
        found = atoms.compared(a.steps or ("self",), operator, b.value)
    elif b.value is None and operator in ("is", "is not", "==", "!="):
        found = _is_none(a, operator in ("is", "=="), is_sentinel)
    else:
        found = None
    return found if found is not None else _opaque(expression, _why(a))


def _is_member(path: Path) -> bool:
    """Whether a path names a member of a class of constants, as `Backend.FLASH` does: two of these are two things."""
    return len(path.steps) > 1 and path.steps[-1].isupper() and path.steps[-2][:1].isupper()


def _is_none(value: Value, asks: bool, is_sentinel: bool) -> Formula | None:
    if isinstance(value, Items | Entries | Code) or (isinstance(value, Result) and is_sentinel):
        return FALSE if asks else TRUE
    if isinstance(value, Result):
        found = atom(Atom((value.call.text,), "none", doubt="it is the result of a call"))
        return found if asks else negation(found)
    return None


def _why(value: Value) -> str:
    if isinstance(value, Unread):
        return value.reason
    return "it is the result of a call" if isinstance(value, Result) else "it is not read"


_POSITIVE = {"!=": "==", "is not": "is", "not in": "in"}


def _opaque(expression: Expression, reason: str) -> Formula:
    """The comparison as it stands; `a != b` is the opposite of `a == b`, so that both are about one atom."""
    if isinstance(expression, Comparison) and expression.operator in _POSITIVE:
        operator = _POSITIVE[expression.operator]
        return negation(_opaque(Comparison(expression.line, expression.left, operator, expression.right), reason))
    return atom(Atom((worded(expression),), doubt=reason))
