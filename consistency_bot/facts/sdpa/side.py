"""All that one side says about attention backends at one revision."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.calls import SideCode
from consistency_bot.facts.conditions.formulas import Formula, atoms_of, disjunction
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.facts.sdpa.callers import Callers
from consistency_bot.facts.sdpa.refusals import Refusals
from consistency_bot.facts.sdpa.stretches import Stretch, Stretches
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

    def homes(self) -> list[Definition]:
        """The definitions in which a choice stands."""
        out = [layer.definition for each in self.stretches for layer in each.forward]
        out += [each.definition for each in (*self.arguments, *self.implementations)]
        out += [each.definition for each in self.switches]
        return list(dict.fromkeys(out))

    def formulas(self) -> Iterator[Formula]:
        """Every formula that the side's table is made of, what it refuses left out."""
        for stretch in self.stretches:
            yield stretch.condition
            for layer in stretch.forward:
                yield layer.condition
                yield from (guard for guard, _ in layer.given)
        for each in (*self.arguments, *self.implementations):
            yield each.condition
            yield from (guard for guard, _ in each.given)
        for switch in self.switches:
            yield switch.condition
            yield switch.on
        if self.recomputed is not None:
            yield self.recomputed


def read_side(
    definitions: Sequence[Definition], arguments: Sequence[str], words: frozenset[str] = frozenset()
) -> SaidOfSide:
    """What the definitions of a side say.

    `arguments` are names beside `sdpa_method` that hand over backends, `words` those of the conditions of a rule.
    """
    reader = Reader(SideCode(definitions))
    callers = Callers(reader)
    asked = Asked(reader, callers)
    stretches = Stretches(reader, callers).all()
    handed = tuple(asked.handed((ARGUMENT, *arguments)))
    needs_recomputed = bool(handed) or any(each.backward != each.forward for each in stretches)
    recomputed = list(asked.recomputed()) if needs_recomputed else []
    said = SaidOfSide(
        tuple(stretches),
        handed,
        tuple(asked.handed(_IMPLEMENTATION)),
        tuple(asked.switches()),
        disjunction(recomputed) if recomputed else None,
        (),
        {},
        next(iter(definitions), None),
    )
    asking = {each for formula in said.formulas() for each in atoms_of(formula) if isinstance(each, Atom)}
    known = {word for each in asking for word in (*each.path[-1:], *reader.names.get(each.path, ()))}
    refused = tuple(Refusals(reader, callers, words | known).near(said.homes()))
    names = {path: frozenset(given) for path, given in reader.names.items()}
    return msgspec.structs.replace(said, refused=refused, names=names)
