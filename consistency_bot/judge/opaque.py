"""What can be told only as moved or not: binary files, pointers to commits, and files with too little in common.

Where two such things are the same, byte for byte or commit for commit, the end states say as much as they do of text:
alike at base and not at head is drift. Everything else is the plain file rule, and a notice: one side moved, the other
did not, and whether it has to is nothing that can be read off them.
"""

from collections import Counter
from collections.abc import Iterator

from consistency_bot.judge.quads import SideVersions
from consistency_bot.judge.reading import Opaque, SideRead
from consistency_bot.judge.states import State, opening_of_side
from consistency_bot.model import Place, Verdict
from consistency_bot.syntax import Terms

_MIN_SHARE = 1 / 3
"""Files that are read line by line and have a smaller share of lines in common are not held against each other."""


def judge_opaque(a: SideRead, b: SideRead) -> Iterator[State]:
    """What is to be said of the things of two sides that nobody can look into."""
    if len(a.opaque) == len(b.opaque) == 1 and not a.sources and not b.sources:
        one, other = a.opaque[0], b.opaque[0]
        was_alike, is_alike = one.base == other.base, one.head == other.head
        if was_alike != is_alike:
            yield _parted(a, b) if was_alike else _met(a, b)
            return
        if is_alike:
            return
    for moved, still in ((a, b), (b, a)):
        if still.is_modified:
            continue
        yield from (_alone(moved, still, each) for each in moved.opaque if each.base != each.head)
        if moved.is_modified and not moved.opaque and not still.sources:
            yield _beside(moved, still)


def standing_opaque(a: SideRead, b: SideRead) -> Iterator[State]:
    """The word on sides of which one cannot be looked into, where neither moved (`--all`); none where they are the same."""
    if a.is_modified or b.is_modified:
        return
    if len(a.opaque) == len(b.opaque) == 1 and not a.sources and not b.sources and a.opaque[0].head == b.opaque[0].head:
        return
    for closed, other in ((a, b), (b, a)):
        for each in closed.opaque:
            kind = "no text that can be read" if each.concept == "file" else "a submodule"
            message = (
                f"{closed.side.name} has {each.path}, which is {kind}: whether it is in step with {other.side.name} "
                f"({_path(other)}) cannot be told, as before."
            )
            place = Place(closed.side.name, each.path, 1, 1)
            what = (each.path, "standing")
            yield State("standing", closed.side.name, what, message, place, opening_of_side(other), each.concept)


def judge_unlike(a: SideRead, b: SideRead) -> Iterator[State]:
    """The notice where one of two sides without likeness moved; nothing where both did."""
    for moved, still in ((a, b), (b, a)):
        if moved.is_modified and not still.is_modified:
            message = (
                f"{moved.side.name} changed {_path(moved)}, {still.side.name} ({_path(still)}) did not; line by line they"
                " have too little in common to tell whether it has to."
            )
            places = (opening_of_side(moved), opening_of_side(still))
            yield State("undecided", moved.side.name, (_path(moved), ""), message, *places)


def are_unlike(a: SideVersions, b: SideVersions) -> bool:
    """Whether two sides, read line by line, had too little in common at base; never where one of them had nothing."""
    mine, theirs = _lines(a), _lines(b)
    least = min(mine.total(), theirs.total())
    return least > 0 and (mine & theirs).total() < _MIN_SHARE * least


def _lines(side: SideVersions) -> Counter[Terms]:
    return Counter(unit.terms for definition in side.base for unit in definition.units)


def _parted(a: SideRead, b: SideRead) -> State:
    """They were the same at base and are not at head."""
    moved, still = (a, b) if a.opaque[0].base != a.opaque[0].head else (b, a)
    both = a.is_modified and b.is_modified
    verdict: Verdict = "diverged" if both else "missed"
    one, other = moved.opaque[0], still.opaque[0]
    rest = f"{still.side.name} {_did(other)}" if both else f"{still.side.name} ({other.path}) is as before"
    message = f"{moved.side.name} {_did(one)}; {rest}, and both were the same until now."
    return _state(verdict, moved, still, one, other, message)


def _met(a: SideRead, b: SideRead) -> State:
    """They are the same at head and were not at base."""
    moved, still = (a, b) if a.opaque[0].base != a.opaque[0].head else (b, a)
    one, other = moved.opaque[0], still.opaque[0]
    message = f"{moved.side.name} {_did(one)} and is now the same as {still.side.name} ({other.path})."
    return _state("repaired", moved, still, one, other, message)


def _alone(moved: SideRead, still: SideRead, what: Opaque) -> State:
    message = (
        f"{moved.side.name} {_did(what)}; {still.side.name} ({_path(still)}) did not change, and whether it has to cannot"
        " be read off it."
    )
    gap = Place(moved.side.name, what.path, 1, 1)
    return State("undecided", moved.side.name, (what.path, ""), message, gap, opening_of_side(still), what.concept)


def _beside(moved: SideRead, still: SideRead) -> State:
    """A text changed, and what it is held against cannot be looked into."""
    message = (
        f"{moved.side.name} changed {_path(moved)}; {still.side.name} ({_path(still)}) is as before, and whether it has to"
        " change cannot be read off it."
    )
    gap = Place(still.side.name, _path(still), 1, 1)
    return State("undecided", moved.side.name, (_path(moved), ""), message, opening_of_side(moved), gap)


def _state(verdict: Verdict, moved: SideRead, still: SideRead, one: Opaque, other: Opaque, message: str) -> State:
    changed, counterpart = (Place(side.side.name, each.path, 1, 1) for side, each in ((moved, one), (still, other)))
    said = (one.path, repr((one.head, other.head)))
    return State(verdict, moved.side.name, said, message, changed, counterpart, one.concept)


def _did(what: Opaque) -> str:
    """What happened to it, as a sentence goes on after the side's name."""
    if what.concept == "file":
        return f"changed {what.path}, which is no text"
    if what.base is None or what.head is None:
        return f"{'began' if what.base is None else 'ended'} the submodule {what.path}"
    return f"moved {what.path} from {_short(what.base)} to {_short(what.head)}"


def _short(commit: object) -> str:
    return str(commit)[:12] or "another commit"


def _path(side: SideRead) -> str:
    return opening_of_side(side).path
