"""Values that are put together or taken apart: attributes, items, lists that are written out, `and` and `or`."""

from typing import TYPE_CHECKING

from consistency_bot.facts.conditions import builtin_calls
from consistency_bot.facts.conditions.formulas import TRUE, Formula, both, negation
from consistency_bot.facts.conditions.frames import Spot
from consistency_bot.facts.conditions.values import (
    Choices,
    Entries,
    Items,
    Path,
    Result,
    Value,
    always,
    combined,
    limited,
    under,
)
from consistency_bot.syntax.parsed import Collection, Expression, Splat, worded

if TYPE_CHECKING:
    from consistency_bot.facts.conditions.reader import Reader


def member_of(reader: "Reader", value: Value, name: str, expression: Expression) -> Choices:
    """The values of an attribute of a value."""
    if isinstance(value, Path):
        return always(reader.path((*value.steps, name)))
    if isinstance(value, Result):
        for given in value.call.arguments:
            if given.name == name:  # a record made here, as `Manager(cp_size=cp_size).cp_size`
                return reader.value(given.value, value.spot)
        return always(Path((f"{worded(value.call.callee)}()", name)))
    return reader.unread("an attribute of something that is not read", expression)


def subscripted(reader: "Reader", owner: Expression, key: Expression, spot: Spot, expression: Expression) -> Choices:
    """The values of `owner[key]`."""
    out: list[tuple[Formula, Value]] = []
    for guard, value in reader.value(owner, spot):
        if isinstance(value, Entries):
            out.extend(under(guard, builtin_calls.looked_up(reader, value, key, None, spot)))
        else:
            for inner, index in reader.value(key, spot):
                found = builtin_calls.item(reader, value, index, expression)
                out.append((both(guard, inner), found))
    return tuple(out)


def joined_by(reader: "Reader", word: str, members: tuple[Expression, ...], spot: Spot) -> Choices:
    """`a or b` is worth a where a is true, and b elsewhere; `and` the reverse."""
    out: list[tuple[Formula, Value]] = []
    left = TRUE
    for member in members[:-1]:
        holds = reader.truth(member, spot)
        leaves = holds if word == "or" else negation(holds)
        out.extend(under(both(left, leaves), reader.value(member, spot)))
        left = both(left, negation(leaves))
    out.extend(under(left, reader.value(members[-1], spot)))
    return tuple(out)


def collected(reader: "Reader", expression: Collection, spot: Spot) -> Choices:
    """The members of a list, a tuple or a set that is written out."""
    choices = always(Items((), (spot, expression.line)))
    for member in expression.members:
        if isinstance(member, Splat):
            choices = combined(choices, reader.value(member.member, spot), builtin_calls.joined)
        else:
            choices = combined(choices, reader.value(member, spot), builtin_calls.appended)
        choices = limited(choices, expression)
    return choices
