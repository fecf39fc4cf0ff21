"""Waivers that nothing needs, as far as this change lets one judge it (`--all`)."""

from collections.abc import Iterator, Sequence
from datetime import date

from consistency_bot.judge.code_waivers import CodeWaiver
from consistency_bot.judge.twins import Judged
from consistency_bot.judge.waiver_matching import covers, is_in, may_meet, names_unit, paths_of, stands_in
from consistency_bot.judge.waivers import Waiving
from consistency_bot.model import Change, Finding, Rules, Waiver
from consistency_bot.paths import compile_pattern


def waive_whole(rules: Rules, change: Change, judged: Sequence[Judged], today: date | None) -> list[Finding]:
    """All findings as `waivers.waive` has them, and then those about waivers that match nothing."""
    waiving = Waiving(rules, change, judged, today)
    return [*waiving.told(), *_unused(waiving)]


def _unused(waiving: Waiving) -> Iterator[Finding]:
    """Those of the rules file and of the code that match neither a finding nor a difference from before the change.

    Of twins that the change does not touch nothing is known, so nothing is said about their waivers.
    """
    compared = _compared(waiving)
    for waiver in waiving.valid:
        if waiver not in waiving.used and _is_unused(waiver, waiving, compared):
            yield waiving.notes.unused(waiver)
    for path in sorted(compared):
        for each in waiving.file(path).all:
            owner = waiving.owner_of(path)
            if each in waiving.used:
                continue
            if each.problem:
                yield waiving.notes.not_taken(each, *owner)
            elif not _is_needed(each, waiving):
                yield waiving.notes.unused_code(each, *owner)


def _compared(waiving: Waiving) -> set[str]:
    """The files whose differences are all known: compared with every other side of all twins that they belong to."""
    known: dict[str, set[str]] = {}
    for judged in waiving.judged:
        for path in _compared_in(judged):
            known.setdefault(path, set()).add(judged.twins.id.partition("[")[0])
    return {path for path, twins in known.items() if twins >= _owners(path, waiving.rules)}


def _owners(path: str, rules: Rules) -> set[str]:
    return {
        twins.id
        for twins in rules.twins
        if any(may_meet(path, pattern) for side in twins.sides for pattern in side.patterns)
    }


def _compared_in(judged: Judged) -> Iterator[str]:
    """The files that are compared with every other side of these twins: one of every two sides has to be modified."""
    if any(finding.verdict == "unknown" for finding in judged.findings):
        return
    sides, modified = judged.checked.sides, set(judged.checked.modified)
    for side, paths in sides.items():
        if side in modified or modified >= sides.keys() - {side}:
            yield from paths


def _is_unused(waiver: Waiver, waiving: Waiving, compared: set[str]) -> bool:
    if waiver.finding:
        return not waiving.begun_by(waiver)
    concerned = [each for each in waiving.judged if is_in(waiver, each)]
    path = waiver.where.partition("::")[0]
    if not concerned:
        patterns = [each for twins in waiving.rules.twins for side in twins.sides for each in side.patterns]
        return not any(may_meet(path, pattern) for pattern in patterns)
    matches = compile_pattern(path)
    if any(matches(each) and each not in compared for judged in concerned for each in paths_of(judged)):
        return False
    names = frozenset({waiver.name})
    return not any(
        names_unit(names, judged.twins.id, unit) and any(stands_in(waiver, place) for place in unit.places)
        for judged in concerned
        for unit in judged.differing
    )


def _is_needed(waiver: CodeWaiver, waiving: Waiving) -> bool:
    file = waiving.file(waiver.path)
    return any(
        names_unit(waiver.names, judged.twins.id, unit) and any(covers(waiver, place, file) for place in unit.places)
        for judged in waiving.judged
        for unit in judged.differing
    )
