"""Functions that went on under another name, while their own name stays for something else."""

from collections import Counter
from collections.abc import Callable

from consistency_bot.align.definitions import Pairing
from consistency_bot.align.likeness import common_share
from consistency_bot.syntax import Definition

_MIN_LINES = 5
"""Below this size a function is known by its name only: little text is alike by accident."""

_SAME = 0.8
_UNLIKE = 0.5
"""So many of their lines two functions share where one is the other under another name, and so few where not."""

_MOST_NEW = 50
"""Where more functions than these are new nobody kept an old name for a while."""


def pair_moved_on(pairing: Pairing, changed: Callable[[Definition, Definition], bool]) -> None:
    """Of two revisions: pairs a function with the new one that says what it said, where its name went to something else.

    `query_one` became `query_single`, and what is called `query_one` now only warns and calls it. `changed` tells which
    pairs are asked. Lines are compared as they are written, so that no body has to be read for it.
    """
    new = [each for each in pairing.right if each.kind == "function" and each not in pairing.back]
    if not new or len(new) > _MOST_NEW:
        return
    lines = {each: found for each in new if (found := _lines_of(each)).total() >= _MIN_LINES}
    for old, namesake in list(pairing.pairs.items()):
        if not lines or old.kind != "function" or not changed(old, namesake):
            continue
        said = _lines_of(old)
        near = [each for each in lines if each.owner == old.owner and common_share(said, lines[each]) >= _SAME]
        if near and said.total() >= _MIN_LINES and common_share(said, _lines_of(namesake)) < _UNLIKE:
            best = max(near, key=lambda each: common_share(said, lines[each]))
            del pairing.back[namesake], lines[best]
            pairing.pairs[old] = best
            pairing.back[best] = old


def _lines_of(function: Definition) -> Counter[bytes]:
    """The lines behind the first one, which has the name."""
    return Counter(line for line in map(bytes.strip, function.text.splitlines()[1:]) if line)
