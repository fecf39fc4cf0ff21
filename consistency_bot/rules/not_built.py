"""What the schema knows and `check` does not do yet. The issue that builds one of these deletes its line."""

from collections.abc import Callable, Iterator

from consistency_bot.rules.faults import fault_of_pattern
from consistency_bot.rules.places import Path, Problem, Spot


def _is_given(_: Spot) -> bool:
    return True


def _is_symbol(spot: Spot) -> bool:
    return "::" in spot.text and fault_of_pattern(spot.text) is None


def _has_capture(spot: Spot) -> bool:
    return "{" in spot.text and fault_of_pattern(spot.text) is None


_ANY = "*"
_NOT_BUILT: tuple[tuple[Path, Callable[[Spot], bool], str], ...] = (
    (("twins", _ANY, "sides", _ANY), _is_symbol, "a symbol as a side (`path.py::Symbol`)"),
    (("twins", _ANY, "sides", _ANY, _ANY), _is_symbol, "a symbol as a side (`path.py::Symbol`)"),
    (("twins", _ANY, "sides", _ANY), _has_capture, "a `{capture}` in a path"),
    (("twins", _ANY, "sides", _ANY, _ANY), _has_capture, "a `{capture}` in a path"),
    (("twins", _ANY, "comments"), lambda spot: spot.text == "compare", "`comments: compare`"),
    (("twins", _ANY, "status"), lambda spot: spot.text != "active", "a `status` other than `active`"),
    (("twins", _ANY, "expires"), _is_given, "`expires`"),
    (("patches", _ANY), _is_given, "`patches`"),
    (("smoke", _ANY), _is_given, "`smoke`"),
)


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
