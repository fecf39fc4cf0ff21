"""Private names that one side only renamed: nobody outside the side can tell, so it is agreement.

A public name is another matter: who calls it by the old one has lost it.
"""

from collections.abc import Iterable, Iterator

from consistency_bot.align.renames import Renames, core, flat
from consistency_bot.align.translation import PLAIN
from consistency_bot.align.variables import bindings
from consistency_bot.judge.quads import SideVersions
from consistency_bot.paths import is_python
from consistency_bot.syntax import Definition

_Words = frozenset[bytes]


def renamed_private_names(side: SideVersions, base: _Words, head: _Words, other: _Words) -> dict[str, str]:
    """{name at head: name at base} of what the side itself binds and only calls otherwise now. Empty for most changes.

    `base` and `head` are the side's words, `other` those of the other side at both: the old name is gone from the whole
    side, and the new one is new to everybody.
    """
    gone, new = _private(base - head), _private(head - base - other)
    if not gone or not new:
        return {}
    found = {name: old for name, old in _renames(side, gone, new).items() if name in new and old in gone}
    if not found:
        return {}
    before, after = _bound(side.base), _bound(side.head)
    return {
        name: old for name, old in found.items() if old in before and name in after and _is_one_thing(side, old, name)
    }


def is_private(name: str) -> bool:
    """Whether a name is nobody's business outside its own side: `_name` and `__name`, but not `_` nor `__name__`."""
    return name.startswith("_") and name.strip("_") != "" and not name.endswith("__")


def is_public(name: str) -> bool:
    """Whether anybody may call a function of this name: `name` and `__name__`."""
    return not name.startswith("_") or name.endswith("__")


def _private(words: Iterable[bytes]) -> set[str]:
    return {name for name in (word.decode() for word in words if word[:1] == b"_") if is_private(name)}


def _renames(side: SideVersions, gone: set[str], new: set[str]) -> dict[str, str]:
    """What the definitions are called, and what their statements of one shape vote for."""
    votes = Renames()
    named: dict[str, str] = {}
    for before, after in side.own.pairs.items():
        if is_python(before.path) and is_python(after.path) and side.has_changed(before, after):
            votes.watch(before.units, after.units, (PLAIN, PLAIN))
            if before.name != after.name:
                named[after.name] = before.name
    return {**votes.settled((), ()), **named}


def _bound(definitions: Iterable[Definition]) -> set[str]:
    """The names that a side gives itself: of definitions, attributes and variables. What it only uses may be anything."""
    names = set()
    for each in definitions:
        names.add(each.name)
        names.update(bindings((unit, unit.terms) for unit in each.units))
        for unit in each.units:
            names.update(_attributes(flat(unit.terms)) if "assignment" in unit.concept else ())
    return names


def _attributes(tokens: Iterable[str]) -> Iterator[str]:
    """The attributes in an assignment's left side."""
    for token in tokens:
        if token == "=":
            return
        if token[0] == ".":
            yield core(token)


def _is_one_thing(side: SideVersions, old: str, new: str) -> bool:
    """Whether a function or class of the old name is the one of the new name, where either is one."""
    before = [each for each in side.base if each.name == old]
    after = {each for each in side.head if each.name == new}
    if len(before) != len(after):
        return False
    return all(side.own.pairs.get(each) in after for each in before) or _say_the_same(before, after)


def _say_the_same(before: Iterable[Definition], after: Iterable[Definition]) -> bool:
    """Functions too small to be paired by what they say, but for their names the very same."""
    said = [sorted(repr([unit.terms for unit in each.units]) for each in some) for some in (before, after)]
    return said[0] == said[1]
