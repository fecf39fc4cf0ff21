"""Functions that went on under another name, while their own name stays for something else."""

from collections.abc import Callable

from consistency_bot.align.definitions import Pairing
from consistency_bot.align.likeness import bag_of, share_of
from consistency_bot.align.translation import PLAIN
from consistency_bot.syntax import Definition

_MIN_UNITS = 5
"""Below this size a function is known by its name only: little text is alike by accident."""

_SAME = 0.9
_UNLIKE = 0.5
"""So much of what two functions say is alike where one is the other under another name, and so little where not."""

_MOST_NEW = 50
"""Where more functions than these are new nobody kept an old name for a while."""


def pair_moved_on(pairing: Pairing, changed: Callable[[Definition, Definition], bool]) -> None:
    """Of two revisions: pairs a function with the new one that says what it said, where its name went to something else.

    `query_one` became `query_single`, and what is called `query_one` now only warns and calls it. `changed` tells which
    pairs are asked.
    """
    new = [each for each in pairing.right if each.kind == "function" and each not in pairing.back]
    if not new or len(new) > _MOST_NEW:
        return
    bags = {each: bag_of(each, PLAIN) for each in new if len(each.units) >= _MIN_UNITS}
    for old, namesake in list(pairing.pairs.items()):
        if old.kind != "function" or len(old.units) < _MIN_UNITS or not bags or not changed(old, namesake):
            continue
        said = bag_of(old, PLAIN)
        best = max(
            (each for each in bags if each.owner == old.owner),
            key=lambda each: share_of(said, bags[each]),
            default=None,
        )
        if best is None or share_of(said, bags[best]) < _SAME or share_of(said, bag_of(namesake, PLAIN)) >= _UNLIKE:
            continue
        del pairing.back[namesake], bags[best]
        pairing.pairs[old] = best
        pairing.back[best] = old
