"""Decision tables: for each combination of conditions, the backends that a side may choose."""

from collections.abc import Mapping, Sequence

import msgspec

from consistency_bot.facts.conditions.atoms import Atom, possible
from consistency_bot.facts.conditions.formulas import FALSE, Formula, Tables, atom, atoms_of, atoms_of_all, disjunction
from consistency_bot.facts.conditions.values import Choices, Items
from consistency_bot.facts.conditions.vocabulary import Vocabulary
from consistency_bot.facts.sdpa.backends import BACKENDS, UNKNOWN, backends_of, implementations_of
from consistency_bot.facts.sdpa.contexts import Layer
from consistency_bot.facts.sdpa.side import SaidOfSide
from consistency_bot.syntax import Definition

Masks = dict[str, int]
"""{backend: truth table of where it may be chosen}; `?` for where others may be, which cannot be told."""


class Source(msgspec.Struct, frozen=True):
    """A place in the code that decides some cells of a table, and why it cannot be read, if so.

    `handed` is where that is handed to PyTorch or to a model; the place itself may be where a list is written.
    """

    where: int
    definition: Definition
    line: int
    handed: tuple[Definition, int]
    doubt: str = ""


class Decided(msgspec.Struct, frozen=True):
    """The table of one side, as truth tables over common atoms.

    `forward` are the backends of the forward pass, `again` those of the one that is run again while the loss goes
    backward, where it is (`recomputed`). `handed` is where a list that is handed over as an argument decides, which
    counts for the forward pass alone. `attends` is where PyTorch chooses a backend at all, `refused` where the side
    raises, `default` what is left process-wide.
    """

    forward: Masks
    again: Masks
    recomputed: int
    handed: int
    attends: int
    refused: int
    default: Masks
    sources: tuple[Source, ...]

    def allowed(self, backend: str) -> int:
        """Where a backend may be chosen, in the forward pass or when it runs again."""
        return self.forward.get(backend, 0) | (self.recomputed & self.again.get(backend, 0))


class Grid:
    """The atoms that the sides of a rule have in common, and what of their combinations can be."""

    def __init__(self, words: Vocabulary, sides: Sequence[SaidOfSide], wanted: Sequence[Formula]) -> None:
        self.words = words
        asked = atoms_of_all(words.of(formula) for said in sides for formula in said.formulas())
        found = dict.fromkeys([*atoms_of_all(wanted), *asked])
        order = {each: at for at, each in enumerate(found)}
        atoms = sorted(found, key=lambda each: (words.rank(each), order[each]))
        self.tables = Tables(atoms)
        self.possible: int = possible(self.tables)
        known = {*asked, *atoms_of_all(words.of(formula) for said in sides for formula in said.refused)}
        self.unasked = frozenset(each for each in found if each not in known and not words.is_declared(each))
        self.doubtful = tuple(each for each in atoms if each in self.unasked or (isinstance(each, Atom) and each.doubt))

    def of(self, formula: Formula) -> int:
        """The truth table of a side's formula."""
        return self.tables.of(self.words.of(formula))

    def refusal(self, formula: Formula) -> int:
        """The same for what a side refuses; nowhere if it asks something that no table asks."""
        said = self.words.of(formula)
        return self.tables.of(said) if set(atoms_of(said)) <= set(self.tables.atoms) else 0


def decided(said: SaidOfSide, grid: Grid, recomputed: Formula) -> Decided:
    """The table of a side. `recomputed` counts where the side itself does not tell when it recomputes."""
    maker = _Maker(said, grid)
    default = maker.default()
    forward, again = maker.contexts(default)
    forward, again, handed = maker.arguments(forward, again, default)
    forward, again, attends = maker.implementations(forward, again)
    refused = 0
    for formula in said.refused:
        refused |= grid.refusal(formula)
    asked = grid.of(said.recomputed) if said.recomputed is not None else grid.tables.of(recomputed)
    return Decided(forward, again, asked, handed, attends, refused, default, tuple(maker.sources))


class _Maker:
    """Makes the table of one side, from the outside in: process-wide, contexts, arguments, implementations."""

    def __init__(self, said: SaidOfSide, grid: Grid) -> None:
        self._said = said
        self._grid = grid
        self._all: int = grid.tables.all
        self.sources: list[Source] = []

    def default(self) -> Masks:
        """All backends minus those switched off process-wide."""
        out: Masks = dict.fromkeys(BACKENDS, self._all)
        for switch in self._said.switches:
            here, on = self._grid.of(switch.condition), self._grid.of(switch.on)
            out[switch.backend] = (out[switch.backend] & ~here) | (here & on)
            self.sources.append(Source(here, switch.definition, switch.line, (switch.definition, switch.line)))
        return out

    def contexts(self, default: Masks) -> tuple[Masks, Masks]:
        """What is chosen from inside the contexts, forward and backward."""
        if not self._said.stretches:
            return dict(default), dict(default)
        forward: Masks = {}
        again: Masks = {}
        reached = 0
        for stretch in self._said.stretches:
            here = self._grid.of(stretch.condition)
            reached |= here
            for out, layers in ((forward, stretch.forward), (again, stretch.backward)):
                inside = dict(default)
                for layer in layers:
                    inside = self._entered(layer, inside)
                _add(out, inside, here)
        _add(forward, default, self._all & ~reached)
        _add(again, default, self._all & ~reached)
        return forward, again

    def _entered(self, layer: Layer, outside: Masks) -> Masks:
        where = self._grid.of(layer.condition)
        chosen, made = self._chosen(layer.given, where, layer.definition, layer.line)
        out: Masks = {}
        _add(out, outside, self._all & ~made)
        _add(out, chosen, made)
        return out

    def arguments(self, forward: Masks, again: Masks, default: Masks) -> tuple[Masks, Masks, int]:
        """What is chosen by lists that are handed over; these count for the forward pass alone."""
        handed = 0
        out: Masks = {}
        later: Masks = {}
        reached = 0
        for each in self._said.arguments:
            where = self._grid.of(each.condition)
            chosen, made = self._chosen(each.given, where, each.definition, each.line)
            _add(out, chosen, made)
            _add(out, forward, where & ~made)
            _add(later, again, where)
            reached |= where
            handed |= made
        _add(out, forward, self._all & ~reached)
        _add(later, again, self._all & ~reached)
        return out, later, handed

    def _chosen(self, given: Choices, where: int, definition: Definition, line: int) -> tuple[Masks, int]:
        """The backends that a value names, and where it names any at all."""
        chosen: Masks = {}
        made = 0
        for guard, value in given:
            found = backends_of(value)
            here = where & self._grid.of(guard)
            if found is None or not here:
                continue
            named, doubt = found
            made |= here
            for backend in (*named, *([UNKNOWN] if doubt else [])):
                chosen[backend] = chosen.get(backend, 0) | here
            origin = value.origin if isinstance(value, Items) else None
            handed = (definition, line)
            written = (origin[0].frame.definition, origin[1]) if origin is not None else handed
            self.sources.append(Source(here, *written, handed, doubt))
        return chosen, made

    def implementations(self, forward: Masks, again: Masks) -> tuple[Masks, Masks, int]:
        """Where the model attends without PyTorch's choice: then none of the backends is chosen."""
        if not self._said.implementations:
            return forward, again, self._all
        attends = reached = 0
        others: Masks = {}
        for each in self._said.implementations:
            where = self._grid.of(each.condition)
            reached |= where
            named = dict(implementations_of(each.given))
            for index, (guard, _) in enumerate(each.given):
                here = where & self._grid.of(guard)
                if index in named:
                    others[named[index]] = others.get(named[index], 0) | here
                    self.sources.append(Source(here, each.definition, each.line, (each.definition, each.line)))
                else:
                    attends |= here
        attends |= self._all & ~reached
        out = {backend: mask & attends for backend, mask in forward.items()} | others
        later = {backend: mask & attends for backend, mask in again.items()} | others
        return out, later, attends


def _add(out: Masks, more: Mapping[str, int], where: int) -> None:
    """Adds the backends of `more` in some cells."""
    for backend, mask in more.items():
        out[backend] = out.get(backend, 0) | (mask & where)


def recomputed_by_name(formulas: Sequence[Formula], words: Vocabulary) -> Formula:
    """The condition whose name says that the forward pass runs again; false where there is none."""
    named = [
        atom(each)
        for each in atoms_of_all(formulas)
        if any(word in words.text(each) for word in ("checkpointing", "recompute"))
    ]
    return disjunction(named) if named else FALSE
