"""What a patch's own version check says to the versions that need it, and to those that are locked."""

from collections.abc import Iterator

import msgspec
from packaging.version import Version

from consistency_bot.locks.values import Locked
from consistency_bot.patches.versions import Range, answer, read_version, samples
from consistency_bot.syntax.version_tests import Compared, Joined, Negated, OneOf, StartsWith, VersionCheck, VersionTest


class Contradiction(msgspec.Struct, frozen=True):
    """A check that does not go with the rest. `message` is the end of a sentence about it; `said` identifies it."""

    line: int
    said: tuple[str, ...]
    message: str


def contradictions(
    wanted: Range, checks: tuple[VersionCheck, ...], locked: tuple[Locked, ...]
) -> Iterator[Contradiction]:
    """The checks that stop, or pass over, versions for which the patch is declared; and those that stop a locked one."""
    for check in checks:
        verb = "stops with an error on" if check.effect == "stops" else "does nothing on"
        first = _first_needing(wanted, check)
        if first is not None:
            message = f"which {verb} {wanted.package} {first}; but by `{wanted.text}` that version needs the patch"
            yield Contradiction(check.line, ("contradicts", check.text), message)
        tripped = [each for each in locked if _holds(check, each.version)]
        if check.effect == "stops" and tripped:
            named = " and ".join(f"{each.version} ({each.path}:{each.line})" for each in tripped[:3])
            verb = "is" if len(tripped) == 1 else "are"
            message = f"which stops with an error wherever it is called: {wanted.package} {named} {verb} locked"
            yield Contradiction(check.line, ("trips", check.text), message)


def _first_needing(wanted: Range, check: VersionCheck) -> Version | None:
    """The plainest version that needs the patch and at which the check holds; None where there is none."""
    points = [each for each in samples([str(wanted.specifiers), *_texts(check.test)]) if wanted.has(each)]
    hit = [each for each in points if answer(check.test, each, str(each))]
    return min(hit, key=lambda each: (len(each.release), each), default=None)


def _holds(check: VersionCheck, text: str) -> bool:
    version = read_version(text)
    return version is not None and answer(check.test, version, text) is True


def _texts(test: VersionTest) -> Iterator[str]:
    """The versions that a condition names."""
    if isinstance(test, Compared):
        yield test.value
    elif isinstance(test, StartsWith | OneOf):
        yield from test.texts
    elif isinstance(test, Negated):
        yield from _texts(test.test)
    elif isinstance(test, Joined):
        for each in test.tests:
            yield from _texts(each)
