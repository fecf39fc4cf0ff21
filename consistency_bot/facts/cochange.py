"""The kind `cochange`: whenever a side changes, one of certain files changes as well."""

from collections.abc import Iterator, Mapping

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.model import Place, Rule
from consistency_bot.paths import compile_pattern, is_glob


class Changed(msgspec.Struct, frozen=True):
    """The files of one side that the change touches, and those of `any_of` that it touches. Nothing at base."""

    side: str
    touched: tuple[str, ...]
    with_it: tuple[str, ...]


def read(rule: Rule, side: SideAt) -> Changed:
    """What the change touches. A submodule counts, and what is below a folder: `docs`, `docs/**`, `third_party/lib`."""
    matchers = [compile_pattern(each) for pattern in rule.keys.any_of for each in _with_what_is_below(pattern)]
    paths = {*side.paths, *(source.path for source in side.sources)}
    with_it = sorted(path for path in side.changed if any(matches(path) for matches in matchers))
    return Changed(side.name, tuple(sorted(paths & side.changed)), tuple(with_it))


def _with_what_is_below(pattern: str) -> tuple[str, ...]:
    """A path that names one thing, and all below it where that is a folder; with a wildcard at its end it says how deep."""
    last = pattern.rpartition("/")[2]
    return (pattern,) if is_glob(last) else (pattern, f"{pattern}/**")


def breaches(rule: Rule, facts: Mapping[str, Changed]) -> Iterator[Breach]:
    """The first side that changes alone; one finding for the whole change."""
    alone = [each for each in facts.values() if each.touched and not each.with_it]
    if alone:
        first = alone[0]
        place = Place(first.side, first.touched[0], 1, 0)
        wanted = " or ".join(f"`{each}`" for each in rule.keys.any_of)
        names = " and ".join(each.side for each in alone)
        verb = "changes" if len(alone) == 1 else "change"
        message = f"{names} {verb} ({place.path}:1), and {wanted} does not."
        yield Breach(first.side, wanted, message, place, None, (), tuple(each.side for each in alone))


def told(facts: Changed) -> Iterator[str]:
    """One line for each file of the side that changes, and one for each that goes with it."""
    yield from facts.touched
    yield from (f"with {path}" for path in facts.with_it)
