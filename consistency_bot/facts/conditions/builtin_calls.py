"""What Python's own calls, operators and comprehensions do to values: lists grow, dictionaries are looked up."""

from typing import TYPE_CHECKING

import msgspec

from consistency_bot.facts.conditions.formulas import TRUE, Formula, both, conjunction, disjunction, negation
from consistency_bot.facts.conditions.frames import Spot
from consistency_bot.facts.conditions.values import (
    Bound,
    Choices,
    Entries,
    Items,
    Known,
    Literal,
    Path,
    Unread,
    Value,
    always,
    combined,
    under,
)
from consistency_bot.syntax.flow import Step
from consistency_bot.syntax.parsed import (
    Attribute,
    Call,
    Comparison,
    Expression,
    Name,
    Selection,
    bound,
    worded,
)

if TYPE_CHECKING:
    from consistency_bot.facts.conditions.reader import Reader

_SAME = frozenset("bool int str float list tuple set frozenset sorted dict".split())
"""Calls with one argument that is worth the same, as far as conditions and lists go."""
_SAME_METHODS = frozenset("copy lower upper strip item".split())


def called(reader: "Reader", call: Call, spot: Spot) -> Choices | None:
    """What a call of Python's own functions and methods gives; None for every other call."""
    callee = call.callee
    plain = [each.value for each in call.arguments if not each.name]
    if isinstance(callee, Name):
        if callee.name in _SAME and len(call.arguments) == len(plain) < 2:
            return reader.value(plain[0], spot) if plain else always(Items(()))
        if callee.name == "getattr" and len(plain) in (2, 3):
            return _got(reader, plain[0], plain[1], None, spot, call)
        if callee.name == "partial" and plain:
            return _bound(reader, call, spot)
    elif isinstance(callee, Attribute):
        if callee.name == "get" and len(plain) in (1, 2) and len(plain) == len(call.arguments):
            return _got(reader, callee.owner, plain[0], plain[1] if len(plain) == 2 else None, spot, call)
        if callee.name == "getenv" and plain:
            return always(reader.path(("os", "environ", worded(plain[0]).strip("'"))))
        if callee.name in _SAME_METHODS and not call.arguments:
            return reader.value(callee.owner, spot)
        if callee.name == "partial" and plain:
            return _bound(reader, call, spot)
    return None


def _bound(reader: "Reader", call: Call, spot: Spot) -> Choices:
    """`partial(f, …)`."""
    first = call.arguments[0].value
    inner = Call(call.line, first, (), worded(first))
    return tuple((guard, Bound(value, call.arguments[1:], spot)) for guard, value in reader.callee(inner, spot))


def _got(
    reader: "Reader", owner: Expression, key: Expression, default: Expression | None, spot: Spot, call: Call
) -> Choices:
    """`owner.get(key, default)`: of a configuration the path, whatever the default is."""
    out: list[tuple[Formula, Value]] = []
    for guard, value in reader.value(owner, spot):
        if isinstance(value, Entries):
            otherwise = reader.value(default, spot) if default is not None else always(Literal(None))
            out.extend(under(guard, looked_up(reader, value, key, otherwise, spot)))
        elif isinstance(value, Literal):
            out.extend(under(guard, reader.value(default, spot) if default is not None else always(Literal(None))))
        else:
            for inner, index in reader.value(key, spot):
                out.append((both(guard, inner), item(reader, value, index, call)))
    return tuple(out)


def looked_up(reader: "Reader", entries: Entries, key: Expression, default: Choices | None, spot: Spot) -> Choices:
    """The entry of a written-out dictionary under a key; the default where there is none."""
    out: list[tuple[Formula, Value]] = []
    left = TRUE
    choices = reader.value(key, spot)
    for each, value in entries.written.entries:
        if each is None:
            return reader.unread("the dictionary unpacks another one", key)
        known = [Known(key.line, asked) for _, asked in choices]
        parts = [
            conjunction([guard, reader.truth(Comparison(key.line, asked, "==", Known(key.line, mine)), spot)])
            for (guard, _), asked in zip(choices, known, strict=True)
            for _, mine in reader.value(each, entries.spot)
        ]
        holds = both(left, disjunction(parts))
        out.extend(under(holds, reader.value(value, entries.spot)))
        left = both(left, negation(disjunction(parts)))
    if default is not None:
        out.extend(under(left, default))
    return tuple(out)


def item(reader: "Reader", value: Value, index: Value, expression: Expression) -> Value:
    """The item of a value at an index."""
    if isinstance(index, Literal):
        if isinstance(value, Path):
            return reader.path((*value.steps, str(index.value)))
        if isinstance(value, Items) and isinstance(index.value, int) and -1 <= index.value < len(value.members):
            return value.members[index.value]
    return Unread("which item it is depends on the run", worded(expression), expression.line)


def operated(reader: "Reader", left: Expression, operator: str, right: Expression, spot: Spot) -> Choices:
    """An operator between two values: lists are joined, sets are joined and subtracted."""
    a, b = reader.value(left, spot), reader.value(right, spot)
    if operator in ("+", "|"):
        return combined(a, b, joined)
    if operator == "-":
        return combined(a, b, without)
    return always(Unread("it is computed", f"{worded(left)} {operator} {worded(right)}", left.line))


def joined(a: Value, b: Value) -> Value:
    """The members of both."""
    if isinstance(a, Items) and isinstance(b, Items):
        return Items(a.members + b.members, a.origin or b.origin)
    return _unread(a, b)


def appended(a: Value, b: Value) -> Value:
    """The members of a, and b."""
    return Items((*a.members, b), a.origin) if isinstance(a, Items) else _unread(a, b)


def without(a: Value, b: Value) -> Value:
    """The members of a that are no members of b."""
    if isinstance(a, Items) and isinstance(b, Items):
        kept = (each for each in a.members if not any(_is_one(each, other) for other in b.members))
        return Items(tuple(kept), a.origin)
    return _unread(a, b)


def _is_one(a: Value, b: Value) -> bool:
    """Whether two members are one. Lists of lists are not looked into: there may be no end to that."""
    return a is b or (isinstance(a, Literal | Path | Unread) and a == b)


def removed(a: Value, b: Value) -> Value:
    """The members of a without b."""
    return without(a, Items((b,)))


def _unread(*values: Value) -> Value:
    found = next((each for each in values if isinstance(each, Unread)), None)
    if found is not None:
        return found
    text = next((each.text for each in values if isinstance(each, Path)), "")
    return Unread("it is put together from a value that is not read", text or "a list", 1)


def selected(reader: "Reader", expression: Selection, spot: Spot) -> Choices:
    """A comprehension over a list that is known: each member is tried."""
    target = expression.target
    if not isinstance(target, Name):
        return reader.unread("it is a comprehension", expression)
    choices: Choices = ()
    for guard, source in reader.value(expression.source, spot):
        if not isinstance(source, Items):
            return reader.unread("it is a comprehension over a value that is not read", expression)
        out: Choices = always(Items(()))
        for member in source.members:
            known = Known(expression.line, member)
            tests = [reader.truth(_put(each, target.name, known), spot) for each in expression.tests]
            kept = conjunction(tests)
            value = reader.value(_put(expression.member, target.name, known), spot)
            grown = combined(out, value, appended)
            out = (*under(kept, grown), *under(negation(kept), out)) if kept is not TRUE else grown
            out = tuple(each for each in out if each[0].parts or each[0].word != "or")
        choices = (*choices, *under(guard, out))
    return choices


def _put(expression: Expression, name: str, known: Known) -> Expression:
    """The expression with a known value in the place of a name."""
    if isinstance(expression, Name):
        return known if expression.name == name else expression
    given = {field: _put_in(getattr(expression, field), name, known) for field in expression.__struct_fields__}
    return msgspec.structs.replace(expression, **given)


def _put_in(part: object, name: str, known: Known) -> object:
    if isinstance(part, Known):
        return part
    if isinstance(part, Expression):
        return _put(part, name, known)
    if isinstance(part, tuple):
        return tuple(_put_in(each, name, known) for each in part)
    if isinstance(part, msgspec.Struct) and not isinstance(part, Value):
        given = {field: _put_in(getattr(part, field), name, known) for field in part.__struct_fields__}
        return msgspec.structs.replace(part, **given)
    return part


_CHANGES = {
    "append": appended,
    "add": appended,
    "extend": joined,
    "update": joined,
    "remove": removed,
    "discard": removed,
}
_OTHER_CHANGES = frozenset("insert pop clear sort reverse setdefault popitem".split())
_ALL_CHANGES = _CHANGES.keys() | _OTHER_CHANGES
_AS_WRITTEN = frozenset(each.encode() for each in _ALL_CHANGES)
_OPERATORS = {"+=": joined, "|=": joined, "-=": without}


def changes(step: Step, name: str) -> bool:
    """Whether a statement changes what the list of this name holds, as `name.append(…)` does."""
    return _method(step, name) in _ALL_CHANGES


def _method(step: Step, name: str) -> str:
    call = step.value if step.kind == "call" and _may_change(step.text) else None
    if isinstance(call, Call) and isinstance(call.callee, Attribute) and name in bound(call.callee.owner):
        return call.callee.name
    return ""


def _may_change(text: bytes) -> bool:
    """Whether a call may be one of those that change a list, told by what stands before its first bracket.

    Most calls are others, and to read one with all of its arguments takes time.
    """
    before, _, _ = text.partition(b"(")
    return before.rpartition(b".")[2].strip(b" \t\r\n\f\\") in _AS_WRITTEN or before.strip() in (b"", b"await")


def changed(reader: "Reader", name: str, step: Step, spot: Spot) -> Choices | None:
    """What a list holds after `name.append(…)` and the like; None where the statement does not change it."""
    method = _method(step, name)
    if method not in _ALL_CHANGES:
        return None
    call = step.value
    if not isinstance(call, Call) or not isinstance(call.callee, Attribute) or method not in _CHANGES:
        return always(Unread(f"`{method}` changes it", name, step.line))
    if len(call.arguments) != 1 or call.arguments[0].name:
        return always(Unread(f"`{method}` changes it", name, step.line))
    before = reader.value(call.callee.owner, spot)
    return combined(before, reader.value(call.arguments[0].value, spot), _CHANGES[method])


def augmented(reader: "Reader", name: str, step: Step, spot: Spot) -> Choices:
    """What `name += …` leaves."""
    operator = step.operator
    if operator not in _OPERATORS or step.value is None:
        return always(Unread("it is computed", name, step.line))
    before = reader.value(step.targets[0], spot)
    return combined(before, reader.value(step.value, spot), _OPERATORS[operator])
