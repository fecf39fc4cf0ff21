"""Calls of another module's function of the same name: `codec.convert` where both sides said `legacy.convert`.

Where a name comes from says nothing by itself (`np.load`, `numpy.load`, an imported `load`), so that terms have no modules
in them. But a statement that both sides took from one module, and one of them takes from another now, has changed.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from consistency_bot.align.translation import plain_name
from consistency_bot.judge.imports import is_another, is_of_its_own_half
from consistency_bot.judge.marks import Mark, Part
from consistency_bot.judge.notices import Notice
from consistency_bot.judge.places import at, counterpart_of
from consistency_bot.judge.snippets import snippet
from consistency_bot.judge.versions import Half, Version, called_by
from consistency_bot.syntax import Terms
from consistency_bot.syntax.imported import imported

_OWNER = re.compile(rb"(?<![\w.])([^\W\d]\w*)\.")


def moved_modules_in(part: Part) -> Iterator[Notice]:
    """At most one notice for each side of a part that says the same words of another module now."""
    for half, other in ((part.a, part.b), (part.b, part.a)):
        if half.base is half.head or half.base.definition is None or half.head.definition is None:
            continue
        for terms, places in half.head.places.items():
            before = half.base.places.get(terms, ())
            if len(before) == len(places) and _owners_of(half.base, before) != _owners_of(half.head, places):
                notice = _told(part, half, other, terms)
                if notice is not None:
                    yield notice
                    break


def _told(part: Part, half: Half, other: Half, terms: Terms) -> Notice | None:
    was, now = _modules_of(half.base, terms), _modules_of(half.head, terms)
    old, new = (frozenset().union(*bag) for bag in (was - now, now - was))
    gone, came = old - new, new - old
    if len(gone) != 1 or len(came) != 1 or not is_another(_plain(*gone), _plain(*came)):
        return None
    mine, theirs = half.head.definition, other.definition
    if mine is None or theirs is None or is_of_its_own_half(min(gone), min(came), mine.path, theirs.path):
        return None
    if sum(_modules_of(other.head, terms)[each] for each in now - was) >= sum((now - was).values()):
        return None  # it went the same way
    index = next(each for each in half.head.places[terms] if came <= _modules(half.head, each))
    partner = part.opposite(half, index)
    partners = [partner] if partner is not None else _calling_the_same(terms, other.head)
    partner = next(
        (each for each in partners if gone <= (there := _modules(other.head, each)) and not came <= there), None
    )
    if partner is None:
        return None
    mark = Mark(part, half, other, index, False, "missed")
    mark.partner = partner
    unit = mark.unit
    changed, counterpart = at(half, unit.line, unit.end_line), counterpart_of(mark)
    side = "the other side" if counterpart is None else counterpart.side
    where = "" if counterpart is None else f" ({counterpart.path}:{counterpart.line})"
    function = f"`{changed.function}`" if changed.function else "the module"
    message = (
        f"{changed.side} now takes `{snippet(mark)}` in {function} ({changed.path}:{changed.line}) from `{min(came)}` and no "
        f"longer from `{min(gone)}`; {side} still does{where}."
    )
    return Notice("missed", "import", ("of", min(gone), min(came), mark.terms), changed, counterpart, message)


def _plain(dotted: str) -> str:
    """A module's name without what marks it as asynchronous."""
    return ".".join(map(plain_name, dotted.split(".")))


def _owners_of(version: Version, places: Iterable[int]) -> Counter[frozenset[str]]:
    """What is written before a dot in some statements."""
    return Counter(_owners(version, index) for index in places)


def _modules_of(version: Version, terms: Terms) -> Counter[frozenset[str]]:
    """From what a version takes something where it says these words."""
    return Counter(_modules(version, index) for index in version.places.get(terms, ()))


def _calling_the_same(terms: Terms, version: Version) -> list[int]:
    """Where another version calls what the unit calls, with arguments of its own."""
    called = called_by(terms)
    return [index for index, key in enumerate(version.keys) if called_by(key) == called] if called else []


def _modules(version: Version, index: int) -> frozenset[str]:
    """What is imported and has an attribute read in a unit's statement, by its full name."""
    if version.definition is None:
        return frozenset()
    known = imported(version.definition.source)
    return frozenset(known[name] for name in _owners(version, index) if name in known and name not in version.bound)


def _owners(version: Version, index: int) -> frozenset[str]:
    """The names in a unit's statement of which an attribute is read."""
    return frozenset(name.decode() for name in _OWNER.findall(version.raw_of(index)))
