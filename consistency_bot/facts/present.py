"""The kind `present`: something that stands on every side, or, with `absent`, on none.

`pattern` is Python with placeholders and is looked for in Python files; `regex` is looked for line by line in all files.
"""

import re
from collections.abc import Iterator, Mapping

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.places import at, function
from consistency_bot.model import Place, Rule
from consistency_bot.paths import is_python
from consistency_bot.syntax.patterns import Pattern

_MOST_MATCHES = 100


class Matches(msgspec.Struct, frozen=True):
    """Where one side has it, in the order of its files."""

    side: str
    places: tuple[Place, ...]
    top: Place


def read(rule: Rule, side: SideAt) -> Matches:
    """The places of the pattern, or of the regular expression."""
    found = _by_pattern(rule.keys.pattern, side) if rule.keys.pattern else _by_regex(rule.keys.regex, side)
    places = [place for place, _ in zip(found, range(_MOST_MATCHES), strict=False)]
    return Matches(side.name, tuple(places), side.top if rule.keys.pattern else _top_of_lines(side))


def _top_of_lines(side: SideAt) -> Place:
    """Where a line would go: at the top of the first file that is no Python, which lines are looked for in."""
    others = [path for path in side.paths if not is_python(path)]
    return Place(side.name, others[0], 1, 0) if others else side.top


def _by_pattern(text: str, side: SideAt) -> Iterator[Place]:
    pattern = Pattern(text)
    for source in side.sources:
        for first, last in pattern.lines(source):
            inside = [each for each in source.definitions if each.qualname and each.line <= first <= each.end_line]
            yield Place(side.name, source.path, first, last, inside[-1].qualname if inside else None)


def _by_regex(text: str, side: SideAt) -> Iterator[Place]:
    expression = re.compile(text.encode())
    for path in dict.fromkeys((*side.paths, *(source.path for source in side.sources))):
        for number, line in enumerate((side.tree.read(path) or b"").split(b"\n"), 1):
            if expression.search(line.rstrip(b"\r")):
                yield Place(side.name, path, number, number)


def breaches(rule: Rule, facts: Mapping[str, Matches]) -> Iterator[Breach]:
    """Sides that lack it; with `absent`, places that have it."""
    what = rule.keys.pattern or rule.keys.regex
    for side in facts.values():
        if rule.keys.absent:
            for number, place in enumerate(side.places):
                message = f"{side.side} has `{what}` in {function(place)} {at(place)}, where it must not stand."
                said = (place.function or "", str(number)) if number else (place.function or "",)
                yield Breach(side.side, what, message, place, None, said, (side.side,))
        elif not side.places:
            there = next((other.places[0] for other in facts.values() if other.places), None)
            also = f", as {there.side} in {function(there)} {at(there)}" if there is not None else ""
            message = f"{side.side} does not have `{what}` {at(side.top)}{also}."
            yield Breach(side.side, what, message, side.top, there, (), (side.side,))


def told(facts: Matches) -> Iterator[str]:
    """One line for each place."""
    for place in facts.places:
        yield f"{function(place)} {at(place)}"
