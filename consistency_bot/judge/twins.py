"""All sides of one twins, judged pair by pair."""

from collections.abc import Iterator, Sequence
from datetime import date
from functools import partial
from itertools import combinations
from typing import TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from consistency_bot.attempts import Failure, attempt
from consistency_bot.changed import Changed
from consistency_bot.judge.bodies import BodiesJudge
from consistency_bot.judge.changes import units_changed
from consistency_bot.judge.fingerprint import fingerprint
from consistency_bot.judge.quads import SideVersions
from consistency_bot.judge.reading import SideRead, Unread, is_pair, read_sides
from consistency_bot.model import BLOCKING, Change, Finding, Place, RuleChecked, Twins, TwinsChecked
from consistency_bot.syntax import Source

if TYPE_CHECKING:
    from consistency_bot.judge.declared import RuleJudged
    from consistency_bot.judge.differing import Differing
    from consistency_bot.judge.rules import Declared
    from consistency_bot.judge.standing import Standing
    from consistency_bot.judge.states import State


class Judged(msgspec.Struct, frozen=True):
    """What is to be said about one twins: its findings, what was looked at, and with `--all` every unit that differs.

    `rules` are the declared rules that were asked of it; `sources` are the files that were parsed, for who looks on.
    """

    twins: Twins
    findings: tuple[Finding, ...]
    checked: TwinsChecked
    differing: "tuple[Differing, ...]" = ()
    rules: tuple[RuleChecked, ...] = ()
    sources: tuple[Source, ...] = ()

    def without_sources(self) -> "Judged":
        """The same once nobody has more to ask of its files."""
        return replace(self, sources=())


def judge_twins(
    twins: Twins, change: Change, changed: Changed, today: date | None, declared: "Declared | None" = None
) -> Judged | None:
    """The findings for one twins, and what was looked at. None where the change leaves all of its sides alone.

    `declared` are the rules file's rules; those of these twins are asked.
    """
    with read_sides(twins, change, changed) as sides:
        findings = _findings(twins, sides, change, today)
        if not findings and not _is_touched(twins, sides):
            return None
        answers = _asked(twins, sides, declared)
        findings = _unanswered(findings, answers)
        findings += [finding for each in answers for finding in each.findings]
        return _judged(twins, findings, _checked(twins, sides), sides, answers)


def judge_twins_whole(
    twins: Twins, change: Change, changed: Changed, today: date | None, declared: "Declared | None" = None
) -> Judged | None:
    """The same with what differed before, and with how many units there are and how many agree (`--all`).

    Also where the change leaves all sides alone: None only where there are no twins, but a name that one side has.
    """
    from consistency_bot.judge.standing import standing_of  # only `--all` asks

    with read_sides(twins, change, changed) as sides:
        findings = _findings(twins, sides, change, today)
        if not findings and not is_pair(twins, sides):
            return None
        differing: list[Differing] = []
        units = agreeing = 0
        for a, b in _comparable_pairs(twins, sides):
            found = attempt(partial(standing_of, twins, *_comparable(a, b)))
            if isinstance(found, Failure):
                where = next(iter((*a.paths, *b.paths)))
                findings.append(_unknown(twins, a.side.name, Unread(where, 1, found.reason, None, found.where)))
                continue
            standing, differs, all_units, agreed = found
            findings.extend(_standing(twins, each) for each in standing)
            if a.opaque or b.opaque:
                from consistency_bot.judge.opaque import standing_opaque

                findings.extend(_state(twins, each) for each in standing_opaque(a, b))
            differing.extend(differs)
            units += all_units
            agreeing += agreed
        answers = _asked(twins, sides, declared)
        findings = _unanswered(findings, answers)
        findings += [finding for each in answers for finding in (*each.findings, *each.before)]
        return _judged(twins, findings, _checked(twins, sides, units, agreeing), sides, answers, differing)


def _asked(twins: Twins, sides: Sequence[SideRead], declared: "Declared | None") -> "list[RuleJudged]":
    """What the rules say; a name that only one side ever had is no pair, and nothing is declared of it."""
    return declared.ask(twins, sides) if declared is not None and is_pair(twins, sides) else []


def _unanswered(findings: list[Finding], answers: "Sequence[RuleJudged]") -> list[Finding]:
    """The findings without the question whether the other side has to change as well, where a rule says what has to."""
    if not any(each.checked.check == "cochange" and not each.checked.unasked for each in answers):
        return findings
    return [each for each in findings if not (each.verdict == "undecided" and each.concept in ("file", "commit"))]


def _judged(
    twins: Twins,
    findings: Sequence[Finding],
    checked: TwinsChecked,
    sides: Sequence[SideRead],
    answers: "Sequence[RuleJudged]",
    differing: "Sequence[Differing]" = (),
) -> Judged:
    sources = tuple(source for side in sides for source in side.sources)
    return Judged(twins, tuple(findings), checked, tuple(differing), tuple(each.checked for each in answers), sources)


def _pairs(twins: Twins, sides: list[SideRead]) -> Iterator[tuple[SideRead, SideRead]]:
    """Each two sides of which one moved."""
    return ((a, b) for a, b in _comparable_pairs(twins, sides) if a.is_modified or b.is_modified)


def _comparable_pairs(twins: Twins, sides: list[SideRead]) -> Iterator[tuple[SideRead, SideRead]]:
    sides = [side for side in sides if not twins.has_ended(side.side.name)]
    return (pair for pair in combinations(sides, 2) if _can_be_judged(*pair))


def _can_be_judged(a: SideRead, b: SideRead) -> bool:
    """Whether both are there and can be read, and were both there before or are both new."""
    return a.exists and b.exists and a.was == b.was and a.unread is None and b.unread is None


def _is_touched(twins: Twins, sides: list[SideRead]) -> bool:
    """Whether there is something to report."""
    return is_pair(twins, sides) and any(side.is_modified or side.unread is not None for side in sides)


def _findings(twins: Twins, sides: list[SideRead], change: Change, today: date | None) -> list[Finding]:
    findings = [_unknown(twins, side.versions.name, side.unread) for side in sides if side.unread is not None]
    if twins.frozen or twins.retired:
        from consistency_bot.judge.ending import trespasses

        findings += [_state(twins, each) for each in trespasses(twins, sides)]
    if twins.expires is not None or twins.captured or not all(side.is_whole for side in sides):
        from consistency_bot.judge.states import expired, states_of  # most twins are simply there

        findings += [_state(twins, each) for each in states_of(twins, sides, change)]
        if _is_touched(twins, sides):
            findings = [*(_state(twins, each) for each in expired(twins, sides, today)), *findings]
    found = attempt(partial(_between, twins, sides))
    findings += _apart(twins, sides, found) if isinstance(found, Failure) else found
    for side in sides:
        findings += (_unknown(twins, side.versions.name, why) for why in _unread_functions(side))
    return findings


def _unread_functions(side: SideRead) -> Iterator[Unread]:
    """Functions that could not be read, at head if they are there."""
    every = {(each.path, each.qualname): each for each in (*side.versions.base, *side.versions.head) if each.failure}
    for each in every.values():
        if each.failure is not None:
            yield Unread(each.path, each.line, each.failure.reason, each.qualname or None, each.failure.where)


def _apart(twins: Twins, sides: list[SideRead], why: Failure) -> list[Finding]:
    """What is found between each two sides, each pair for itself, without what makes judging fail."""
    from consistency_bot.judge.isolation import Isolation

    findings: list[Finding] = []
    for a, b in _pairs(twins, sides):
        found, unread = Isolation(twins, *_comparable(a, b)).judge(why)
        findings += [*found, *(_unknown(twins, side, each) for side, each in unread)]
    return list({each.fingerprint: each for each in findings}.values())


def _between(twins: Twins, sides: list[SideRead]) -> list[Finding]:
    """What is found between each two sides, once and together where there are more than two."""
    pairs: list[tuple[SideVersions, SideVersions]] = []
    findings: list[Finding] = []
    for a, b in _pairs(twins, sides):
        if a.opaque or b.opaque or not (a.is_python and b.is_python):
            from consistency_bot.judge.opaque import are_unlike, judge_opaque, judge_unlike

            findings += [_state(twins, each) for each in judge_opaque(a, b)]
            if not (a.is_python and b.is_python) and are_unlike(*_comparable(a, b)):
                findings += [_state(twins, each) for each in judge_unlike(a, b)]
                continue
        pairs.append(_comparable(a, b))
    if len(pairs) > 1:
        from consistency_bot.judge.groups import judge_group

        return findings + judge_group(twins, pairs)
    return findings + [each for a, b in pairs for each in BodiesJudge(twins, a, b).findings()]


def _comparable(a: SideRead, b: SideRead) -> tuple[SideVersions, SideVersions]:
    """The versions of two sides that can be held against each other: line by line where one of them is no Python."""
    if a.is_python and b.is_python:
        return a.versions, b.versions
    return a.as_lines or a.versions, b.as_lines or b.versions


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
    """The finding for what could not be judged: nobody can say whether it is in step."""
    at = f", at {why.failed_at}" if why.failed_at else ""
    return Finding(
        rule="bodies",
        twins=twins.id,
        verdict="unknown",
        blocks=twins.mode == "block",
        fingerprint=fingerprint(repr(("unknown", twins.id, side, why.path, why.function, why.reason))),
        concept="function" if why.function else "file",
        message=f"{side} cannot be judged at head ({why.path}:{why.line}): {why.reason}{at}; nothing is said about it.",
        changed=Place(side, why.path, why.line, why.line, why.function),
        counterpart=None,
    )


def _state(twins: Twins, state: "State") -> Finding:
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


def _standing(twins: Twins, each: "Standing") -> Finding:
    return Finding(
        rule="bodies",
        twins=twins.id,
        verdict="standing",
        blocks=False,
        fingerprint=fingerprint(
            repr(
                (
                    "standing",
                    twins.id,
                    each.changed.function,
                    each.counterpart and each.counterpart.function,
                    each.terms,
                )
            )
        ),
        concept="function" if each.changed.function else "file",
        message=each.message,
        changed=each.changed,
        counterpart=each.counterpart,
    )
