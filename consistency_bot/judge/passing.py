"""How a function's parameters may be passed: in which order, and whether by position, by keyword or by both.

The units of a signature say which parameters there are. That one of them takes keywords only since a change, or that two
changed places, is in none of them, and breaks whoever calls both sides alike.
"""

from collections.abc import Iterator, Mapping

from consistency_bot.judge.marks import Part
from consistency_bot.judge.notices import Notice
from consistency_bot.judge.places import opening_of
from consistency_bot.judge.private_names import is_public
from consistency_bot.judge.versions import Half, Version
from consistency_bot.model import Verdict
from consistency_bot.syntax import Terms, Unit

_HOW = {"": "by position or keyword", "keyword": "by keyword only", "position": "by position only"}


def repassed_in(part: Part) -> Iterator[Notice]:
    """At most one finding for a part: parameters that both sides have and took alike before this change, and no more do.

    Nothing for functions that only their own side calls, which are in step with their callers.
    """
    four = (part.a.base, part.a.head, part.b.base, part.b.head)
    if not all(each.definition is not None and each.definition.kind == "function" for each in four):
        return
    halves = [half for half in (part.a, part.b) if _may_be_passed_otherwise(half)]
    if not halves or not all(map(_is_called_from_outside, (part.a, part.b))):
        return
    ways = [_ways(each) for each in four]
    common = [name for name in ways[0] if all(name in each for each in ways)]
    for told in (_told_apart(ways, common), _told_in_order(ways, common)):
        if told is not None:
            name, here, there = told
            verdict: Verdict = "diverged" if len(halves) > 1 else "missed"
            half = halves[0]
            yield _notice(part, half, verdict, name, *((here, there) if half is part.a else (there, here)))
            return


def _may_be_passed_otherwise(half: Half) -> bool:
    """Whether parameters that stayed changed places, or some may be passed in one way only, as far as the text tells."""
    if half.base is half.head or (was := _signature(half.base)) == (now := _signature(half.head)):
        return False
    names = [[key for unit, key in _parameters(each)] for each in (half.base, half.head)]
    both = frozenset(names[0]).intersection(names[1])
    kept = [[key for key in each if key in both] for each in names]
    return kept[0] != kept[1] or any(sign in each for each in (was, now) for sign in (b"*", b"/"))


def _signature(version: Version) -> bytes:
    """The text of the parameters, without white space and `**`."""
    first = next((unit for unit, _ in _parameters(version)), None)
    return version.statements[first.statement].raw.replace(b"**", b"") if first is not None else b""


def _parameters(version: Version) -> Iterator[tuple[Unit, Terms]]:
    """The units of the parameters, and what each says."""
    for unit, key in zip(version.units, version.keys, strict=True):
        if unit.concept == "parameter" and len(key) == 3:
            yield unit, key


def _is_called_from_outside(half: Half) -> bool:
    definition = half.definition
    return definition is not None and is_public(definition.name)


def _ways(version: Version) -> dict[str, str]:
    """How each parameter may be passed, by its name in the common words and in order; those for what is left over aside."""
    if version.definition is None:
        return {}
    said = {unit.terms[1]: key[1] for unit, key in _parameters(version)}
    every = version.definition.flow.parameters
    return {str(said[each.name]): each.only for each in every if not each.stars and each.name in said}


def _told_apart(ways: list[dict[str, str]], common: list[str]) -> tuple[str, str, str] | None:
    """A parameter that the sides take in different ways at head and did not at base, and what each side says."""
    a0, a1, b0, b1 = ways
    name = next((each for each in common if a0[each] == b0[each] and a1[each] != b1[each]), None)
    return (name, _HOW[a1[name]], _HOW[b1[name]]) if name is not None else None


def _told_in_order(ways: list[dict[str, str]], common: list[str]) -> tuple[str, str, str] | None:
    """A parameter with another one before it than on the other side, where both had one order before."""
    places = [each for each in common if all(way[each] != "keyword" for way in ways)]
    a0, a1, b0, b1 = (_in_order(way, places) for way in ways)
    if a0 != b0 or a1 == b1:
        return None
    index = next(at for at, (one, other) in enumerate(zip(a1, b1, strict=True)) if one != other)
    return a1[index], f"before `{b1[index]}`", f"after `{b1[index]}`"


def _in_order(way: Mapping[str, str], names: list[str]) -> list[str]:
    wanted = frozenset(names)
    return [name for name in way if name in wanted]


def _notice(part: Part, half: Half, verdict: Verdict, name: str, here: str, there: str) -> Notice:
    other = part.other(half)
    changed, counterpart = opening_of(half), opening_of(other)
    message = (
        f"{changed.side} takes `{name}` {here} in `{changed.function}` ({changed.path}:{changed.line}) since this change; "
        f"{counterpart.side} takes it {there} in `{counterpart.function}` ({counterpart.path}:{counterpart.line})."
    )
    return Notice(verdict, "signature", ("passed", name, here, there), changed, counterpart, message)
