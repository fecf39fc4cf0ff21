"""What a change did to one side alone, counted in units: for the reader who wants to know how much moved where."""

from collections import Counter

from consistency_bot.judge.quads import SideVersions
from consistency_bot.model import UnitsChanged
from consistency_bot.syntax import Definition


def units_changed(side: SideVersions) -> UnitsChanged:
    """How many units the side has at head that base had not, and the other way round; all 0 where it says the same.

    A unit that went and one of the same concept that came, in one function, are one changed unit. Only functions whose
    text differs are looked at, and those have been read already by whoever judged the side.
    """
    added = changed = removed = 0
    for base, head in side.versions():
        if side.has_changed(base, head):
            before, after = _bag(base), _bag(head)
            gone, new = _by_concept(before - after), _by_concept(after - before)
            both = (gone & new).total()
            changed += both
            added += new.total() - both
            removed += gone.total() - both
    return UnitsChanged(added, changed, removed)


def _bag(definition: Definition | None) -> Counter[tuple[str, object]]:
    units = definition.units if definition is not None else []
    return Counter((unit.concept, unit.terms) for unit in units)


def _by_concept(bag: Counter[tuple[str, object]]) -> Counter[str]:
    out: Counter[str] = Counter()
    for (concept, _), count in bag.items():
        out[concept] += count
    return out
