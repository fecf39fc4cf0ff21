"""Statements that both sides have, in functions that are no counterparts of each other."""

from collections.abc import Sequence

from consistency_bot.judge.marks import mates_at
from consistency_bot.judge.pools import Pool, Spot
from consistency_bot.judge.versions import Half

_FEW = 50
"""What is said in more places than these says little about where an addition belongs."""

_SAYS_ENOUGH = 3
_SHARE = 2 / 3
"""So many units of a statement, and so large a share of them, make it the same one in another function."""


def far_statement(half: Half, index: int, mine: Pool, theirs: Pool) -> Spot | None:
    """A statement of the other side that says most of what the one of an addition said before.

    For an argument it is enough that both sides make one such call each and pass most of what has a name alike. Some unit of it; None
    where there is none, or where so little is said alike that it may be any. The pools are what each side says outside
    its counterparts.
    """
    mates = mates_at(half, index)
    found: dict[tuple[int, int], list[Spot]] = {}
    for mate in mates:
        spots = theirs.spots_of(half.head.keys[mate])
        for spot in spots if len(spots) <= _FEW else ():
            found.setdefault((id(spot.version), spot.statement), []).append(spot)
    best = max(found.values(), key=len, default=[])
    if len(best) >= max(_SAYS_ENOUGH, _SHARE * len(mates)):
        return best[0]
    return _only_call(half, index, best, mine, theirs)


def _only_call(half: Half, index: int, best: Sequence[Spot], mine: Pool, theirs: Pool) -> Spot | None:
    """The call of the other side, where it is the only one of its name there, and the addition's the only one here."""
    callee = half.head.keys[index][0]
    if half.head.units[index].concept != "argument":
        return None
    calls = [spot for spot in best if spot.version.keys[spot.index][0] == callee]
    named = [mate for mate in mates_at(half, index) if half.head.units[mate].concept == "argument"]
    is_only = all(len(pool.statements_calling(callee)) == 1 for pool in (mine, theirs))
    return calls[0] if calls and is_only and len(calls) >= _SHARE * len(named) else None
