"""The entries of `patches` as values."""

from collections.abc import Iterator
from datetime import date

from consistency_bot.model import Patch
from consistency_bot.paths import split_symbol
from consistency_bot.rules.places import Spot
from consistency_bot.rules.schema import RulesFile


def patches_of(decoded: RulesFile, top: Spot, left: frozenset[str] | None) -> Iterator[Patch]:
    """The patches in the order of the file. `left` are those that head's own file still has; None for all of them."""
    for name, entry in decoded.patches.items():
        path, symbol = split_symbol(entry.function)
        yield Patch(
            id=name,
            path=path,
            symbol=symbol,
            needed=entry.needed,
            upstream=entry.upstream or "",
            test=entry.test or "",
            mode=entry.mode,
            expires=date.fromisoformat(entry.expires) if entry.expires is not None else None,
            line=top.keys["patches"].keys[name].line,
            dropped_by_head=left is not None and name not in left,
            probe=entry.probe,
            smoke=entry.smoke,
        )
