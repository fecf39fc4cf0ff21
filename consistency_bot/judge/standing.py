"""What differed before and differs still: listed with `--all`, never blamed."""

from msgspec.structs import replace

from consistency_bot.judge.differing import Differing, differing_in
from consistency_bot.judge.marks import Part
from consistency_bot.judge.places import opening_of
from consistency_bot.judge.quads import SideVersions, one_names, pair_sides
from consistency_bot.judge.sentences import where
from consistency_bot.judge.speech import Speech
from consistency_bot.judge.versions import Half
from consistency_bot.model import Place, Twins


class Standing:
    """The units of one function in which the sides differ at head as they did at base."""

    __slots__ = ("changed", "counterpart", "message", "terms")

    def __init__(self, changed: Place, counterpart: Place, terms: tuple[object, ...], count: int) -> None:
        self.changed = changed
        self.counterpart = counterpart
        self.terms = terms
        self.message = (
            f"{count} unit{'s differ' if count > 1 else ' differs'} as before between {changed.side} in {where(changed)} "
            f"and {counterpart.side} in {where(counterpart)}."
        )


def standing_of(twins: Twins, a: SideVersions, b: SideVersions) -> tuple[list[Standing], list[Differing], int, int]:
    """(standing differences by function, every differing unit, units of both sides at head, those with a partner)."""
    one_name = one_names(twins)
    pairing = pair_sides(a, b, one_name)
    speech = Speech(a, b, one_name, pairing.at_head.pairs).learning_from(pairing.quads)
    out: list[Standing] = []
    differing: list[Differing] = []
    units = agreeing = 0
    for part in speech.parts(pairing.quads):
        left, right = part.a.head, part.b.head
        units += len(left.units) + len(right.units)
        agreeing += 2 * sum(min(left.count(terms), right.count(terms)) for terms in left.places)
        differing.extend(differing_in(part))
        terms, count = _standing_in(part)
        if count and left.definition is not None and right.definition is not None:
            out.append(Standing(_first_line_of(part.a), _first_line_of(part.b), terms, count))
    return out, differing, units, agreeing


def _first_line_of(half: Half) -> Place:
    """The line that opens the definition; of what is in none, the first of the file."""
    opening = opening_of(half)
    return replace(opening, end_line=opening.line)


def _standing_in(part: Part) -> tuple[tuple[object, ...], int]:
    """What one side says more often than the other at base and at head, and how many units that are."""
    said: list[object] = []
    count = 0
    for terms in dict.fromkeys((*part.a.head.places, *part.b.head.places)):
        before = part.a.base.count(terms) - part.b.base.count(terms)
        after = part.a.head.count(terms) - part.b.head.count(terms)
        if before * after > 0:
            said.append(terms)
            count += min(abs(before), abs(after))
    return tuple(said), count
