"""What sides have in common by name: keys, parameters, arguments, imports, variables, each with what is said about it."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.places import at, function
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

    def by_name(self) -> dict[str, list[Item]]:
        """Those of each name, in source order."""
        out: dict[str, list[Item]] = {}
        for each in self.every:
            out.setdefault(each.name, []).append(each)
        return out


class Wording(msgspec.Struct, frozen=True):
    """How a kind tells its items: `does` as in `reads`, `do` as in `read`, `differs` as in `with the default`."""

    does: str
    do: str
    differs: str


def items_of(side: SideAt, items: Iterable[Item]) -> Items:
    """The items of a side."""
    return Items(side.name, tuple(items), side.top)


def missing(sides: Sequence[Items], wording: Wording) -> Iterator[Breach]:
    """Names that a side lacks and another one has."""
    named = {side.side: side.by_name() for side in sides}
    gaps: dict[tuple[str, str], _Gaps] = {}
    for name in _names(sides):
        having = [side for side in sides if name in named[side.side]]
        for side in sides:
            if name not in named[side.side]:
                there = named[having[0].side][name][0]
                pair = (side.side, having[0].side)
                if pair not in gaps:
                    gaps[pair] = _Gaps(side, having[0])
                place = gaps[pair].of(there)
                names, does = _listed(having), wording.do if len(having) > 1 else wording.does
                message = (
                    f"{side.side} does not {wording.do} `{name}` {at(place)}, which {names} {does}"
                    f" in {function(there.place)} {at(there.place)}."
                )
                alone = tuple(each.side for each in having)
                yield Breach(side.side, name, message, place, there.place, ("missing",), alone)


def unlike(sides: Sequence[Items], wording: Wording) -> Iterator[Breach]:
    """Names about which a side says something else than the first one that has them."""
    named = {side.side: side.by_name() for side in sides}
    for name in _names(sides):
        having = [side for side in sides if name in named[side.side]]
        first = named[having[0].side][name]
        for side in having[1:]:
            mine = named[side.side][name]
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
        yield f"{each.name}{value} in {function(each.place)} {at(each.place)}"


def _said(item: Item, wording: Wording) -> str:
    return f"{wording.differs} `{item.value}`" if item.value else f"without {wording.differs.rpartition(' ')[2]}"


def _names(sides: Sequence[Items]) -> list[str]:
    return list(dict.fromkeys(each.name for side in sides for each in side.every))


def _listed(sides: Sequence[Items]) -> str:
    return " and ".join(each.side for each in sides)


class _Gaps:
    """Where items of another side would go: behind the nearest one that stands before it there and is here too."""

    def __init__(self, side: Items, other: Items) -> None:
        self._side = side
        self._known: Mapping[str, Item] = {each.name: each for each in side.every}
        self._shared: dict[tuple[str, str | None], list[Item]] = {}
        for each in other.every:
            if each.name in self._known:
                self._shared.setdefault((each.place.path, each.place.function), []).append(each)
        for shared in self._shared.values():
            shared.sort(key=_line)

    def of(self, there: Item) -> Place:
        shared = self._shared.get((there.place.path, there.place.function), [])
        at_ = bisect_right(shared, there.place.line, key=_line)
        if not at_:
            return self._side.top
        place = self._known[shared[at_ - 1].name].place
        return Place(self._side.side, place.path, place.end_line + 1, place.end_line, place.function)


def _line(item: Item) -> int:
    return item.place.line
