"""Which values a name may have at a spot: the assignments that reach it, each with its condition."""

from bisect import bisect_left
from typing import TYPE_CHECKING

from consistency_bot.facts.conditions import builtin_calls
from consistency_bot.facts.conditions.branches import branch_test, ends
from consistency_bot.facts.conditions.formulas import FALSE, TRUE, Formula, both, conjunction, disjunction, negation
from consistency_bot.facts.conditions.frames import Frame, Spot, handed_over
from consistency_bot.facts.conditions.values import Choices, Code, Items, Path, Unread, Value, always, under
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Block, Step
from consistency_bot.syntax.parsed import Collection, Expression, Subscript, bound

if TYPE_CHECKING:
    from consistency_bot.facts.conditions.reader import Reader

_Reached = tuple[list[tuple[Formula, Value]], Formula]
"""The values given, and the condition under which none is given. Nobody changes the list."""

_MOST_BRANCHES = 60
"""Longer chains of `elif` are not read."""

_FEW = 20
"""So many statements that mention a name are walked from behind; of more, those that give it a value are picked first."""

_MOST_GIVEN = 100
"""How many assignments to one name are looked at."""


def named(reader: "Reader", name: str, spot: Spot) -> Choices:
    """The values of a variable. A name that nothing binds stands for itself."""
    found, rest = _before(reader, name, spot)
    if rest is FALSE:
        return tuple(found)
    return (*found, *under(rest, _outside(reader, name, spot.frame)))


def attribute(reader: "Reader", owner: str, name: str, spot: Spot) -> Choices:
    """The values of an attribute of `self`: what this function gave it, or else the one function that does."""
    found, rest = _before(reader, f"{owner}.{name}", spot)
    if rest is FALSE:
        return tuple(found)
    return (*found, *under(rest, _of_class(reader, owner, name, spot.frame)))


def function_named(reader: "Reader", name: str, spot: Spot) -> Code | None:
    """The function that a name means at a spot, where it means one of the side."""
    choices = named(reader, name, spot)
    if len(choices) == 1 and isinstance(choices[0][1], Code):
        return choices[0][1]
    return None


def _before(reader: "Reader", name: str, spot: Spot) -> _Reached:
    """What the statements before the spot give the name, up to the top of the function."""
    if not spot.frame.function.may_touch(name):
        return [], TRUE
    out: list[tuple[Formula, Value]] = []
    rest, block, index = TRUE, spot.block, spot.index
    while True:
        found, rest_inside = _in_block(reader, name, block, index, spot.frame)
        if found or rest_inside is not TRUE:
            out.extend(under(rest, tuple(found)))
            rest = both(rest, rest_inside)
        owner = block.owner
        if rest is FALSE or owner is None:
            return out, rest
        if owner.kind in ("for", "while") and _binds(owner, name):
            out.append((rest, _changes(name, owner)))
            return out, FALSE
        if owner.kind == "with" and any(each == name for _, each in owner.items):
            out.append((rest, _context(reader, name, owner, spot.frame)))
            return out, FALSE
        block, index = owner.block, owner.index


def _changes(name: str, step: Step) -> Value:
    return Unread("it changes in a loop", name, step.line)


def _context(reader: "Reader", name: str, step: Step, frame: Frame) -> Value:
    written = next(value for value, each in step.items if each == name)
    choices = reader.value(written, Spot.before(step, frame))
    return choices[0][1] if len(choices) == 1 else Path((name,))


def _in_block(reader: "Reader", name: str, block: Block, index: int, frame: Frame) -> _Reached:
    """What the first `index` statements of a block give the name."""
    places = block.naming(name)
    if len(places) > _FEW:
        places = _touching(reader, name, block, places)
    count = bisect_left(places, index)
    if not count:
        return [], TRUE
    key = (name, id(block), count, id(frame))
    known = reader.given.get(key)
    if known is None:
        known = reader.given[key] = (_in_steps(reader, name, [block.steps[at] for at in places[:count]], frame), frame)
    return known[0]


def _touching(reader: "Reader", name: str, block: Block, places: list[int]) -> list[int]:
    """Those of the places at which the name is given something: most mentions only read it."""
    found = reader.touching.get((id(block), name))
    if found is None:
        found = reader.touching[id(block), name] = [at for at in places if _touches(block.steps[at], name)]
    return found


def _in_steps(reader: "Reader", name: str, steps: list[Step], frame: Frame) -> _Reached:
    out: list[tuple[Formula, Value]] = []
    rest = TRUE
    for step in reversed(steps):
        found, rest_there = _in_step(reader, name, step, frame)
        if not found and rest_there is TRUE:
            continue
        out.extend(under(rest, tuple(found)))
        rest = both(rest, rest_there)
        if rest is FALSE:
            break
        if len(out) > _MOST_GIVEN:
            return [(TRUE, Unread("it is given too many values", name, step.line))], FALSE
    return out, rest


def _in_step(reader: "Reader", name: str, step: Step, frame: Frame) -> _Reached:
    if step.branches:
        if not _binds(step, name):
            return [], TRUE
        return _in_compound(reader, name, step, frame)
    given = _given(reader, name, step, frame)
    return ([], TRUE) if given is None else (list(given), FALSE)


def _touches(step: Step, name: str) -> bool:
    """Whether a statement may give the name a value, an item or a member: most that mention it only read it."""
    if step.branches:
        return _binds(step, name)
    if step.kind == "call":
        return builtin_calls.changes(step, name)
    items = (target for target in step.targets if isinstance(target, Subscript))
    return name in step.binds or any(name in bound(each.owner) for each in items)


def _binds(step: Step, name: str) -> bool:
    """Whether the statement or one inside it gives the name a value, or changes what it holds."""
    found = step.known.get(name)
    if found is None:
        found = step.known[name] = name in step.binds or any(
            _binds(each, name) or builtin_calls.changes(each, name)
            for block in step.blocks
            for each in map(block.steps.__getitem__, block.naming(name))
        )
    return found


def _in_compound(reader: "Reader", name: str, step: Step, frame: Frame) -> _Reached:
    if step.kind in ("for", "while"):
        return [(TRUE, _changes(name, step))], FALSE
    if step.kind == "with":
        inner = step.blocks[0]
        return _in_block(reader, name, inner, len(inner.steps), frame)
    if len(step.branches) > _MOST_BRANCHES:
        return [(TRUE, Unread("it depends on too many branches", name, step.line))], FALSE
    if step.kind == "try":
        return _in_try(reader, name, step, frame)
    return _in_branches(reader, name, step, frame)


def _in_branches(reader: "Reader", name: str, step: Step, frame: Frame) -> _Reached:
    out: list[tuple[Formula, Value]] = []
    rests: list[Formula] = []
    left = TRUE
    for branch in step.branches:
        guard = branch_test(reader, step, branch, frame)
        here = both(left, guard)
        left = both(left, negation(guard))
        if ends(branch.block):
            continue  # it does not come this far
        found, rest = _in_block(reader, name, branch.block, len(branch.block.steps), frame)
        out.extend(under(here, tuple(found)))
        rests.append(both(here, rest))
    return out, disjunction([*rests, left])


def _in_try(reader: "Reader", name: str, step: Step, frame: Frame) -> _Reached:
    """What runs without an exception; a handler that goes on has a condition of its own."""
    out: list[tuple[Formula, Value]] = []
    rests: list[Formula] = []
    left = TRUE
    straight = [each.block for each in step.branches if each.word in ("finally", "else", "try")]
    for branch in step.branches:
        if branch.word == "except" and not ends(branch.block):
            guard = branch_test(reader, step, branch, frame)
            found, rest = _in_block(reader, name, branch.block, len(branch.block.steps), frame)
            if found:
                out.extend(under(both(left, guard), tuple(found)))
                rests.append(conjunction([left, guard, rest]))
                left = both(left, negation(guard))
    for block in reversed(straight):
        found, rest = _in_block(reader, name, block, len(block.steps), frame)
        out.extend(under(left, tuple(found)))
        left = both(left, rest)
    return out, disjunction([*rests, left])


def _given(reader: "Reader", name: str, step: Step, frame: Frame) -> Choices | None:
    """What a simple statement gives the name; None where it does not touch it."""
    spot = Spot.before(step, frame)
    if step.kind == "call":
        return builtin_calls.changed(reader, name, step, spot)
    if name not in step.binds:
        items = (target for target in step.targets if isinstance(target, Subscript))
        if any(name in bound(each.owner) for each in items):
            return always(Unread("its items are changed one by one", name, step.line))
        return None
    if step.kind == "assign" and step.value is not None:
        return _assigned(reader, name, step, step.value, spot)
    if step.kind == "augment":
        return builtin_calls.augmented(reader, name, step, spot)
    if step.kind == "define":
        return always(_defined(reader, name, step, spot))
    if step.kind == "import":
        return always(_imported(reader, name, frame))
    return always(Path((name,)))


def _defined(reader: "Reader", name: str, step: Step, spot: Spot) -> Value:
    """What a `def` or `class` defines: a definition of the side, or a nested function as seen from here."""
    around = spot.frame.definition
    if spot.frame.function is around.flow and around.kind != "function":
        for each in reader.code.named(name):
            is_here = each.path == around.path and step.line <= each.header_line <= step.end_line
            if is_here and each.kind == "function":
                return Code(each.flow)
    function = step.function
    return Code(function, spot) if function is not None else Path((name,))


def _assigned(reader: "Reader", name: str, step: Step, value: Expression, spot: Spot) -> Choices:
    out: list[tuple[Formula, Value]] = []
    for target in step.targets:
        if not isinstance(target, Collection):
            if name in bound(target):
                return reader.value(value, spot)
            continue
        names = [next(bound(member), "") for member in target.members]
        if name not in names:
            continue
        for guard, each in reader.value(value, spot):
            is_like = isinstance(each, Items) and len(each.members) == len(names)
            out.append((guard, each.members[names.index(name)] if is_like else reader.path(tuple(name.split(".")))))  # type: ignore[attr-defined]
    return tuple(out) or always(Path((name,)))


def _outside(reader: "Reader", name: str, frame: Frame) -> Choices:
    """What a name means that the function does not bind: a parameter, a name of the module, or something imported."""
    parameter = next((each for each in frame.function.parameters if each.name == name), None)
    if parameter is not None:
        return _parameter(reader, name, frame)
    if frame.closure is not None:
        return named(reader, name, frame.closure)
    module = reader.code.module(frame.definition.path)
    if module is None or frame.function is module.flow:
        return _beyond(reader, name, frame)
    known = reader.globals.get((module.path, name))
    if known is None:
        found, rest = _before(reader, name, reader.root(module).end)
        known = tuple(found) if found and rest is FALSE else _beyond(reader, name, frame)
        reader.globals[module.path, name] = known
    return known


def _beyond(reader: "Reader", name: str, frame: Frame) -> Choices:
    """What a name means that the module does not bind either: a function of the side, or something imported."""
    elsewhere = reader.code.function(name)
    if elsewhere is not None and not elsewhere.owner:
        return always(Code(elsewhere.flow))
    return always(_imported(reader, name, frame))


def _imported(reader: "Reader", name: str, frame: Frame) -> Value:
    """What an import gives: a function of the side, a constant of one of its modules, or a name of elsewhere."""
    aliases, _ = frame.definition.source.imports
    original = aliases.get(name, name)
    found = reader.code.function(original)
    if found is not None and not found.owner:
        return Code(found.flow)
    for definition in reader.code.named(""):
        if definition.path != frame.definition.path and _makes(definition, original):
            given, rest = _before(reader, original, reader.root(definition).end)
            if rest is FALSE and len(given) == 1:
                return given[0][1]
    return reader.path((original,))


def _makes(module: Definition, name: str) -> bool:
    """Whether a module gives a name its value itself: two modules that import one from each other have none."""
    flow = module.flow
    return flow.may_touch(name) and any(name in step.binds and step.kind != "import" for step in flow.every)


def _parameter(reader: "Reader", name: str, frame: Frame) -> Choices:
    if frame.call is None:
        return always(reader.path((name,)))
    call, spot = frame.call
    given = handed_over(name, frame, call.arguments)
    if given is not None:
        return reader.value(given, spot)
    default = next(each.default for each in frame.function.parameters if each.name == name)
    if default is None or any(each.name in ("*", "**") for each in call.arguments):
        return always(reader.path((name,)))
    return reader.value(default, frame.end)


def _of_class(reader: "Reader", owner: str, name: str, frame: Frame) -> Choices:
    """The value that a class gives an attribute: in its one function that does, in its body, or as a property."""
    own_class = reader.code.class_of(frame.definition)
    if own_class is None:
        return always(reader.path((owner, name)))
    for each in reader.code.with_bases(own_class):
        found = _of_one_class(reader, owner, name, each, frame)
        if found is not None:
            return found
    return always(reader.path((owner, name)))


def _of_one_class(reader: "Reader", owner: str, name: str, own_class: Definition, frame: Frame) -> Choices | None:
    dotted = f"{owner}.{name}"
    givers = reader.givers(own_class, dotted)
    if len(givers) > 1 or any(each.flow is frame.function for each in givers):
        return always(reader.path((owner, name)))  # what it holds depends on what ran last
    known = reader.attributes.get((id(own_class), dotted))
    if known is None:
        known = reader.attributes[id(own_class), dotted] = _given_by(reader, owner, name, own_class, givers)
    return known[0]


def _given_by(
    reader: "Reader", owner: str, name: str, own_class: Definition, givers: list[Definition]
) -> tuple[Choices | None]:
    """What the one giver of an attribute, or the body of the class, gives it; None where neither does."""
    for each in givers:
        found, rest = _before(reader, f"{owner}.{name}", reader.root(each).end)
        return ((*found, *under(rest, always(reader.path((owner, name))))),)
    body = own_class.flow.body
    found, rest = _in_block(reader, name, body, len(body.steps), reader.root(own_class))
    return (tuple(found) if found and rest is FALSE else None,)
