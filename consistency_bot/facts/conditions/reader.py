"""Reads what expressions of a side are worth and under which condition code runs; nothing is ever executed."""

import re
from collections import defaultdict
from collections.abc import Iterator

from consistency_bot.facts.conditions import builtin_calls, comparisons, exits, members, reaching
from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.calls import CallSite, SideCode
from consistency_bot.facts.conditions.formulas import Formula, atom, conjunction, disjunction, negation
from consistency_bot.facts.conditions.frames import OWNERS, Frame, Spot
from consistency_bot.facts.conditions.values import (
    Bound,
    Choices,
    Code,
    Entries,
    Known,
    Literal,
    Path,
    Result,
    Unread,
    Value,
    always,
    limited,
    under,
)
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Block, Branch, Function
from consistency_bot.syntax.parsed import (
    Attribute,
    Call,
    Collection,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Junction,
    Mapping,
    Name,
    Negation,
    Operation,
    Selection,
    Subscript,
    worded,
)

_DEEPEST = 40
"""How many names, calls and attributes are followed, one from the other, before a value counts as unread."""
_MOST_CALLS = 3
"""How many calls within calls are looked into."""
_CONFIGURATION = {"cfg": "config", "conf": "config", "configuration": "config"}


class Reader:
    """Reads one side at one revision.

    `names` are the names under which the code has each value: local variables and attributes, by the value's path.
    """

    def __init__(self, code: SideCode) -> None:
        self.code = code
        self.names: dict[tuple[str, ...], set[str]] = defaultdict(set)
        self._depth = 0
        self._values: dict[tuple[int, Frame, Block, int], tuple[Choices, Expression]] = {}
        self._roots: dict[int, Frame] = {}
        self._givers: dict[tuple[int, str], list[Definition]] = {}
        self.globals: dict[tuple[str, str], Choices] = {}
        """{(path, name): what the name means in functions of that file that do not bind it}, kept by `reaching`."""
        self.given: dict[tuple[str, int, int, int], tuple[tuple[list[tuple[Formula, Value]], Formula], Frame]] = {}
        """What so many statements of a block in a frame give a name, and that frame, kept by `reaching`."""
        self.touching: dict[tuple[int, str], list[int]] = {}
        """Which statements of a block may give a name a value, kept by `reaching`."""
        self.tests: dict[tuple[int, int], tuple[Formula, Branch, Frame]] = {}
        """What the tests of branches say in a frame, with both, kept by `branches`."""
        self.entered: dict[tuple[int, int, int, int], tuple[Formula, Frame]] = {}
        """When blocks are entered in a frame, and that frame, kept by `exits`."""
        self.loops: dict[int, tuple[dict[int, str], Function]] = {}
        """What the loops of a function are called, by where they start, kept by `loops`."""
        self.attributes: dict[tuple[int, str], tuple[Choices | None]] = {}
        """{(id of a class, dotted name): what the class gives the attribute}, kept by `reaching`."""

    def root(self, definition: Definition) -> Frame:
        """The frame of a definition that is looked at by itself, and not through a call."""
        found = self._roots.get(id(definition))
        if found is None:
            found = self._roots[id(definition)] = Frame(definition.flow, definition)
        return found

    def givers(self, owner: Definition, dotted: str) -> list[Definition]:
        """The methods of a class that give an attribute such as `self.size` a value."""
        found = self._givers.get((id(owner), dotted))
        if found is None:
            found = self._givers[id(owner), dotted] = list(dict.fromkeys(_givers(owner, dotted)))
        return found

    # What an expression is worth

    def value(self, expression: Expression, spot: Spot) -> Choices:
        """What the expression may be worth at a spot."""
        if isinstance(expression, Constant):
            return always(Literal(expression.value))
        key = id(expression), spot.frame, spot.block, spot.index
        known = self._values.get(key)
        if known is not None:
            return known[0]
        if self._depth > _DEEPEST:
            return self.unread("too many values depend on one another", expression)
        self._depth += 1
        try:
            found = limited(self._value(expression, spot), expression)
        finally:
            self._depth -= 1
        self._values[key] = found, expression  # its id stays its own
        return found

    def _value(self, expression: Expression, spot: Spot) -> Choices:
        match expression:
            case Name(name=name):
                return self._named(name, spot, expression)
            case Attribute():
                return self._attribute(expression, spot)
            case Call():
                return self.called(expression, spot)
            case Subscript(owner=owner, key=key):
                return members.subscripted(self, owner, key, spot, expression)
            case Junction(word=word, members=parts):
                return members.joined_by(self, word, parts, spot)
            case Negation() | Comparison():
                holds = self.truth(expression, spot)
                return (holds, Literal(True)), (negation(holds), Literal(False))
            case Collection():
                return members.collected(self, expression, spot)
            case Mapping():
                return always(Entries(expression, spot))
        return self._composed(expression, spot)

    def _composed(self, expression: Expression, spot: Spot) -> Choices:
        match expression:
            case Operation(left=left, operator=operator, right=right):
                return builtin_calls.operated(self, left, operator, right, spot)
            case Selection():
                return builtin_calls.selected(self, expression, spot)
            case Known(value=value):
                return always(value)
            case Conditional(test=test, then=then, otherwise=otherwise):
                holds = self.truth(test, spot)
                return (
                    *under(holds, self.value(then, spot)),
                    *under(negation(holds), self.value(otherwise, spot)),
                )
        return self.unread("it is not read", expression)

    def unread(self, reason: str, expression: Expression) -> Choices:
        """A value that is not read, and why."""
        return always(Unread(reason, worded(expression), expression.line))

    def path(self, steps: tuple[str, ...]) -> Path:
        """A path, with the usual names of a configuration as one name, and without `self`."""
        if steps[:1] and steps[0] in OWNERS:
            steps = steps[1:]
        return Path(tuple(_CONFIGURATION.get(each, each) for each in steps))

    def _named(self, name: str, spot: Spot, expression: Expression) -> Choices:
        choices = reaching.named(self, name, spot)
        self._learn(name, choices)
        return choices or self.unread("it is given no value before", expression)

    def _learn(self, name: str, choices: Choices) -> None:
        """Remembers a name of a value that is read by a path; what has other values as well has no name of its own."""
        value = choices[0][1] if len(choices) == 1 else None
        if isinstance(value, Path) and value.steps:
            self.names[value.steps].add(name)

    def _attribute(self, expression: Attribute, spot: Spot) -> Choices:
        owner, name = expression.owner, expression.name
        if isinstance(owner, Name) and owner.name in OWNERS:
            choices = reaching.attribute(self, owner.name, name, spot)
            self._learn(name, choices)
            return choices
        out: list[tuple[Formula, Value]] = []
        for guard, value in self.value(owner, spot):
            out.extend(under(guard, members.member_of(self, value, name, expression)))
        return tuple(out)

    # Calls

    def called(self, call: Call, spot: Spot) -> Choices:
        """What a call gives: what the function of the side returns, or a value that only says what was called."""
        found = builtin_calls.called(self, call, spot)
        if found is not None:
            return found
        out: list[tuple[Formula, Value]] = []
        for guard, callee in self.callee(call, spot):
            out.extend(under(guard, self._result(callee, call, spot)))
        return tuple(out)

    def callee(self, call: Call, spot: Spot) -> Choices:
        """What is called: a function of the side, or a value with a name."""
        if isinstance(call.callee, Name):
            choices = self.value(call.callee, spot)
            return always(choices[0][1]) if len(choices) == 1 and isinstance(choices[0][1], Code) else choices
        code = self.function_of(call, spot)
        if code is not None:
            return always(code)
        return self.value(call.callee, spot)

    def function_of(self, call: Call, spot: Spot) -> Code | None:
        """The function of the side that a call means, by name; None where it is none of them."""
        callee = call.callee
        if isinstance(callee, Name):
            return reaching.function_named(self, callee.name, spot)
        if isinstance(callee, Attribute) and isinstance(callee.owner, Name):
            owner = callee.owner.name
            if owner in OWNERS:
                inside = self.code.class_of(spot.frame.definition)
                found = self.code.function(callee.name, inside) if inside is not None else None
                return Code(found.flow) if found is not None else None
            for each in self.code.classes(owner):
                found = self.code.function(callee.name, each)
                return Code(found.flow) if found is not None else None
        return None

    def frame(self, code: Code, call: Call, spot: Spot) -> Frame:
        """The function as the call enters it."""
        definition = self.definition_of(code.function)
        return Frame(code.function, definition or spot.frame.definition, (call, spot), code.spot)

    def definition_of(self, function: Function) -> Definition | None:
        """The side's definition of a function that is not nested; None for a nested one."""
        for each in self.code.named(function.name):
            if each.kind == "function" and each.flow is function:
                return each
        return None

    def _result(self, callee: Value, call: Call, spot: Spot) -> Choices:
        if isinstance(callee, Bound):
            if call.arguments:
                return self.unread("it is called with further arguments", call)
            bound = Call(call.line, call.callee, callee.arguments, call.text)
            return self._result(callee.callee, bound, callee.spot)
        if isinstance(callee, Code) and spot.frame.depth < _MOST_CALLS and not is_generator(callee.function):
            return exits.returned(self, self.frame(callee, call, spot), call)
        return always(Result(callee, call, spot))

    # Conditions

    def truth(self, expression: Expression, spot: Spot) -> Formula:
        """The condition under which the expression is true."""
        match expression:
            case Junction(word=word, members=parts):
                held = [self.truth(each, spot) for each in parts]
                return conjunction(held) if word == "and" else disjunction(held)
            case Negation(member=member):
                return negation(self.truth(member, spot))
            case Comparison():
                return comparisons.compared(self, expression, spot)
        return comparisons.truth_of(self.value(expression, spot), expression)

    def opaque(self, expression: Expression, reason: str) -> Formula:
        """A condition that is taken as it stands, since nobody can tell what it depends on."""
        return atom(Atom((worded(expression),), doubt=reason))

    def reached(self, site: CallSite, frame: Frame) -> Formula:
        """The condition under which a call of this function is made, once the function is called."""
        spot = Spot.before(site.step, frame)
        inside = [self.truth(test, spot) if holds else negation(self.truth(test, spot)) for test, holds in site.guards]
        return conjunction([exits.reached(self, site.step.block, site.step.index, frame), *inside])


def _givers(owner: Definition, dotted: str) -> Iterator[Definition]:
    """The methods that give an attribute a value. Looked for by text first: most mentions only read it."""
    name, source = dotted.encode(), owner.source
    data = source.data
    at = data.find(name, owner.start, owner.end)
    while at >= 0:
        end = at + len(name)
        if _GIVEN.match(data, end) or data[max(0, at - 8) : at].rstrip().endswith(_GIVING):
            method = source.definition_at(at)
            place = method.step_at(at) if method is not None and method.owner == owner.qualname else None
            if method is not None and method.kind == "function" and place is not None and dotted in place[1].binds:
                yield method
        at = data.find(name, end, owner.end)


_GIVEN = re.compile(rb"\s*(?:=(?!=)|:(?!\s*\n)|[,)\]]|(?:[-+%&|^@]|\*\*?|//?|<<|>>)=|in\b)")
"""What may stand behind a name that is given a value; a line that ends with it and a colon asks, unless by `as`."""
_GIVING = (b"del", b"as")


def is_generator(function: Function) -> bool:
    """Whether calling it gives an iterator, or a context manager, and no value of its own."""
    return b"yield" in function.text and function.yields
