"""All sides of one twins, judged pair by pair."""

from collections.abc import Iterator

import msgspec

from consistency_bot.judge.bodies import judge_bodies
from consistency_bot.judge.changes import units_changed
from consistency_bot.judge.differing import Differing
from consistency_bot.judge.fingerprint import fingerprint
from consistency_bot.judge.reading import SideRead, Unread, read_sides
from consistency_bot.judge.standing import Standing, standing_of
from consistency_bot.model import Change, Finding, Place, Twins, TwinsChecked


class Judged(msgspec.Struct, frozen=True):
    """What is to be said about one twins: its findings, what was looked at, and with `--all` every unit that differs.

    `sides` are as they were read, for who has more to ask.
    """

    twins: Twins
    findings: tuple[Finding, ...]
    checked: TwinsChecked
    differing: tuple[Differing, ...] = ()
    sides: tuple[SideRead, ...] = ()


def judge_twins(twins: Twins, change: Change, changed: set[str]) -> Judged:
    """The findings for one twins, and what was looked at. `changed` holds every path that differs, old names included."""
    sides = read_sides(twins, change, changed)
    return Judged(twins, tuple(_findings(twins, sides)), _checked(twins, sides), sides=tuple(sides))


def judge_twins_whole(twins: Twins, change: Change, changed: set[str]) -> Judged:
    """The same with what differed before, and with how many units there are and how many agree (`--all`)."""
    sides = read_sides(twins, change, changed)
    findings = _findings(twins, sides)
    differing: list[Differing] = []
    units = agreeing = 0
    for a, b in _pairs(sides):
        standing, differs, all_units, agreed = standing_of(twins, a.versions, b.versions)
        findings.extend(_standing(twins, each) for each in standing)
        differing.extend(differs)
        units += all_units
        agreeing += agreed
    return Judged(twins, tuple(findings), _checked(twins, sides, units, agreeing), tuple(differing), tuple(sides))


def _pairs(sides: list[SideRead]) -> Iterator[tuple[SideRead, SideRead]]:
    for i, a in enumerate(sides):
        for b in sides[i + 1 :]:
            if (a.is_modified or b.is_modified) and a.unread is None and b.unread is None:
                yield a, b


def _findings(twins: Twins, sides: list[SideRead]) -> list[Finding]:
    if not any(side.paths for side in sides):
        return []  # all of them deleted together: nothing is left to keep in step
    findings = [_unknown(twins, side.versions.name, side.unread) for side in sides if side.unread is not None]
    for a, b in _pairs(sides):
        findings.extend(judge_bodies(twins, a.versions, b.versions))
    for side in sides:
        for each in dict.fromkeys((*side.versions.base, *side.versions.head)):
            if each.is_too_deep:
                why = Unread(each.path, each.line, "nested too deeply to be read", each.qualname or None)
                findings.append(_unknown(twins, side.versions.name, why))
    return findings


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
