"""What the schema knows and `check` does not do yet. The issue that builds one of these deletes its line."""

from collections.abc import Callable, Iterator
from typing import get_args

from consistency_bot.rules.places import Path, Problem, Spot
from consistency_bot.rules.schema import AnyRule


def _is_given(_: Spot) -> bool:
    return True


def _has_kind_to_come(spot: Spot) -> bool:
    from consistency_bot.facts import KINDS  # only files with rules pay for it

    check = spot.keys.get("check")
    known = {rule.__struct_config__.tag for rule in get_args(AnyRule)}
    return check is not None and check.text in known and check.text not in KINDS


_ANY = "*"
_NOT_BUILT: tuple[tuple[Path, Callable[[Spot], bool], str], ...] = (
    (("rules", _ANY), _has_kind_to_come, "a rule with `check: KIND`"),
    (("smoke", _ANY), _is_given, "`smoke`"),
)


def find_not_built(top: Spot) -> Iterator[Problem]:
    """One problem for each place that asks for something of a later version."""
    for pattern, is_asked, feature in _NOT_BUILT:
        for path, spot in _matches(top, pattern, ()):
            if is_asked(spot):
                kind = spot.keys["check"].text if pattern[0] == "rules" else "KIND"
                what = f"{feature.replace('KIND', kind)} is not built yet: leave it out until a later consistency-bot"
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
