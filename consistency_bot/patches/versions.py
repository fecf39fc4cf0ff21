"""Versions by PEP 440: whether a range has one, and what a function's own check says to it.

Two ranges are compared by samples: the versions that either names, and their neighbours. Between two samples nothing
changes, so a range that holds for all of them holds.
"""

import re
from collections.abc import Callable, Iterable

import msgspec
from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from consistency_bot.syntax.version_tests import (
    Compared,
    Joined,
    Negated,
    OneOf,
    Operator,
    StartsWith,
    Unreadable,
    VersionTest,
)


class Range(msgspec.Struct, frozen=True):
    """The versions of one package that a requirement such as `torch>=2.9,<2.10` has; `text` is the requirement."""

    package: str
    specifiers: SpecifierSet
    text: str

    def has(self, version: Version) -> bool:
        """Whether the version is in the range; one before its release counts as what it is, not as absent."""
        return self.specifiers.contains(version, prereleases=True)


_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*?)\s*(?:\[[^\]]*\])?\s*\(?\s*((?:[=<>!~].*?)?)\s*\)?\s*")


def read_range(requirement: str) -> Range | None:
    """The range that a requirement names; None where it is none."""
    found = _REQUIREMENT.fullmatch(requirement)
    specifiers = read_specifiers(found[2]) if found is not None else None
    return Range(found[1], specifiers, requirement) if found is not None and specifiers is not None else None


def read_specifiers(text: str) -> SpecifierSet | None:
    """The specifiers that a text spells; None where it spells none, as `^2.9` does."""
    try:
        return SpecifierSet(text)
    except InvalidSpecifier:
        return None


def read_version(text: str) -> Version | None:
    """The version that a text spells; None where it spells none."""
    try:
        return Version(text)
    except InvalidVersion:
        return None


def samples(texts: Iterable[str]) -> list[Version]:
    """The versions that the texts name, and those next to them, in order; each with three numbers at least."""
    found: set[Version] = {Version("0.0.0")}
    for text in texts:
        for match in re.finditer(r"\d{1,9}(?:\.\d{1,9}){0,5}", text.partition("+")[0]):
            numbers = [int(part) for part in match[0].split(".")]
            padded = [*numbers, 0, 0][: max(len(numbers), 3)]
            found |= {_version(padded), _version([*padded, 1])}
            for at in range(len(padded)):
                found.add(_version([*padded[:at], padded[at] + 1, *([0] * (len(padded) - at - 1))]))
    return sorted(found)


def _version(numbers: Iterable[int]) -> Version:
    return Version(".".join(map(str, numbers)))


def answer(test: VersionTest, version: Version, text: str) -> bool | None:
    """What a condition says to a version, which is spelt `text`; None where nobody can work it out."""
    if isinstance(test, Unreadable):
        return None
    if isinstance(test, Negated):
        inner = answer(test.test, version, text)
        return None if inner is None else not inner
    if isinstance(test, Joined):
        return _joined(test, version, text)
    if isinstance(test, StartsWith):
        return text.startswith(test.texts)
    if isinstance(test, OneOf):
        return text in test.texts
    return _compared(test, version, text)


def _joined(test: Joined, version: Version, text: str) -> bool | None:
    answers = [answer(each, version, text) for each in test.tests]
    decisive = test.by == "or"
    if decisive in answers:
        return decisive
    return None if None in answers else not decisive


_OPERATIONS: dict[Operator, Callable[[object, object], bool]] = {
    "<": lambda a, b: a < b,  # type: ignore[operator]
    "<=": lambda a, b: a <= b,  # type: ignore[operator]
    ">": lambda a, b: a > b,  # type: ignore[operator]
    ">=": lambda a, b: a >= b,  # type: ignore[operator]
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


def _compared(test: Compared, version: Version, text: str) -> bool | None:
    holds = _OPERATIONS[test.operator]
    if test.by == "text":
        return holds(text, test.value)
    if test.by == "release":
        numbers = tuple(map(int, test.value.split(".")))
        release = version.release + (0,) * (len(numbers) - len(version.release))
        leading = release[: len(numbers)]
        # How many numbers the function compares is not known; it matters only where these are equal.
        if leading == numbers and len(release) > len(numbers) and test.operator not in ("<", ">="):
            return None
        return holds(leading, numbers)
    other = read_version(test.value)
    if other is None:
        return None
    return holds(Version(version.public) if test.by == "public" else version, other)
