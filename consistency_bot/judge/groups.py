"""Three sides and more: what is found between each two of them, told once and together.

One change to one side of four is missed by the three others: three findings, next to each other. One change made alike
to three sides of four is missed by one: one finding, which names the three. And a side that catches up with any of the
others is not to blame for those that it leaves behind.
"""

from collections.abc import Hashable, Iterator, Sequence

from msgspec.structs import replace

from consistency_bot.judge.bodies import BodiesJudge
from consistency_bot.judge.marks import Mark
from consistency_bot.judge.quads import SideVersions
from consistency_bot.judge.versions import Half
from consistency_bot.model import DRIFT, Finding, Place, Twins


class Found:
    """A finding between two sides, named in `pair`, and the marks that it is made of: none for a notice.

    `movers`, `others` and `not_yet` are what it says of further sides: that they moved alike, that the same holds for
    them, that they do not say it yet. Each is a name with a place.
    """

    __slots__ = ("finding", "marks", "movers", "not_yet", "others", "pair")

    def __init__(self, pair: tuple[str, str], finding: Finding, marks: Sequence[Mark]) -> None:
        self.pair = pair
        self.finding = finding
        self.marks = marks
        self.movers: dict[str, None] = {}
        self.others: dict[str, None] = {}
        self.not_yet: dict[str, None] = {}

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


def judge_group(twins: Twins, pairs: Sequence[tuple[SideVersions, SideVersions]]) -> list[Finding]:
    """The findings of all pairs, those of one cause next to each other."""
    judges = [BodiesJudge(twins, a, b) for a, b in pairs]
    found = [_found_by(judge, pair) for judge, pair in zip(judges, pairs, strict=True)]
    for index, (a, b) in enumerate(pairs):
        excused = _explained(a, b, judges)
        if any(not excused.isdisjoint(each.units) for each in found[index]):
            judges[index] = BodiesJudge(twins, a, b, excused)
            found[index] = _found_by(judges[index], (a, b))
    left = [mark for judge in judges for mark in judge.left_behind]
    out: list[Finding] = []
    for cause in _by_cause([each for some in found for each in some]):
        told = _without_echoes(cause)
        _note_left_behind(told, left)
        out.extend(_told(each) for each in told if each not in _repeated(told))
    return out


def _found_by(judge: BodiesJudge, pair: tuple[SideVersions, SideVersions]) -> list[Found]:
    names = (pair[0].name, pair[1].name)
    return [Found(names, each, judge.marked.get(each.fingerprint, ())) for each in judge.findings()]


def _explained(a: SideVersions, b: SideVersions, judges: Sequence[BodiesJudge]) -> frozenset[int]:
    """The units that either of the two got or lost in this change, and that a third side had, or lacked, before."""
    out: set[int] = set()
    names = (a.name, b.name)
    for part in (part for judge in judges for part in judge.parts):
        for moved, third in ((part.a, part.b), (part.b, part.a)):
            if moved.side.name in names and third.side.name not in names and moved.base is not moved.head:
                out.update(_nearer(moved, third))
    return frozenset(out)


def _nearer(here: Half, there: Half) -> Iterator[int]:
    """The units by which one half came nearer to another, which says them as often as before."""
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
    is_cause = bool(found.marks) or _is_drift(found)
    places = (found.finding.changed, found.finding.counterpart) if is_cause else (found.finding.changed,)
    for place in places:
        if place is not None:
            yield (is_cause, place.side, place.path, place.line, place.end_line)


def _without_echoes(cause: Sequence[Found]) -> list[Found]:
    """The findings of one cause without those that only say again what was said between other sides.

    Sides that moved and between which nothing was found moved alike: what they leave behind is told once. Where three
    sides went three ways two findings say so. A finding about more units than those before it is always told.
    """
    apart = {frozenset(each.pair) for each in cause}
    moved = list(dict.fromkeys(each.moved for each in cause if _is_drift(each)))
    links = Links()
    for index, one in enumerate(moved):
        for other in moved[:index]:
            if frozenset((one, other)) not in apart:
                links.join(one, other)
    told: list[Found] = []
    for each in cause:
        if _is_drift(each):
            said = [one for one in told if _is_drift(one) and each.other in one.pair]
            most = max((len(one.marks) for one in said if one.pair != each.pair), default=0)
            if links.root(each.moved) == links.root(each.other) and len(each.marks) <= most:
                _note_mover(told, each, apart)
                continue
            links.join(each.moved, each.other)
        elif _note_other(told, each) or (each.marks and _note_mover(told, each, apart)):
            continue
        told.append(each)
    return told


def _note_mover(told: Sequence[Found], echo: Found, apart: set[frozenset[str]]) -> bool:
    """Names one more side that moved, in the finding about a side that it leaves behind too; false where there is none."""
    for each in told:
        is_alike = each.moved != echo.moved and frozenset((each.moved, echo.moved)) not in apart
        is_same = each.finding.verdict == echo.finding.verdict and (echo.other == each.other or not _is_drift(each))
        if is_alike and is_same:
            each.movers[_at(echo.moved, echo.finding.changed)] = None
            return True
    return False


def _note_other(told: Sequence[Found], echo: Found) -> bool:
    """Names one more side in the notice of the same thing; false where there is no such notice yet."""
    for each in told:
        is_same = (each.finding.verdict, each.finding.changed) == (echo.finding.verdict, echo.finding.changed)
        if is_same and bool(each.marks) == bool(echo.marks) and not _is_drift(each):
            each.others[_at(echo.other, echo.finding.counterpart)] = None
            return True
    return False


def _note_left_behind(told: Sequence[Found], left: Sequence[Mark]) -> None:
    """Names, where a side caught up with another one, those that do not say it yet."""
    for each in told:
        place = each.finding.changed
        if each.finding.verdict == "repaired" and place is not None:
            for mark in left:
                is_here = mark.half.side.name == place.side and place.line <= mark.unit.line
                if is_here and mark.unit.line <= max(place.line, place.end_line):
                    each.not_yet[mark.other.side.name] = None
            for other in told:
                if _is_repeated(other, each):
                    each.not_yet.update(dict.fromkeys((other.other, *other.others)))


def _repeated(told: Sequence[Found]) -> list[Found]:
    """Notices that some side has no counterpart of what another notice says is caught up with."""
    return [each for each in told if any(_is_repeated(each, other) for other in told)]


def _is_repeated(notice: Found, repaired: Found) -> bool:
    is_same_place = notice.finding.changed == repaired.finding.changed and not notice.marks
    return is_same_place and (notice.finding.verdict, repaired.finding.verdict) == ("one_sided", "repaired")


def _is_drift(found: Found) -> bool:
    return found.finding.verdict in DRIFT


def _at(side: str, place: Place | None) -> str:
    return f"{side} ({place.path}:{max(place.line, 1)})" if place is not None else side


def _told(found: Found) -> Finding:
    """The finding, with what it says of further sides."""
    more = (
        (found.movers, "Moved alike: {}."),
        (found.others, "The same holds for {}."),
        (found.not_yet, "Not so yet: {}."),
    )
    said = [text.format(", ".join(names)) for names, text in more if names]
    return replace(found.finding, message=" ".join((found.finding.message, *said))) if said else found.finding
