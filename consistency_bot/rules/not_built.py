"""What the schema knows and `check` does not do yet. The issue that builds one of these deletes its line."""

from collections.abc import Callable, Iterator

from consistency_bot.rules.places import Path, Problem, Spot


def _is_given(_: Spot) -> bool:
    return True


_ANY = "*"
_NOT_BUILT: tuple[tuple[Path, Callable[[Spot], bool], str], ...] = ((("smoke", _ANY), _is_given, "`smoke`"),)


def find_not_built(top: Spot) -> Iterator[Problem]:
    """One problem for each place that asks for something of a later version."""
    for pattern, is_asked, feature in _NOT_BUILT:
        for path, spot in _matches(top, pattern, ()):
            if is_asked(spot):
                what = f"{feature} is not built yet: leave it out until a later consistency-bot"
                yield Problem(spot.line, what, path=path)


def _matches(spot: Spot, pattern: Path, path: Path) -> Iterator[tuple[Path, Spot]]:
    if len(path) == len(pattern):
        yield path, spot
        return
    wanted = pattern[len(path)]
    children: list[tuple[str | int, Spot]] = [*spot.keys.items(), *enumerate(spot.items)]
    for key, child in children:
        if wanted in (_ANY, key):
            yield from _matches(child, pattern, (*path, key))
