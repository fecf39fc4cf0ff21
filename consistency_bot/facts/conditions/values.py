"""What an expression may be worth, as far as the source tells: a constant, a path into a configuration, a list."""

from collections.abc import Callable
from typing import TypeAlias

import msgspec

from consistency_bot.facts.conditions.formulas import FALSE, TRUE, Formula, both
from consistency_bot.facts.conditions.frames import Spot
from consistency_bot.syntax.flow import Function
from consistency_bot.syntax.parsed import Argument, Call, Expression, Mapping, worded

_MOST_CHOICES = 48
"""A value with more alternatives than this is not read: their guards would be larger than the code."""


class Value(msgspec.Struct, frozen=True):
    """Any value."""


class Literal(Value, frozen=True):
    """A constant."""

    value: bool | int | float | str | None


class Path(Value, frozen=True):
    """Something that is read by name: a parameter, an attribute, a key, in the order from the outside in.

    Where it begins is left out: of `self.cfg["a"]["b"]` the steps are `config`, `a` and `b`. Empty for `self` itself.
    """

    steps: tuple[str, ...]

    @property
    def text(self) -> str:
        """The steps in one word."""
        return ".".join(self.steps)


class Items(Value, frozen=True):
    """The members of a list, a tuple or a set. `origin` is where it is written: a spot there, and the line."""

    members: tuple[Value, ...]
    origin: tuple[Spot, int] | None = None


class Entries(Value, frozen=True):
    """A dictionary as written at some spot."""

    written: Mapping
    spot: Spot


class Code(Value, frozen=True):
    """A function of the side, to be called: its flow, and what it is bound to."""

    function: Function
    spot: Spot | None = None
    """Where a nested function is defined."""


class Result(Value, frozen=True):
    """What calling something gives, where that cannot be looked into. `callee` is what is called."""

    callee: Value
    call: Call
    spot: Spot


class Bound(Value, frozen=True):
    """A callable with arguments handed over in advance, at some spot."""

    callee: Value
    arguments: tuple[Argument, ...]
    spot: Spot


class Unread(Value, frozen=True):
    """A value that the source does not tell, and why. `text` is how it is written."""

    reason: str
    text: str
    line: int


class Known(Expression, frozen=True):
    """An expression whose value is known already, put in the place of a name."""

    value: Value


Choices: TypeAlias = tuple[tuple[Formula, Value], ...]
"""Values under conditions that exclude one another. Where none of the conditions holds, the code does not get there."""


def always(value: Value) -> Choices:
    """The value under every condition."""
    return ((TRUE, value),)


def limited(choices: Choices, expression: Expression) -> Choices:
    """The choices that can be, or a value that cannot be read where the expression has too many."""
    if len(choices) == 1 and choices[0][0] is not FALSE:
        return choices
    found = tuple(each for each in choices if each[0] is not FALSE)
    if len(found) > _MOST_CHOICES:
        return always(Unread("it has too many alternatives", worded(expression), expression.line))
    return found


def under(guard: Formula, choices: Choices) -> Choices:
    """The choices where the guard holds as well."""
    if guard is TRUE:
        return choices
    return tuple((both(guard, condition), value) for condition, value in choices)


def combined(left: Choices, right: Choices, join: Callable[[Value, Value], Value]) -> Choices:
    """Every value of one with every value of the other."""
    return tuple((both(g, h), join(a, b)) for g, a in left for h, b in right)
