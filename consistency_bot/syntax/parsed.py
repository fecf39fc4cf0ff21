"""Expressions as typed values, for who asks what they mean: conditions, lists, calls with their arguments.

Where `expressions` gives the normal form that two sides are compared by, this gives a tree that can be evaluated.
Whatever has no value of its own here is an `Other` with its text.
"""

from collections.abc import Iterator

import msgspec


class Expression(msgspec.Struct, frozen=True):
    """What all expressions have: the line on which they start, counted from 1."""

    line: int


class Name(Expression, frozen=True):
    """A variable."""

    name: str


class Attribute(Expression, frozen=True):
    """`owner.name`."""

    owner: Expression
    name: str


class Subscript(Expression, frozen=True):
    """`owner[key]`."""

    owner: Expression
    key: Expression


class Constant(Expression, frozen=True):
    """None, a truth value, a number or a string without placeholders."""

    value: bool | int | float | str | None


class Argument(msgspec.Struct, frozen=True):
    """One argument of a call: `name` is empty for a positional one, `*` and `**` for what is unpacked."""

    name: str
    value: Expression


class Call(Expression, frozen=True):
    """A call with its arguments in source order. `text` is the whole call as written, white space squeezed."""

    callee: Expression
    arguments: tuple[Argument, ...]
    text: str


class Comparison(Expression, frozen=True):
    """`left operator right`; a chain of comparisons is an `and` of them."""

    left: Expression
    operator: str
    right: Expression


class Junction(Expression, frozen=True):
    """`and` or `or` (the `word`) of two or more members."""

    word: str
    members: tuple[Expression, ...]


class Negation(Expression, frozen=True):
    """`not member`."""

    member: Expression


class Conditional(Expression, frozen=True):
    """`then if test else otherwise`."""

    test: Expression
    then: Expression
    otherwise: Expression


class Collection(Expression, frozen=True):
    """A list, a tuple or a set written out."""

    members: tuple[Expression, ...]


class Splat(Expression, frozen=True):
    """`*member` inside a collection."""

    member: Expression


class Mapping(Expression, frozen=True):
    """A dictionary written out; the key is None for `**unpacked`."""

    entries: tuple[tuple[Expression | None, Expression], ...]


class Selection(Expression, frozen=True):
    """A comprehension over one source: `member for target in source if tests`."""

    member: Expression
    target: Expression
    source: Expression
    tests: tuple[Expression, ...]


class Operation(Expression, frozen=True):
    """`left operator right` of an arithmetic or a set operator."""

    left: Expression
    operator: str
    right: Expression


class Other(Expression, frozen=True):
    """Anything else, by what the grammar calls it and its text."""

    kind: str
    text: str


def bound(target: Expression) -> Iterator[str]:
    """The names, dotted ones included, that an assignment to `target` binds."""
    if isinstance(target, Name):
        yield target.name
    elif isinstance(target, Attribute):
        owner = next(bound(target.owner), "")
        if owner:
            yield f"{owner}.{target.name}"
    elif isinstance(target, Collection):
        for member in target.members:
            yield from bound(member)
    elif isinstance(target, Splat):
        yield from bound(target.member)


def worded(expression: Expression) -> str:
    """The expression in one line, spelt the same however it is laid out."""
    match expression:
        case Name(name=name):
            return name
        case Attribute(owner=owner, name=name):
            return f"{worded(owner)}.{name}"
        case Subscript(owner=owner, key=key):
            return f"{worded(owner)}[{worded(key)}]"
        case Constant(value=value):
            return repr(value)
        case Call(text=text) | Other(text=text):
            return text
        case Splat(member=member):
            return f"*{worded(member)}"
        case Collection(members=members):
            return f"[{', '.join(map(worded, members))}]"
    return _worded_operators(expression)


def _worded_operators(expression: Expression) -> str:
    match expression:
        case (
            Comparison(left=left, operator=operator, right=right) | Operation(left=left, operator=operator, right=right)
        ):
            return f"{worded(left)} {operator} {worded(right)}"
        case Junction(word=word, members=members):
            return f" {word} ".join(f"({worded(each)})" for each in members)
        case Negation(member=member):
            return f"not {worded(member)}"
        case Conditional(test=test, then=then, otherwise=otherwise):
            return f"{worded(then)} if {worded(test)} else {worded(otherwise)}"
        case Selection(member=member, target=target, source=source):
            return f"[{worded(member)} for {worded(target)} in {worded(source)} …]"
    return "{…}"
