"""What differed before and differs still: listed with `--all`, never blamed."""

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from consistency_bot.judge.differing import Differing, differing_in
from consistency_bot.judge.marks import Part
from consistency_bot.judge.places import opening_of
from consistency_bot.judge.quads import SideVersions, one_names, pair_sides
from consistency_bot.judge.sentences import listed, where
from consistency_bot.judge.snippets import snippet_at
from consistency_bot.judge.speech import Speech
from consistency_bot.judge.versions import Half
from consistency_bot.model import Place, Twins
from consistency_bot.syntax import Terms


class Standing(NamedTuple):
    """What differs at head as it did at base: the units of one function, or the functions that one side alone has."""

    changed: Place
    counterpart: Place | None
    terms: tuple[object, ...]
    message: str


def standing_of(twins: Twins, a: SideVersions, b: SideVersions) -> tuple[list[Standing], list[Differing], int, int]:
    """(standing differences, every differing unit, units of both sides at head, those with a partner)."""
    one_name = one_names(twins)
    pairing = pair_sides(a, b, one_name)
    speech = Speech(a, b, one_name, pairing.at_head.pairs).learning_from(pairing.quads)
    out: list[Standing] = []
    alone: dict[str, list[Half]] = defaultdict(list)
    differing: list[Differing] = []
    units = agreeing = 0
    for part in speech.parts(pairing.quads):
        left, right = part.a.head, part.b.head
        units += len(left.units) + len(right.units)
        agreeing += 2 * sum(min(left.count(terms), right.count(terms)) for terms in left.places)
        differing.extend(differing_in(part))
        terms, count = _standing_in(part)
        if count and left.definition is not None and right.definition is not None:
            out.append(_differs(part, terms, count))
        for half, other in ((part.a, part.b), (part.b, part.a)):
            if _is_there(half) and other.head.definition is None and other.base.definition is None:
                alone[half.side.name].append(half)
    return out + [_has_alone(halves) for halves in alone.values()], differing, units, agreeing


def _is_there(half: Half) -> bool:
    """Whether it is a function or class, and was one: what a file says outside of them has no counterpart to be missed."""
    return half.base.definition is not None and half.head.definition is not None and bool(half.head.definition.qualname)


def _differs(part: Part, terms: tuple[Terms, ...], count: int) -> Standing:
    a, b = _first_line_of(part.a), _first_line_of(part.b)
    message = (
        f"{count} unit{'s differ' if count > 1 else ' differs'} as before between {a.side} in {where(a)} "
        f"and {b.side} in {where(b)}{_said_alone(part, terms)}."
    )
    return Standing(a, b, terms, message)


def _has_alone(halves: Sequence[Half]) -> Standing:
    """The functions and classes of one side that have no counterpart on the other, told together."""
    places = [_first_line_of(half) for half in halves]
    named = listed([where(place) for place in places])
    message = f"{places[0].side} alone has, as before, {named}: nothing on the other side plays that part."
    return Standing(places[0], None, tuple(place.function for place in places), message)


def _first_line_of(half: Half) -> Place:
    """The line that opens the definition; of what is in none, the first of the file."""
    opening = opening_of(half)
    return replace(opening, end_line=opening.line)


def _said_alone(part: Part, terms: Sequence[Terms]) -> str:
    """What each side says alone, by its source and line."""
    told = []
    for half, other in ((part.a, part.b), (part.b, part.a)):
        more = [each for each in terms if half.head.count(each) > other.head.count(each)]
        alone = sorted(index for each in more for index in half.head.places[each] if part.opposite(half, index) is None)
        quoted = (f"`{snippet_at(half.head, index)}` (line {half.head.units[index].line})" for index in alone)
        if found := listed(list(dict.fromkeys(quoted))):
            told.append(f"{half.side.name} alone says {found}")
    return f": {'; '.join(told)}" if told else ""


def _standing_in(part: Part) -> tuple[tuple[Terms, ...], int]:
    """What one side says more often than the other at base and at head, and how many units that are."""
    said: list[Terms] = []
    count = 0
    for terms in dict.fromkeys((*part.a.head.places, *part.b.head.places)):
        before = part.a.base.count(terms) - part.b.base.count(terms)
        after = part.a.head.count(terms) - part.b.head.count(terms)
        if before * after > 0:
            said.append(terms)
            count += min(abs(before), abs(after))
    return tuple(said), count
