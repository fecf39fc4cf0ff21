"""The order of effects: what one side now does before something else that it did after it, and the other still does."""

from collections.abc import Iterator
from itertools import pairwise

from consistency_bot.judge.catching_up import is_message_unit
from consistency_bot.judge.marks import EFFECTS, Mark, Part
from consistency_bot.judge.notices import Notice
from consistency_bot.judge.places import at, counterpart_of
from consistency_bot.judge.snippets import snippet
from consistency_bot.judge.versions import Half, Version
from consistency_bot.model import Verdict
from consistency_bot.syntax import Terms, Unit

_EFFECTS = EFFECTS | {"guard"}


def reordered_in(part: Part) -> Iterator[Notice]:
    """At most one notice for each side of a part.

    Whether the order matters nobody can tell from the text; but where a call went past a `return`, it is made in
    other cases now, and that is drift.
    """
    if not part.is_whole:
        return
    for half, other in ((part.a, part.b), (part.b, part.a)):
        if half.base is half.head or half.base.definition is None or other.base.definition is None:
            continue
        pair = _turned_round(half, other)
        if pair is not None:
            yield _notice(part, half, other, *pair)


def _turned_round(half: Half, other: Half) -> tuple[int, int] | None:
    """Two effects, by index at head, that stood the other way round at base and still do on the other side."""
    base, head = half.base, half.head
    if not any(head.keys[index] in base.places for index in half.at_head):
        return None  # what is new has not moved
    effects = [index for index in range(len(head.keys)) if _is_lone_effect(index, base, head, other)]
    for first, second in pairwise(effects):  # where any two changed places, two neighbours did
        if head.units[first].statement == head.units[second].statement:
            continue
        was, there = ([each.places[head.keys[index]][0] for index in (first, second)] for each in (base, other.head))
        if was[0] > was[1] and there[0] > there[1]:
            return first, second
    return None


def _went_past_a_return(half: Half, first: int, second: int) -> bool:
    """Whether the one of two effects that moved is a call that now stands behind more `return`s, or fewer, and none is new."""
    base, head = half.base, half.head
    index = first if first in half.at_head else second
    if head.units[index].concept != "call" or is_message_unit(head.units[index]):
        return False
    before, after = _returns(base), _returns(head)
    if sorted(before.values(), key=repr) != sorted(after.values(), key=repr):
        return False
    was = base.places[head.keys[index]][0]
    return sum(1 for at in before if at < was) != sum(1 for at in after if at < index)


def _returns(version: Version) -> dict[int, Terms]:
    """What returns from the function, by index; who raises an error seldom cares for what was done before."""
    return {index: version.keys[index] for index, unit in enumerate(version.units) if unit.concept == "return"}


def _is_lone_effect(index: int, base: Version, head: Version, other: Half) -> bool:
    """Whether a unit does something, and everybody says it exactly once."""
    terms = head.keys[index]
    counts = {base.count(terms), head.count(terms), other.base.count(terms), other.head.count(terms)}
    return counts == {1} and _is_effect(head.units[index])


def _is_effect(unit: Unit) -> bool:
    if unit.concept == "assignment":
        return len(unit.terms) > 1 and unit.terms[1] != "="  # to an attribute or an element
    return unit.concept in _EFFECTS


def _notice(part: Part, half: Half, other: Half, first: int, second: int) -> Notice:
    mark, after = (Mark(part, half, other, index, False, "missed") for index in (first, second))
    mark.partner = other.head.places[mark.terms][0]
    changed, counterpart = at(half, mark.unit.line, after.unit.end_line), counterpart_of(mark)
    there = "the other side" if counterpart is None else counterpart.side
    where = "" if counterpart is None else f" ({counterpart.path}:{counterpart.line})"
    there = f"{there} still does it the other way round{where}"
    verdict: Verdict = "missed" if _went_past_a_return(half, first, second) else "undecided"
    means = "A `return` stands between" if verdict == "missed" else "Whether the order matters cannot be told"
    message = (
        f"{changed.side} now has `{snippet(mark)}` before `{snippet(after)}` in `{changed.function or 'the module'}` "
        f"({changed.path}:{changed.line}); {there}. {means}."
    )
    return Notice(verdict, "order", (mark.terms, after.terms), changed, counterpart, message)
