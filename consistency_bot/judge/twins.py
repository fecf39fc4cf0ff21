"""All sides of one twins, judged pair by pair."""

from collections.abc import Iterator
from datetime import date

import msgspec

from consistency_bot.changed import Changed
from consistency_bot.judge.bodies import BodiesJudge
from consistency_bot.judge.changes import units_changed
from consistency_bot.judge.differing import Differing
from consistency_bot.judge.ending import is_ended, trespasses
from consistency_bot.judge.fingerprint import fingerprint
from consistency_bot.judge.groups import judge_group
from consistency_bot.judge.opaque import are_unlike, judge_opaque, judge_unlike
from consistency_bot.judge.quads import SideVersions
from consistency_bot.judge.reading import SideRead, Unread, read_sides
from consistency_bot.judge.standing import Standing, standing_of
from consistency_bot.judge.states import State, expired, states_of
from consistency_bot.model import BLOCKING, Change, Finding, Place, Twins, TwinsChecked


class Judged(msgspec.Struct, frozen=True):
    """What is to be said about one twins: its findings, what was looked at, and with `--all` every unit that differs.

    `sides` are as they were read, for who has more to ask.
    """

    twins: Twins
    findings: tuple[Finding, ...]
    checked: TwinsChecked
    differing: tuple[Differing, ...] = ()
    sides: tuple[SideRead, ...] = ()


def judge_twins(twins: Twins, change: Change, changed: Changed, today: date | None) -> Judged | None:
    """The findings for one twins, and what was looked at. None where the change leaves all of its sides alone."""
    sides = read_sides(twins, change, changed)
    findings = _findings(twins, sides, change, today)
    if not findings and not _is_touched(twins, sides):
        return None
    return Judged(twins, tuple(findings), _checked(twins, sides), sides=tuple(sides))


def judge_twins_whole(twins: Twins, change: Change, changed: Changed, today: date | None) -> Judged | None:
    """The same with what differed before, and with how many units there are and how many agree (`--all`)."""
    sides = read_sides(twins, change, changed)
    findings = _findings(twins, sides, change, today)
    if not findings and not _is_touched(twins, sides):
        return None
    differing: list[Differing] = []
    units = agreeing = 0
    for a, b in _pairs(twins, sides):
        standing, differs, all_units, agreed = standing_of(twins, *_comparable(a, b)[0])
        findings.extend(_standing(twins, each) for each in standing)
        differing.extend(differs)
        units += all_units
        agreeing += agreed
    return Judged(twins, tuple(findings), _checked(twins, sides, units, agreeing), tuple(differing), tuple(sides))


def _pairs(twins: Twins, sides: list[SideRead]) -> Iterator[tuple[SideRead, SideRead]]:
    sides = [side for side in sides if not is_ended(twins, side)]
    for i, a in enumerate(sides):
        for b in sides[i + 1 :]:
            if (a.is_modified or b.is_modified) and _can_be_judged(a, b):
                yield a, b


def _can_be_judged(a: SideRead, b: SideRead) -> bool:
    """Whether both are there and can be read, and were both there before or are both new."""
    return a.exists and b.exists and a.was == b.was and a.unread is None and b.unread is None


def _is_touched(twins: Twins, sides: list[SideRead]) -> bool:
    """Whether there is something to report. A name that only one side ever had makes no pair."""
    if twins.captured and sum(side.was or side.exists for side in sides) < 2:
        return False
    return any(side.is_modified or side.unread is not None for side in sides)


def _findings(twins: Twins, sides: list[SideRead], change: Change, today: date | None) -> list[Finding]:
    reminders = expired(twins, sides, today) if _is_touched(twins, sides) else ()
    findings = [_state(twins, each) for each in reminders]
    findings += [_unknown(twins, side.versions.name, side.unread) for side in sides if side.unread is not None]
    findings += [_state(twins, each) for each in (*trespasses(twins, sides), *states_of(twins, sides, change))]
    findings += _between(twins, sides)
    for side in sides:
        for each in dict.fromkeys((*side.versions.base, *side.versions.head)):
            if each.is_too_deep:
                why = Unread(each.path, each.line, "nested too deeply to be read", each.qualname or None)
                findings.append(_unknown(twins, side.versions.name, why))
    return findings


def _between(twins: Twins, sides: list[SideRead]) -> list[Finding]:
    """What is found between each two sides, once and together where there are more than two."""
    pairs: list[tuple[SideVersions, SideVersions]] = []
    states: list[State] = []
    for a, b in _pairs(twins, sides):
        states += judge_opaque(a, b)
        versions, is_by_lines = _comparable(a, b)
        if is_by_lines and are_unlike(*versions):
            states += judge_unlike(a, b)
        else:
            pairs.append(versions)
    found = judge_group(twins, pairs) if len(pairs) > 1 else [each for pair in pairs for each in _found(twins, *pair)]
    return [_state(twins, each) for each in states] + found


def _found(twins: Twins, a: SideVersions, b: SideVersions) -> Iterator[Finding]:
    return BodiesJudge(twins, a, b).findings()


def _comparable(a: SideRead, b: SideRead) -> tuple[tuple[SideVersions, SideVersions], bool]:
    """The versions of two sides that can be held against each other, and whether they are read line by line."""
    if a.is_python and b.is_python:
        return (a.versions, b.versions), False
    return (a.as_lines or a.versions, b.as_lines or b.versions), True


def _checked(
    twins: Twins, sides: list[SideRead], units: int | None = None, agreeing: int | None = None
) -> TwinsChecked:
    paths = {side.versions.name: side.paths for side in sides}
    modified = tuple(side.versions.name for side in sides if side.is_modified)
    changes = {
        side.versions.name: units_changed(side.versions) for side in sides if side.is_modified and side.unread is None
    }
    return TwinsChecked(twins.id, paths, modified, units, agreeing, changes, twins.why, twins.mode)


def _unknown(twins: Twins, side: str, why: Unread) -> Finding:
    """The finding for what could not be read: nobody can say whether it is in step."""
    return Finding(
        rule="bodies",
        twins=twins.id,
        verdict="unknown",
        blocks=twins.mode == "block",
        fingerprint=fingerprint(repr(("unknown", twins.id, side, why.path, why.function, why.reason))),
        concept="function" if why.function else "file",
        message=f"{side} cannot be judged at head ({why.path}:{why.line}): {why.reason}; nothing is said about it.",
        changed=Place(side, why.path, why.line, why.line, why.function),
        counterpart=None,
    )


def _state(twins: Twins, state: State) -> Finding:
    """The finding for a side that is held against nothing."""
    return Finding(
        rule="bodies",
        twins=twins.id,
        verdict=state.verdict,
        blocks=twins.mode == "block" and state.verdict in BLOCKING,
        fingerprint=fingerprint(repr((state.verdict, twins.id, state.side, state.concept, state.what))),
        concept=state.concept,
        message=state.message,
        changed=state.changed,
        counterpart=state.counterpart,
    )


def _standing(twins: Twins, each: Standing) -> Finding:
    return Finding(
        rule="bodies",
        twins=twins.id,
        verdict="standing",
        blocks=False,
        fingerprint=fingerprint(
            repr(("standing", twins.id, each.changed.function, each.counterpart.function, each.terms))
        ),
        concept="function",
        message=each.message,
        changed=each.changed,
        counterpart=each.counterpart,
    )
