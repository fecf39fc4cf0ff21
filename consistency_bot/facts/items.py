"""What sides have in common by name: keys, parameters, arguments, imports, variables, each with what is said about it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.model import Place


class Item(msgspec.Struct, frozen=True):
    """One thing with a name on one side. `value` is what is said about it, as text; `doubt` why that is not sure."""

    name: str
    value: str
    place: Place
    doubt: str = ""


class Items(msgspec.Struct, frozen=True):
    """The items of one side in source order. `top` is where something would go that stands nowhere near another one."""

    side: str
    every: tuple[Item, ...]
    top: Place

    def of(self, name: str) -> list[Item]:
        """Those of one name."""
        return [each for each in self.every if each.name == name]


class Wording(msgspec.Struct, frozen=True):
    """How a kind tells its items: `does` as in `reads`, `do` as in `read`, `differs` as in `with the default`."""

    does: str
    do: str
    differs: str


def items_of(side: SideAt, items: Iterable[Item]) -> Items:
    """The items of a side."""
    path = side.definitions[0].path if side.definitions else (*side.paths, "")[0]
    return Items(side.name, tuple(items), Place(side.name, path, 1, 0))


def missing(sides: Sequence[Items], wording: Wording) -> Iterator[Breach]:
    """Names that a side lacks and another one has."""
    for name in _names(sides):
        having = [side for side in sides if side.of(name)]
        for side in sides:
            if side not in having:
                there = having[0].of(name)[0]
                place = _gap(side, having[0], there)
                names, does = _listed(having), wording.do if len(having) > 1 else wording.does
                message = (
                    f"{side.side} does not {wording.do} `{name}` {at(place)}, which {names} {does}"
                    f" in {function(there.place)} {at(there.place)}."
                )
                alone = tuple(each.side for each in having)
                yield Breach(side.side, name, message, place, there.place, ("missing",), alone)


def unlike(sides: Sequence[Items], wording: Wording) -> Iterator[Breach]:
    """Names about which a side says something else than the first one that has them."""
    for name in _names(sides):
        having = [side for side in sides if side.of(name)]
        first = having[0].of(name)
        for side in having[1:]:
            mine = side.of(name)
            if {each.value for each in mine} != {each.value for each in first}:
                here = next((each for each in mine if each.value not in {one.value for one in first}), mine[0])
                there = next((each for each in first if each.value not in {one.value for one in mine}), first[0])
                message = (
                    f"{side.side} {wording.does} `{name}` {_said(here, wording)} {at(here.place)},"
                    f" {having[0].side} {_said(there, wording)} {at(there.place)}."
                )
                said = ("unlike", here.value, there.value)
                doubt = here.doubt or there.doubt
                pair = (side.side, having[0].side)
                yield Breach(side.side, name, message, here.place, there.place, said, (side.side,), doubt, between=pair)


def lines_of(items: Items) -> Iterator[str]:
    """One line for each item, for people."""
    for each in items.every:
        value = f" {each.value}" if each.value else ""
        yield f"{each.name}{value} in {function(each.place)} ({each.place.path}:{each.place.line})"


def at(place: Place) -> str:
    """A place as messages name it."""
    return f"({place.path}:{place.line})"


def function(place: Place) -> str:
    """The function of a place as messages name it."""
    return f"`{place.function}`" if place.function else "the module"


def _said(item: Item, wording: Wording) -> str:
    return f"{wording.differs} `{item.value}`" if item.value else f"without {wording.differs.rpartition(' ')[2]}"


def _names(sides: Sequence[Items]) -> list[str]:
    return list(dict.fromkeys(each.name for side in sides for each in side.every))


def _listed(sides: Sequence[Items]) -> str:
    return " and ".join(each.side for each in sides)


def _gap(side: Items, other: Items, there: Item) -> Place:
    """Where an item would go: behind the nearest one that stands before it on the other side and here too."""
    known: Mapping[str, Item] = {each.name: each for each in side.every}
    before = [each for each in other.every if _precedes(each.place, there.place) and each.name in known]
    if not before:
        return side.top
    place = known[before[-1].name].place
    return Place(side.side, place.path, place.end_line + 1, place.end_line, place.function)


def _precedes(place: Place, other: Place) -> bool:
    return (place.path, place.function) == (other.path, other.function) and place.line <= other.line
