"""Three sides and more: what is found between each two of them, told once and together.

One change to one side of four is missed by the three others: three findings, next to each other. One change made alike
to three sides of four is missed by one: one finding, which names the three. And a side that catches up with any of the
others is not to blame for those that it leaves behind.
"""

from collections.abc import Hashable, Iterator, Sequence

from msgspec.structs import replace

from consistency_bot.judge.marks import Mark, Part
from consistency_bot.judge.quads import SideVersions, one_names, pair_sides
from consistency_bot.judge.speech import Speech
from consistency_bot.model import DRIFT, Finding, Twins


class Found:
    """A finding between two sides, named in `pair`, and the marks that it is made of: none for a notice."""

    __slots__ = ("finding", "marks", "pair")

    def __init__(self, pair: tuple[str, str], finding: Finding, marks: Sequence[Mark]) -> None:
        self.pair = pair
        self.finding = finding
        self.marks = marks

    @property
    def units(self) -> frozenset[int]:
        """The units that it is about. Every pair reads the same ones, so findings of one cause share some."""
        return frozenset(id(mark.unit) for mark in self.marks)

    @property
    def moved(self) -> str:
        """The side that moved."""
        return self.finding.changed.side if self.finding.changed is not None else self.pair[0]

    @property
    def other(self) -> str:
        """The side that lacks what the one that moved has, or says it otherwise."""
        return self.pair[0] if self.moved == self.pair[1] else self.pair[1]


class Links:
    """What belongs together, directly or through others."""

    def __init__(self) -> None:
        self._parent: dict[Hashable, Hashable] = {}

    def root(self, one: Hashable) -> Hashable:
        """The one that stands for all that belong together with this one."""
        while (parent := self._parent.setdefault(one, one)) != one:
            self._parent[one] = one = self._parent[parent]
        return one

    def join(self, one: Hashable, other: Hashable) -> None:
        """Puts two together."""
        self._parent[self.root(one)] = self.root(other)


def told_together(twins: Twins, versions: Sequence[SideVersions], found: Sequence[Found]) -> list[Finding]:
    """The findings of all pairs, those of one cause next to each other. `versions` are the sides that were judged."""
    ways = _Ways(twins, versions)
    out: list[Finding] = []
    for cause in _by_cause([ways.without_blame(each) for each in found]):
        out.extend(each.finding for each in _without_echoes(cause))
    return out


class _Ways:
    """Which way each side went, as seen from each other one; worked out only where a finding asks."""

    def __init__(self, twins: Twins, versions: Sequence[SideVersions]) -> None:
        self._twins = twins
        self._versions = {each.name: each for each in versions}
        self._known: dict[tuple[str, str], frozenset[int]] = {}

    def without_blame(self, found: Found) -> Found:
        """The finding, or a notice where the side that moved only says now what a third side said before."""
        finding = found.finding
        if not found.marks or finding.verdict not in DRIFT:
            return found
        for third in self._versions:
            if third not in found.pair and found.units <= self._caught_up(found.moved, third):
                message = f"{finding.message} It is what {third} said before, so this change is not what parts them."
                notice = replace(finding, verdict="repaired", blocks=False, message=message)
                return Found(found.pair, notice, found.marks)
        return found

    def _caught_up(self, moved: str, still: str) -> frozenset[int]:
        """The units that one side got or lost in this change and that another one had, or lacked, all along."""
        known = self._known.get((moved, still))
        if known is None:
            a, b = self._versions[moved], self._versions[still]
            one_name = one_names(self._twins)
            pairing = pair_sides(a, b, one_name)
            quads = pairing.changed(a, b)
            speech = Speech(a, b, one_name, pairing.at_head.pairs).learning_from(quads)
            known = frozenset(unit for part in speech.parts(quads) for unit in _nearer(part))
            self._known[moved, still] = known
        return known


def _nearer(part: Part) -> Iterator[int]:
    """The units by which the first half came nearer to the second, which says them as often as before."""
    here, there = part.a, part.b
    for terms in dict.fromkeys((*here.base.places, *here.head.places)):
        was, now, goal = here.base.count(terms), here.head.count(terms), there.head.count(terms)
        if there.base.count(terms) == goal and abs(now - goal) < abs(was - goal):
            version, hunks = (here.head, here.at_head) if now > was else (here.base, here.at_base)
            yield from (id(version.units[place]) for place in version.places[terms] if place in hunks)


def _by_cause(found: Sequence[Found]) -> list[list[Found]]:
    """The findings by cause: those of one share a unit, or the place where it would go."""
    links = Links()
    for each in found:
        for key in _keys(each):
            links.join(id(each), key)
    groups: dict[Hashable, list[Found]] = {}
    for each in found:
        groups.setdefault(links.root(id(each)), []).append(each)
    return list(groups.values())


def _keys(found: Found) -> Iterator[Hashable]:
    yield from (("unit", unit) for unit in found.units)
    places = (found.finding.changed, found.finding.counterpart) if found.marks else (found.finding.changed,)
    for place in places:
        if place is not None:
            yield (bool(found.marks), place.side, place.path, place.line, place.end_line)


def _without_echoes(cause: Sequence[Found]) -> list[Found]:
    """The findings of one cause without those that only say again what was said between other sides.

    Sides that moved and between which nothing was found moved alike: what they leave behind is told once. Where three
    sides went three ways two findings say so. A finding about more units than those before it is always told.
    """
    apart = {frozenset(each.pair) for each in cause}
    moved = list(dict.fromkeys(each.moved for each in cause if each.finding.verdict in DRIFT))
    links = Links()
    for index, one in enumerate(moved):
        for other in moved[:index]:
            if frozenset((one, other)) not in apart:
                links.join(one, other)
    told: list[Found] = []
    for each in cause:
        if each.finding.verdict in DRIFT:
            said = [one for one in told if one.finding.verdict in DRIFT and each.other in one.pair]
            most = max((len(one.marks) for one in said if one.pair != each.pair), default=0)
            if links.root(each.moved) == links.root(each.other) and len(each.marks) <= most:
                _note_mover(told, each, apart)
                continue
            links.join(each.moved, each.other)
        elif _note_other(told, each):
            continue
        told.append(each)
    return told


def _note_mover(told: list[Found], echo: Found, apart: set[frozenset[str]]) -> None:
    """Names one more side that moved, in the finding about the side that it leaves behind too."""
    place = echo.finding.changed
    for index, each in enumerate(told):
        is_alike = each.other == echo.other and frozenset((each.moved, echo.moved)) not in apart
        if is_alike and place is not None and each.finding.verdict in DRIFT:
            told[index] = _saying(each, f"{echo.moved} moved alike ({place.path}:{max(place.line, 1)}).")
            return


def _note_other(told: list[Found], echo: Found) -> bool:
    """Names one more side in the notice of the same thing; false where there is no such notice yet."""
    for index, each in enumerate(told):
        is_same = (each.finding.verdict, each.finding.changed) == (echo.finding.verdict, echo.finding.changed)
        if is_same and bool(each.marks) == bool(echo.marks) and each.finding.verdict not in DRIFT:
            place = echo.finding.counterpart
            where = f" ({place.path}:{max(place.line, 1)})" if place is not None else ""
            told[index] = _saying(each, f"The same holds for {echo.other}{where}.")
            return True
    return False


def _saying(found: Found, more: str) -> Found:
    """The finding with one more sentence."""
    return Found(found.pair, replace(found.finding, message=f"{found.finding.message} {more}"), found.marks)
