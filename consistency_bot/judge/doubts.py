"""Doubts about two sides that stood before the change, in the words that it gives them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from consistency_bot.facts.asking import Breach
from consistency_bot.model import Place

_TOKEN = re.compile(r"\w+|[^\w\s]")
_Change = tuple[frozenset[str], frozenset[str]]


def still_open(gone: Iterable[Breach], new: Iterable[Breach]) -> Iterator[Breach]:
    """Those of the new breaches that are a doubt of base once more, since the change says the same on both of its sides.

    Whoever edits twins alike makes nothing less certain: what could not be shown before is no news. Every doubt of base
    stands for one at head.
    """
    left = [each for each in gone if each.doubt and each.between]
    for each in new:
        same = next((other for other in left if each.doubt and _is_same_doubt(other, each)), None)
        if same is not None:
            left.remove(same)
            yield each


def _is_same_doubt(base: Breach, head: Breach) -> bool:
    """Whether they are about the same functions, doubted for one reason, and both sides change by the same words."""
    (mine, theirs), (mine_now, theirs_now) = _sides(base), _sides(head)
    return (
        (base.side, base.doubt, base.between) == (head.side, head.doubt, head.between)
        and _functions(base.place, base.counterpart) == _functions(head.place, head.counterpart)
        and _change(mine, mine_now) == _change(theirs, theirs_now)
    )


def _sides(breach: Breach) -> tuple[Sequence[str], Sequence[str]]:
    """The words of either side: the last that a breach says is what the other one has."""
    *mine, theirs = breach.said or ("",)
    return _TOKEN.findall(" ".join([breach.what, *mine])), _TOKEN.findall(theirs)


def _functions(*places: Place | None) -> list[tuple[str, str | None] | None]:
    return [(each.path, each.function) if each is not None else None for each in places]


def _change(before: Sequence[str], now: Sequence[str]) -> _Change:
    """The words that go and those that come."""
    old, new = Counter(before), Counter(now)
    return frozenset(old - new), frozenset(new - old)
