"""The kind `signature`: the public methods of twin classes take the same parameters, in the same way, by the same defaults."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.conditions.frames import OWNERS
from consistency_bot.facts.items import Item, Items, Wording, lines_of, missing, unlike
from consistency_bot.model import Place, Rule
from consistency_bot.syntax import Definition
from consistency_bot.syntax.parsed import worded
from consistency_bot.syntax.statement_nodes import Parameter

READS_CODE_ALONE = True
_WORDING = Wording("takes", "take", "as")
_SPECIAL = frozenset({"__init__", "__call__", "__new__", "__enter__", "__aenter__"})
_ONE_NAME = {"__aenter__": "__enter__", "__aexit__": "__exit__"}


_MOST_CLASSES = 200


class Method(msgspec.Struct, frozen=True):
    """A public method, or a public function of a module: the class, its name, and its parameters as items."""

    owner: str
    name: str
    place: Place
    parameters: tuple[Item, ...]


class Methods(msgspec.Struct, frozen=True):
    """The public methods of one side, in source order."""

    side: str
    every: tuple[Method, ...]
    top: Place

    def by_owner(self) -> dict[str, dict[str, Method]]:
        """Those of each class by name, of an overloaded one the last."""
        out: dict[str, dict[str, Method]] = {}
        for each in self.every:
            out.setdefault(each.owner, {})[each.name] = each
        return out


def read(rule: Rule, side: SideAt) -> Methods:
    """The public methods that the rule asks for."""
    names = rule.keys.public if isinstance(rule.keys.public, tuple) else ()
    found = [
        _method(side.name, each)
        for each in side.definitions
        if each.kind == "function" and not each.role and _is_wanted(each, names)
    ]
    return Methods(side.name, tuple(found), side.top)


def _is_wanted(definition: Definition, names: Sequence[str]) -> bool:
    if names:
        return definition.name in names or definition.qualname in names
    return not definition.name.startswith("_") or definition.name in _SPECIAL


def _method(side: str, definition: Definition) -> Method:
    place = Place(side, definition.path, definition.header_line, definition.header_line, definition.qualname)
    name = _ONE_NAME.get(definition.name, definition.name)
    parameters = [each for each in definition.flow.parameters if each.name not in OWNERS]
    items = tuple(_item(name, each, place, number) for number, each in enumerate(parameters))
    return Method(definition.owner, name, place, items)


def _item(method: str, parameter: Parameter, place: Place, number: int) -> Item:
    default = f"with the default {worded(parameter.default)}" if parameter.default is not None else "without a default"
    how = {"keyword": "by keyword only", "position": "by position only"}.get(
        parameter.only, f"at position {number + 1}"
    )
    value = f"{parameter.stars}{parameter.name}" if parameter.stars else f"{how}, {default}"
    where = Place(place.side, place.path, parameter.line, parameter.line, place.function)
    return Item(f"{method}({parameter.stars}{parameter.name})", value, where)


def breaches(rule: Rule, facts: Mapping[str, Methods]) -> Iterator[Breach]:
    """Parameters that a method of one side lacks, takes in another way or by another default; named methods it lacks."""
    sides = list(facts.values())
    if isinstance(rule.keys.public, tuple):
        named = [_as_items(side, [Item(each.name, "", each.place) for each in side.every]) for side in sides]
        yield from missing(named, Wording("has", "have", "as"))
    first = sides[0] if sides else None
    for other in sides[1:]:
        if first is not None:
            for pair in _pairs(first, other):
                both = [_of_both(side, methods) for side, methods in zip((first, other), pair, strict=True)]
                yield from missing(both, _WORDING)
                yield from unlike(both, _WORDING)


def told(facts: Methods) -> Iterator[str]:
    """One line for each parameter."""
    for each in facts.every:
        yield from lines_of(_as_items(facts, each.parameters))


def _as_items(side: Methods, items: Sequence[Item]) -> Items:
    return Items(side.side, tuple(items), side.top)


def _of_both(side: Methods, methods: Sequence[Method]) -> Items:
    return _as_items(side, [item for each in methods for item in each.parameters])


def _pairs(first: Methods, other: Methods) -> Iterator[tuple[list[Method], list[Method]]]:
    """The methods that twin classes have in common: of each class those of the class that is most like it."""
    owners = other.by_owner()
    taken: set[str] = set()
    for owner, mine in first.by_owner().items():
        # Of a great many classes those of one name are held against each other: to try all takes the square of the time.
        free = [each for each in owners if each not in taken] if len(owners) <= _MOST_CLASSES else [owner]
        ranks = {each: (each == owner, len(mine.keys() & owners.get(each, {}).keys())) for each in free}
        best = max(ranks, key=lambda each: ranks[each], default=None)
        if best is None:
            continue
        theirs = owners.get(best, {})
        common = [name for name in mine if name in theirs]
        if common:
            taken.add(best)
            yield [mine[name] for name in common], [theirs[name] for name in common]
