"""All that one side says about attention backends at one revision."""

from collections.abc import Mapping, Sequence

import msgspec

from consistency_bot.facts.conditions import exits
from consistency_bot.facts.conditions.calls import SideCode
from consistency_bot.facts.conditions.formulas import FALSE, Formula, conjunction, disjunction
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.facts.sdpa.callers import Callers
from consistency_bot.facts.sdpa.contexts import Contexts, Stretch
from consistency_bot.facts.sdpa.switches import Asked, Handed, Switch
from consistency_bot.syntax import Definition

ARGUMENT = "sdpa_method"
"""The argument that is looked at without being named in a rule (NeMo Automodel's `from_pretrained`)."""
_IMPLEMENTATION = ("attn_implementation", "_attn_implementation")


class SaidOfSide(msgspec.Struct, frozen=True):
    """What the code of a side says: contexts, arguments, attention implementations, switches.

    `recomputed` is the condition under which the forward pass runs again while the loss goes backward, None where
    nothing tells. `refused` are the conditions under which a function that any of this stands in raises. `names` are
    the names of values, by their paths. `home` is where a choice would go on a side that makes none.
    """

    stretches: tuple[Stretch, ...]
    arguments: tuple[Handed, ...]
    implementations: tuple[Handed, ...]
    switches: tuple[Switch, ...]
    recomputed: Formula | None
    refused: tuple[Formula, ...]
    names: Mapping[tuple[str, ...], frozenset[str]]
    home: Definition | None


def read_side(definitions: Sequence[Definition], arguments: Sequence[str]) -> SaidOfSide:
    """What the definitions of a side say; `arguments` are names beside `sdpa_method` that hand over backends."""
    reader = Reader(SideCode(definitions))
    callers = Callers(reader)
    asked = Asked(reader, callers)
    contexts = Contexts(reader, callers)
    stretches = contexts.stretches() or contexts.offered()
    handed = tuple(asked.handed((ARGUMENT, *arguments)))
    implementations = tuple(asked.handed(_IMPLEMENTATION))
    switches = tuple(asked.switches())
    needs_recomputed = bool(handed) or any(each.backward != each.forward for each in stretches)
    recomputed = list(asked.recomputed()) if needs_recomputed else []
    homes = [layer.definition for each in stretches for layer in each.forward]
    homes += [each.definition for each in (*handed, *implementations)] + [each.definition for each in switches]
    return SaidOfSide(
        tuple(stretches),
        handed,
        implementations,
        switches,
        disjunction(recomputed) if recomputed else None,
        tuple(_refused(reader, callers, homes, definitions)),
        {path: frozenset(names) for path, names in reader.names.items()},
        next(iter(definitions), None),
    )


def _refused(
    reader: Reader, callers: Callers, homes: Sequence[Definition], definitions: Sequence[Definition]
) -> list[Formula]:
    """What raises in the functions that choose, in those that call them, and in what these call on the way."""
    starts = {id(each): each for each in homes if each.kind == "function"}
    for each in list(starts.values()):
        starts.update((id(site.definition), site.definition) for site in callers.calls_of(each))
    nearby = dict(starts)
    for each in definitions:
        is_near = each.kind == "function" and id(each) not in nearby and b"raise" in each.text
        if is_near and any(id(site.definition) in starts for site in callers.calls_of(each)):
            nearby[id(each)] = each
    constructors = (each for each in definitions if each.name == "__init__" and id(each) not in nearby)
    owners = {each.owner for each in starts.values() if each.owner}
    nearby.update((id(each), each) for each in constructors if each.owner in owners)
    out: list[Formula] = []
    for each in nearby.values():
        for frame, condition in callers.entered(each):
            out.extend(conjunction([condition, raises]) for _, raises in exits.refused(reader, frame))
    return [each for each in out if each is not FALSE]
