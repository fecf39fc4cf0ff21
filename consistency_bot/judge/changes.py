"""What a change did to one side alone, counted in units: for the reader who wants to know how much moved where."""

from collections import Counter
from collections.abc import Iterator

from consistency_bot.judge.quads import SideVersions
from consistency_bot.model import UnitsChanged
from consistency_bot.syntax import Definition, Terms


def units_changed(side: SideVersions) -> UnitsChanged:
    """How many units the side has at head that base had not, and the other way round; all 0 where it says the same.

    A unit that went and one of the same concept that came, in one function, are one changed unit. Only functions whose
    text differs are looked at, and those have been read already by whoever judged the side.
    """
    added = changed = removed = 0
    for base, head in side.versions():
        if side.has_changed(base, head):
            gone, new = _by_concept(base, head)
            both = (gone & new).total()
            changed += both
            added += new.total() - both
            removed += gone.total() - both
    return UnitsChanged(added, changed, removed)


def _by_concept(base: Definition | None, head: Definition | None) -> tuple[Counter[str], Counter[str]]:
    """How many units of each concept a definition lost, and how many it got."""
    more = Counter(_said(head))
    more.subtract(_said(base))
    gone: Counter[str] = Counter()
    new: Counter[str] = Counter()
    for (concept, _), count in more.items():
        if count:
            (new if count > 0 else gone)[concept] += abs(count)
    return gone, new


def _said(definition: Definition | None) -> Iterator[tuple[str, Terms]]:
    return ((unit.concept, unit.terms) for unit in (definition.units if definition is not None else ()))
