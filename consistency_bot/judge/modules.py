"""Calls of another module's function of the same name: `codec.convert` where both sides said `legacy.convert`.

Where a name comes from says nothing by itself (`np.load`, `numpy.load`, an imported `load`), so that terms have no modules
in them. But a statement that both sides took from one module, and one of them takes from another now, has changed.
"""

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from consistency_bot.align.translation import plain_name
from consistency_bot.judge.imports import is_another, is_of_its_own_half, is_told_otherwise
from consistency_bot.judge.marks import Mark, Part
from consistency_bot.judge.notices import Notice
from consistency_bot.judge.places import at, counterpart_of
from consistency_bot.judge.snippets import snippet
from consistency_bot.judge.versions import Half, Version, called_by
from consistency_bot.syntax import Terms

_OWNER = re.compile(rb"(?<![\w.])([^\W\d]\w*(?:\.[a-z]\w*)*)\.")
"""What is written before the last dot: `os.path` of `os.path.join`, as far as terms leave it out."""

_CALLED = re.compile(rb"(?<![\w.])([^\W\d]\w*)\(")
"""What is called by one name, as a function that was imported from its module is."""

_GLUED = re.compile(r"(?:return|raise|yield|await|assert|not|elif|if|while|with|and|or|else|in)+(?=\w)")
"""Words that stand before a name without the white space that parted them."""

_STRING = re.compile(rb"""("{3}|'{3}|["'])(?:[^\\]|\\.?)*?(?:\1|\Z)""", re.DOTALL)
"""What a string says of a module takes nothing from it."""

_LOOKED_AT = 100
"""So many calls of one thing are looked at."""


def moved_modules_in(part: Part) -> Iterator[Notice]:
    """At most one notice for each side of a part that says the same words of another module now."""
    for half, other in ((part.a, part.b), (part.b, part.a)):
        if half.base is half.head or half.base.definition is None or half.head.definition is None:
            continue
        base, head, there = (_Taken(each) for each in (half.base, half.head, other.head))
        for terms, places in half.head.places.items():
            before = half.base.places.get(terms, ())
            if len(before) != len(places) or _stand_in_one_text(half, before, places):
                continue
            if base.owners_of(before) != head.owners_of(places):
                notice = _told(part, half, other, terms, (base, head, there))
                if notice is not None:
                    yield notice
                    break


def _stand_in_one_text(half: Half, before: Sequence[int], places: Sequence[int]) -> bool:
    """Whether statements of the same text have these units at base and at head, as nearly everywhere."""
    return all(half.base.raw_of(was) == half.head.raw_of(now) for was, now in zip(before, places, strict=True))


def _told(part: Part, half: Half, other: Half, terms: Terms, taken: "tuple[_Taken, _Taken, _Taken]") -> Notice | None:
    base, head, there = taken
    was, now = base.modules_of(terms), head.modules_of(terms)
    old, new = (frozenset().union(*bag) for bag in (was - now, now - was))
    gone, came = old - new, new - old
    if len(gone) != 1 or len(came) != 1 or not is_another(_plain(*gone), _plain(*came)):
        return None
    mine, theirs, was_in = half.head.definition, other.definition, half.base.definition
    if mine is None or theirs is None or was_in is None:
        return None
    if is_of_its_own_half(min(gone), min(came), mine.path, theirs.path):
        return None
    if is_told_otherwise(min(gone), was_in.path, min(came), mine.path):
        return None
    if sum(there.modules_of(terms)[each] for each in now - was) >= sum((now - was).values()):
        return None  # it went the same way
    index = next(each for each in half.head.places[terms] if came <= head.modules(each))
    partner = part.opposite(half, index)
    partners = [partner] if partner is not None else _calling_the_same(terms, other.head)
    partner = next((each for each in partners if gone <= (said := there.modules(each)) and not came <= said), None)
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


def _calling_the_same(terms: Terms, version: Version) -> Sequence[int]:
    """Where another version calls what the unit calls, with arguments of its own; of many such places the first ones."""
    called = called_by(terms)
    return version.calls.get(called, [])[:_LOOKED_AT] if called else []


class _Taken:
    """What the statements of one version take something from; each is looked at once, however many units it has."""

    def __init__(self, version: Version) -> None:
        self._version = version
        self._owners: dict[int, frozenset[str]] = {}
        self._modules: dict[int, frozenset[str]] = {}

    def owners_of(self, places: Iterable[int]) -> Counter[frozenset[str]]:
        """What is written before a dot in the statements of some units."""
        return Counter(map(self._owners_at, places))

    def modules_of(self, terms: Terms) -> Counter[frozenset[str]]:
        """From what the version takes something where it says these words."""
        return Counter(map(self.modules, self._version.places.get(terms, ())))

    def modules(self, index: int) -> frozenset[str]:
        """The full names of what has an attribute read in a unit's statement, or offers what is called by its own name."""
        statement = self._version.units[index].statement
        found = self._modules.get(statement)
        if found is None:
            known, bound = self._known, self._version.bound
            owners = (_full(owner, known, bound) for owner in self._owners_at(index))
            called = (_full(name.decode(), known, bound) for name in _CALLED.findall(self._code_at(index)))
            found = self._modules[statement] = frozenset(filter(None, (*owners, *map(_home, called))))
        return found

    @property
    def _known(self) -> dict[str, str]:
        definition = self._version.definition
        return definition.source.imported if definition is not None else {}

    def _owners_at(self, index: int) -> frozenset[str]:
        """The names in a unit's statement of which an attribute is read, dotted ones as they are written."""
        statement = self._version.units[index].statement
        found = self._owners.get(statement)
        if found is None:
            words = _OWNER.findall(self._code_at(index))
            found = self._owners[statement] = frozenset(name.decode() for name in words)
        return found

    def _code_at(self, index: int) -> bytes:
        """A unit's statement without what its strings say, on one line."""
        return _STRING.sub(b"''", self._version.raw_of(index)).replace(b"\\", b"")


def _home(full: str) -> str:
    """The module that something was imported from; a relative one keeps its dots. Empty where nothing was."""
    home, dot, _ = full.rpartition(".")
    return home + dot if home.endswith(".") or not home else home


def _full(owner: str, known: Mapping[str, str], bound: Container[str]) -> str:
    """The full dotted name of what is written before a dot; empty where no import says what it is."""
    name, dot, rest = owner.partition(".")
    if name not in known and (glued := _GLUED.match(name)) is not None:
        name = name[glued.end() :]
    return f"{known[name]}{dot}{rest}" if name in known and name not in bound else ""


def _plain(dotted: str) -> str:
    """A module's name without what marks it as asynchronous."""
    return ".".join(map(plain_name, dotted.split(".")))
