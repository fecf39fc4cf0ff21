"""Whether a patch is still needed, by the versions that the tree locks."""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from consistency_bot.locks.values import Bound, Locked, Locks, Unreadable
from consistency_bot.patches.versions import Range, read_specifiers, read_version, samples

Need = Literal["needed", "not_needed", "undecided"]

_MOST = 6
"""Versions that a sentence lists."""

_LONGEST = 80
"""Characters of a marker that it gives."""


class Answer(msgspec.Struct, frozen=True):
    """Whether the patch is needed and why: `reason` is the middle of a sentence.

    `path` and `line` say where to look; the path is empty where there is nothing to see. `is_older` tells that all that
    is locked is older than what needs the patch, so that it is not needed *yet*.
    """

    need: Need
    reason: str
    path: str = ""
    line: int = 1
    is_older: bool = False


def is_needed(wanted: Range, locks: Locks) -> Answer:
    """Compares what is locked with what needs the patch; what is only bounded decides where nothing is locked."""
    if locks.unreadable:
        first = locks.unreadable[0]
        return _undecided(f"{first.path}:{first.line} {first.reason}", first)
    if locks.locked:
        return _by_locks(wanted, locks.locked)
    if locks.bounds:
        return _by_bounds(wanted, locks.bounds)
    looked = ", ".join(locks.looked_at[:_MOST])
    where = f"none of {looked} names it" if looked else "there is no lock file, requirements file or pyproject.toml"
    return Answer("undecided", f"nothing says which {wanted.package} is used: {where}")


def _by_locks(wanted: Range, locked: Sequence[Locked]) -> Answer:
    needing: list[Locked] = []
    others: list[Locked] = []
    for each in locked:
        version = read_version(each.version)
        if version is None:
            return _undecided(f"{each.path}:{each.line} locks `{each.version[:60]}`, which is no version", each)
        (needing if wanted.has(version) else others).append(each)
    if needing and others:
        reason = (
            f"the locked versions disagree: {wanted.package} {_listed(needing, _where)} need{'s' * (len(needing) == 1)}"
            f" it, {_listed(others, _where)} do{'es' * (len(others) == 1)} not"
        )
        return _undecided(reason, others[0])
    which = needing or others
    verb = "is" if len(which) == 1 else "are"
    reason = f"{wanted.package} {_listed(which)} {verb} locked"
    if needing:
        return Answer("needed", reason, which[0].path, which[0].line)
    return Answer("not_needed", reason, which[0].path, which[0].line, _is_older(wanted, others))


def _listed(locked: Sequence[Locked], where: Callable[[Locked], str] = lambda _: "") -> str:
    """`2.9.0 (uv.lock:13) and 2.9.0+cu129 (uv.lock:22)`; `where` adds to each."""
    named = [f"{each.version} ({each.path}:{each.line}){where(each)}" for each in locked[:_MOST]]
    if len(locked) > _MOST:
        named.append(f"{len(locked) - _MOST} more")
    return " and ".join([*([", ".join(named[:-1])] if named[:-1] else []), named[-1]])


def _where(locked: Locked) -> str:
    """For which machines a version is, as far as one line can say it."""
    if not locked.marker:
        return ""
    return f" where {locked.marker if len(locked.marker) <= _LONGEST else locked.marker[:_LONGEST] + '…'}"


def _by_bounds(wanted: Range, bounds: Sequence[Bound]) -> Answer:
    """Where nothing is locked: whether all that is allowed needs the patch, or none of it does."""
    saying = [each for each in bounds if each.specifier] or list(bounds)
    answers: list[tuple[Bound, frozenset[bool]]] = []
    for each in saying:
        allowed = _allowed(wanted, each)
        if allowed is None:
            return _undecided(
                f"{each.path}:{each.line} asks for `{each.specifier[:60]}`, which is not understood", each
            )
        answers.append((each, allowed))
    first = saying[0]
    said = " and ".join(
        f"{wanted.package}{each.specifier or ' in any version'} ({each.path}:{each.line})" for each in saying[:_MOST]
    )
    reason = f"nothing is locked, and {said} {'is' if len(saying) == 1 else 'are'} allowed"
    kinds = {kind for _, allowed in answers for kind in allowed}
    if len(kinds) != 1:
        return _undecided(f"{reason}, which may need it or not", first)
    return Answer("needed" if kinds == {True} else "not_needed", reason, first.path, first.line)


def _allowed(wanted: Range, bound: Bound) -> frozenset[bool] | None:
    """Whether the versions that a bound allows need the patch: both answers, one, none; None where it is unreadable."""
    specifiers = read_specifiers(bound.specifier)
    if specifiers is None:
        return None
    points = samples([bound.specifier, str(wanted.specifiers)])
    return frozenset(wanted.has(each) for each in points if specifiers.contains(each, prereleases=True))


def _undecided(reason: str, place: Locked | Bound | Unreadable) -> Answer:
    return Answer("undecided", reason, place.path, place.line)


def _is_older(wanted: Range, locked: Sequence[Locked]) -> bool:
    versions = [version for each in locked if (version := read_version(each.version)) is not None]
    needing = [each for each in samples([str(wanted.specifiers)]) if wanted.has(each)]
    return bool(versions) and bool(needing) and max(versions) < min(needing)
