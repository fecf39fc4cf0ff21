"""The kind `patch_calls`: which patches each side applies, where, under which condition, and before or after what.

A patch is a call by one of the rule's `names`, an assignment to such an attribute of something imported, or a switch
for the whole process such as `torch.backends.cuda.enable_cudnn_sdp(False)`, which differs by its constants.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.conditions.formulas import disjunction
from consistency_bot.facts.conditions.vocabulary import Names
from consistency_bot.facts.courses import Course, Event, courses_of
from consistency_bot.facts.likeness import Likeness
from consistency_bot.facts.names import is_named
from consistency_bot.facts.places import at, function
from consistency_bot.facts.telling import told as told_condition
from consistency_bot.model import Place, Rule

READS_CODE_ALONE = True


class Applied(msgspec.Struct, frozen=True):
    """One patch as a side applies it, in which course, with the anchors that run before and after it there."""

    event: Event
    course: Course
    earlier: tuple[Event, ...]
    later: tuple[Event, ...]

    @property
    def text(self) -> str:
        """The patch as it is told, with the constants that a switch is set to."""
        return self.event.name + self.event.detail


class Patches(msgspec.Struct, frozen=True):
    """The patches of one side in source order, the courses they are in, and where one would go that is in none."""

    side: str
    applied: tuple[Applied, ...]
    courses: tuple[Course, ...]
    names: Names
    top: Place


def read(rule: Rule, side: SideAt) -> Patches:
    """The patches that a side applies, and in which order with the anchors of `before` and `after`."""
    keys = rule.keys
    courses = courses_of(side, (*keys.names, *keys.before, *keys.after))
    applied = [each for course in courses.every for each in _applied(rule, course) if _is_inside(each, rule)]
    return Patches(side.name, tuple(applied), courses.every, courses.names, side.top)


def _applied(rule: Rule, course: Course) -> Iterator[Applied]:
    anchors = (*rule.keys.before, *rule.keys.after)
    for number, event in enumerate(course.events):
        if event.is_named(rule.keys.names):
            earlier = tuple(each for each in course.events[:number] if each.is_named(anchors))
            later = tuple(each for each in course.events[number + 1 :] if each.is_named(anchors))
            yield Applied(event, course, earlier, later)


def _is_inside(applied: Applied, rule: Rule) -> bool:
    """Whether it stands in a function that `in` names, by its last name or all of it; true where `in` names none."""
    inside = rule.keys.in_
    names = [name for each in (applied.course.place, applied.event.place) if (name := each.function or "<module>")]
    return not inside or any(is_named(name, inside) or is_named(name.rpartition(".")[2], inside) for name in names)


def breaches(rule: Rule, facts: Mapping[str, Patches]) -> Iterator[Breach]:
    """Patches that a side lacks, applies under another condition, too late, too early, or before its docstring."""
    sides = list(facts.values())
    formulas = (each.event.condition for side in sides for each in side.applied)
    likeness = Likeness(rule.atoms, formulas, [side.names for side in sides])
    named = {side.side: _by_text(side) for side in sides}
    gaps = {side.side: _Gaps(side) for side in sides}
    for name in dict.fromkeys(name for side in sides for name in named[side.side]):
        having = {side.side: named[side.side][name] for side in sides if name in named[side.side]}
        for side in sides:
            if side.side not in having:
                yield _missing(name, side.side, having, gaps[side.side])
        yield from _conditions(likeness, name, having)
    for side in sides:
        for applied in side.applied:
            yield from _order(rule, side, applied)
            yield from _docstring(side, applied)


def told(facts: Patches) -> Iterator[str]:
    """One line for each patch: what, where, and under which condition."""
    for each in facts.applied:
        condition = told_condition(each.event.condition)
        under = f" if {condition}" if condition else ""
        yield f"{each.text} in {function(each.course.place)} {at(each.event.place)}{under}"


def _by_text(side: Patches) -> dict[str, list[Applied]]:
    out: dict[str, list[Applied]] = {}
    for each in side.applied:
        out.setdefault(each.text, []).append(each)
    return out


def _missing(name: str, side: str, having: Mapping[str, Sequence[Applied]], gaps: "_Gaps") -> Breach:
    there = next(iter(having.values()))[0]
    place = gaps.of(there)
    names = " and ".join(having)
    message = (
        f"{side} does not apply `{name}` {at(place)}, which {names} {'apply' if len(having) > 1 else 'applies'}"
        f" in {function(there.event.place)} {at(there.event.place)}."
    )
    return Breach(side, there.event.name, message, place, there.event.place, ("missing", name), tuple(having))


class _Gaps:
    """Where patches would go on a side: behind the last one in the function of the same name, or at its top."""

    def __init__(self, side: Patches) -> None:
        self._side = side
        self._first: dict[str, Course] = {}
        for course in side.courses:
            self._first.setdefault(_last_name(course.place), course)
        self._last: dict[str, Place] = {_last_name(each.course.place): each.event.place for each in side.applied}

    def of(self, there: Applied) -> Place:
        last = _last_name(there.course.place)
        place, course = self._last.get(last), self._first.get(last)
        if place is not None:
            return Place(self._side.side, place.path, place.end_line + 1, place.end_line, place.function)
        if course is not None:
            line = course.first_line
            return Place(self._side.side, course.place.path, line, line - 1, course.place.function)
        return self._side.top


def _last_name(place: Place) -> str:
    return (place.function or "").rpartition(".")[2]


def _conditions(likeness: Likeness, name: str, having: Mapping[str, Sequence[Applied]]) -> Iterator[Breach]:
    """Sides that apply it under another condition than the first one does."""
    first, *others = having
    for side in others:
        here, there = having[side], having[first]
        mine, theirs = (disjunction(each.event.condition for each in group) for group in (here, there))
        relation = likeness.compared(mine, theirs)
        if relation == "equal":
            continue
        mine_told, theirs_told = _when(likeness.text(mine)), _when(likeness.text(theirs))
        place, counterpart = here[0].event.place, there[0].event.place
        message = f"{side} applies `{name}` {mine_told} {at(place)}, {first} {theirs_told} {at(counterpart)}."
        doubt = "the two conditions cannot be shown to be equal" if relation == "unknown" else ""
        what = f"{here[0].event.name} {mine_told}"
        said = ("condition", name, mine_told, theirs_told)
        pair = (side, first)
        yield Breach(side, what, message, place, counterpart, said, (side,), doubt, between=pair)


def _when(text: str) -> str:
    return f"if `{text}`" if text else "always"


def _order(rule: Rule, side: Patches, applied: Applied) -> Iterator[Breach]:
    """Anchors on the wrong side of a patch; where a function has no anchor, there is no order to keep."""
    for word, anchors, wrong in (
        ("before", rule.keys.before, applied.earlier),
        ("after", rule.keys.after, applied.later),
    ):
        for pattern in anchors:
            found = [each for each in wrong if each.is_named((pattern,))]
            right = applied.later if word == "before" else applied.earlier
            if not found or (word == "after" and any(each.is_named((pattern,)) for each in right)):
                continue
            other = "after" if word == "before" else "before"
            event, anchor = applied.event, found[0]
            message = (
                f"{side.side} applies `{applied.text}` in {function(event.place)} {at(event.place)} {other} "
                f"`{anchor.name}` {at(anchor.place)}, not {word} it."
            )
            what = f"{event.name} {other} {anchor.name}"
            said = ("order", applied.text, word, pattern)
            yield Breach(side.side, what, message, event.place, anchor.place, said, (side.side,))


def _docstring(side: Patches, applied: Applied) -> Iterator[Breach]:
    line = applied.course.late_docstring
    if not line or applied.event.top > line:
        return
    event, course = applied.event, applied.course
    there = Place(side.side, course.place.path, line, line, course.place.function)
    message = (
        f"{side.side} applies `{applied.text}` in {function(course.place)} {at(event.place)} before the docstring"
        f" {at(there)}, which is a dead string there: {function(course.place)} has no docstring."
    )
    what = f"{event.name} before the docstring"
    yield Breach(side.side, what, message, event.place, there, ("docstring", applied.text), (side.side,))
