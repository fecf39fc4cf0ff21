"""The kind `tests`: the tests of every side have a parametrised case that names a configuration.

`files` says for each side where its tests are, `match` what one case has to name: `tp=2` for a parameter and its value,
or any other text, which may stand in the case, in its id or in the name of the test.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.conditions.calls import last_name
from consistency_bot.facts.places import at
from consistency_bot.model import Place, Rule
from consistency_bot.syntax import Definition, Readings, Source, Undecodable
from consistency_bot.syntax.parsed import Call, Collection, Constant, Expression, worded
from consistency_bot.syntax.parsed import Mapping as Entries


class Case(msgspec.Struct, frozen=True):
    """One case of a test: what it gives to parameters, as texts, all of it and the test's name as one, and its place."""

    values: tuple[tuple[str, str], ...]
    text: str
    place: Place


class Cases(msgspec.Struct, frozen=True):
    """The cases of one side's tests, and the files or patterns that they were looked for in."""

    side: str
    files: tuple[str, ...]
    every: tuple[Case, ...]


def read(rule: Rule, side: SideAt) -> Cases:
    """The parametrised cases in the test files of a side; a side that `files` does not name has none to show."""
    patterns = rule.keys.files.get(side.name, ())
    paths = side.tree.find(patterns) if patterns else []
    every = [case for path in paths for case in _cases(side, path)]
    return Cases(side.name, tuple(paths or patterns), tuple(every))


def breaches(rule: Rule, facts: Mapping[str, Cases]) -> Iterator[Breach]:
    """Sides without such a case, as far as `files` names their tests."""
    wanted = " and ".join(f"`{each}`" for each in rule.keys.match) or "parameters"
    found = {name: _first(side, rule.keys.match) for name, side in facts.items()}
    there = next((case for case in found.values() if case is not None), None)
    for name, side in facts.items():
        if name in rule.keys.files and found[name] is None:
            place = Place(name, (*side.files, "")[0], 1, 0)
            also = f", as that of {there.place.side} does {at(there.place)}" if there is not None else ""
            message = f"No test of {name} names a case with {wanted} {at(place)}{also}."
            counterpart = there.place if there is not None else None
            yield Breach(name, " and ".join(rule.keys.match), message, place, counterpart, (), (name,))


def told(facts: Cases) -> Iterator[str]:
    """One line for each case."""
    for each in facts.every:
        yield f"{each.text} {at(each.place)}"


def _first(side: Cases, match: Sequence[str]) -> Case | None:
    return next((case for case in side.every if all(_names(case, each) for each in match)), None)


def _names(case: Case, wanted: str) -> bool:
    """Whether a case gives a parameter that ends so this value, or has the text in it."""
    name, is_value, value = wanted.partition("=")
    if is_value and any(_is_called(given, name.strip()) and said == value.strip() for given, said in case.values):
        return True
    return wanted in case.text


def _is_called(given: str, name: str) -> bool:
    return given == name or given.endswith(f"_{name}") or given.startswith(f"{name}_")


def _cases(side: SideAt, path: str) -> Iterator[Case]:
    data = side.tree.read(path)
    if data is None or b"parametrize" not in data:
        return
    try:
        source = Source(path, data, Readings())
    except Undecodable:
        return
    for definition in source.definitions:
        if definition.kind != "module":
            for decorator in definition.flow.decorators:
                if isinstance(decorator, Call) and last_name(decorator.callee) == "parametrize":
                    yield from _of_decorator(side.name, definition, decorator)


def _of_decorator(side: str, definition: Definition, call: Call) -> Iterator[Case]:
    positions = [each.value for each in call.arguments if not each.name]
    if len(positions) < 2 or not isinstance(positions[1], Collection):
        return
    names = _argument_names(positions[0])
    ids = next((each.value for each in call.arguments if each.name == "ids"), None)
    for number, written in enumerate(positions[1].members):
        values = list(_values(written))
        texts = [definition.name, *map(worded, values)]
        if isinstance(ids, Collection) and number < len(ids.members):
            texts.append(worded(ids.members[number]))
        texts += [worded(each.value) for each in written.arguments if each.name] if isinstance(written, Call) else []
        named = tuple(_entries(values))
        texts += [f"{name}={value}" for name, value in named]
        given = tuple((name, worded(value)) for name, value in zip(names, values, strict=False))
        place = Place(side, definition.path, written.line, written.line, definition.qualname)
        yield Case(given + named, " ".join(texts), place)


def _argument_names(expression: Expression) -> list[str]:
    """The names in `"a,b"` or `["a", "b"]`."""
    texts = expression.members if isinstance(expression, Collection) else (expression,)
    found = [each.value for each in texts if isinstance(each, Constant) and isinstance(each.value, str)]
    return [name.strip() for text in found for name in text.split(",")]


def _values(case: Expression) -> Iterator[Expression]:
    """What a case gives, in order: the members of a tuple, the arguments of `pytest.param`, or the one value."""
    if isinstance(case, Collection):
        yield from case.members
    elif isinstance(case, Call) and last_name(case.callee) == "param":
        yield from (each.value for each in case.arguments if not each.name)
    else:
        yield case


def _entries(values: Sequence[Expression]) -> Iterator[tuple[str, str]]:
    """What dictionaries and calls with keywords among the values give by name."""
    for value in values:
        if isinstance(value, Entries):
            for key, each in value.entries:
                if isinstance(key, Constant) and isinstance(key.value, str):
                    yield key.value, worded(each)
        elif isinstance(value, Call):
            yield from ((each.name, worded(each.value)) for each in value.arguments if each.name)
