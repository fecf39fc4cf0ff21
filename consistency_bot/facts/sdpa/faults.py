"""Where tables break what a rule says of them, or differ from one another."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.formulas import Formula, atom, atoms_of, replaced
from consistency_bot.facts.conditions.vocabulary import one_path
from consistency_bot.facts.sdpa.backends import UNKNOWN
from consistency_bot.facts.sdpa.side import SaidOfSide
from consistency_bot.facts.sdpa.tables import Decided, Grid


class Part(msgspec.Struct, frozen=True):
    """One backend that is chosen where it must not be, or not where it must, or on one side alone.

    `surely` is where it is so whatever the conditions are that nobody can tell anything about; `perhaps` is where it
    may be so. `other` is the side that differs, empty for a rule about the side itself.
    """

    kind: str
    side: str
    backend: str
    surely: int
    perhaps: int
    other: str = ""

    @property
    def key(self) -> tuple[str, ...]:
        """What the part is about."""
        return (self.kind, self.side, self.other, self.backend)


class Judgement:
    """The tables of all sides at one revision, and what is at fault with them."""

    def __init__(self, sides: Mapping[str, SaidOfSide], tables: Mapping[str, Decided], grid: Grid) -> None:
        self.sides = sides
        self.tables = tables
        self.grid = grid
        self._known = {name: _asked_by(said, grid) for name, said in sides.items()}

    def forbidden(self, backend: str, condition: Formula) -> Iterator[Part]:
        """The sides that may choose a backend where the condition holds."""
        where = self.grid.tables.of(condition)
        for name, side in self.tables.items():
            unclear = side.allowed(UNKNOWN) & where
            yield from self._part("forbid", name, backend, side.allowed(backend) & where, unclear)

    def required(self, backend: str, condition: Formula) -> Iterator[Part]:
        """The sides that cannot choose a backend where the condition holds, though PyTorch chooses there."""
        where = self.grid.tables.of(condition)
        for name, side in self.tables.items():
            missing = where & side.attends & ~side.forward.get(backend, 0)
            unclear = missing & side.forward.get(UNKNOWN, 0)
            yield from self._part("require", name, backend, missing & ~unclear, unclear)

    def differing(self, told: Sequence[Part]) -> Iterator[Part]:
        """Backends that one side may choose and another may not, but where that is told already."""
        names = list(self.tables)
        for at, left in enumerate(names):
            for right in names[at + 1 :]:
                yield from self._unread(left, right)
                for mine, yours in ((left, right), (right, left)):
                    chosen = self.tables[mine]
                    for backend in dict.fromkeys((*chosen.forward, *chosen.again)):
                        if backend != UNKNOWN:
                            yield from self._differing(backend, mine, yours, told)

    def _unread(self, mine: str, yours: str) -> Iterator[Part]:
        """Where neither side's list is read, and they are not written alike."""
        a, b = self.tables[mine], self.tables[yours]
        where = a.forward.get(UNKNOWN, 0) & b.forward.get(UNKNOWN, 0)
        doubts = [
            {each.doubt for each in self.tables[name].sources if each.doubt and each.where & where}
            for name in (mine, yours)
        ]
        if where and doubts[0] != doubts[1]:
            yield from self._part("differ", mine, UNKNOWN, 0, where, yours)

    def _differing(self, backend: str, mine: str, yours: str, told: Sequence[Part]) -> Iterator[Part]:
        a, b = self.tables[mine], self.tables[yours]
        forward = a.forward.get(backend, 0) & ~b.forward.get(backend, 0)
        both_tell = a.recomputed & b.recomputed & ~a.handed & ~b.handed
        again = both_tell & a.again.get(backend, 0) & ~b.again.get(backend, 0)
        where = (forward | again) & ~a.refused & ~b.refused
        for part in told:
            if (part.backend, part.kind, part.side) in ((backend, "forbid", mine), (backend, "require", yours)):
                where &= ~(part.surely | part.perhaps)
        unclear = where & (b.forward.get(UNKNOWN, 0) | (both_tell & b.again.get(UNKNOWN, 0)))
        if self._unmatched(where, mine, yours):
            unclear = where
        yield from self._part("differ", mine, backend, where & ~unclear, unclear, yours)

    def _part(self, kind: str, side: str, backend: str, where: int, unclear: int, other: str = "") -> Iterator[Part]:
        tables, grid = self.grid.tables, self.grid
        real = grid.possible & ~self.tables[side].refused
        where, unclear = where & real, unclear & real
        surely = tables.for_all(where, grid.doubtful, real) if where else 0
        perhaps = (where | unclear) & ~surely
        if surely:
            # What is sure somewhere is told from there; its doubtful neighbours are the same matter.
            yield Part(kind, side, backend, surely, perhaps, other)
        elif perhaps:
            yield Part(kind, side, backend, 0, perhaps, other)

    def _unmatched(self, where: int, mine: str, yours: str) -> tuple[str, str] | None:
        """A condition that only one side asks, and one that only the other does: they may be one and the same."""
        tables = self.grid.tables
        alone = [
            [each for each in self._known[a] - self._known[b] if tables.depends(where, each, self.grid.possible)]
            for a, b in ((mine, yours), (yours, mine))
        ]
        if all(alone):
            text = self.grid.words.text
            return min(map(text, alone[0])), min(map(text, alone[1]))
        return None

    def doubt(self, part: Part) -> str:
        """Why nobody can tell whether the part is so; empty where it is."""
        if part.surely:
            return ""
        for name in filter(None, (part.side, part.other)):
            for source in self.tables[name].sources:
                if source.doubt and source.where & part.perhaps:
                    return f"{source.doubt} ({source.definition.path}:{source.line})"
        if part.other:
            pair = self._unmatched(part.perhaps, part.side, part.other)
            if pair is not None:
                mine, yours = pair
                return (
                    f"nothing tells whether `{mine}` ({part.side}) and `{yours}` ({part.other}) are one condition; "
                    "`atoms` in the rules file can"
                )
        tables = self.grid.tables
        asked = next((each for each in self.grid.doubtful if tables.depends(part.perhaps, each)), None)
        if asked in self.grid.unasked:
            return (
                f"no side asks `{self.grid.words.text(asked)}` where it chooses, and `atoms` does not say what it means"
            )
        if isinstance(asked, Atom):
            return f"it depends on `{self.grid.words.text(asked)}`, and {asked.doubt}"
        return "it depends on what is not read"


def _asked_by(said: SaidOfSide, grid: Grid) -> frozenset[Atom]:
    """The conditions that a side asks in words of its own: none that the rules file declares."""
    found = {
        each
        for formula in said.formulas()
        for each in atoms_of(grid.words.of(formula))
        if isinstance(each, Atom) and not each.doubt and not grid.words.is_declared(each)
    }
    return frozenset(found)


def new_in(base: Judgement, before: Sequence[Part], head: Judgement, now: Part) -> Part | None:
    """What a part at head adds to the parts at base that are about the same; None where it adds nothing."""
    old = [each for each in before if each.key == now.key]
    surely, perhaps = now.surely, now.perhaps
    for each in old:
        known = lifted(base.grid, each.surely, head.grid)
        surely &= ~known
        perhaps &= ~(known | lifted(base.grid, each.perhaps, head.grid))
    if surely:
        return msgspec.structs.replace(now, surely=surely, perhaps=0)
    return msgspec.structs.replace(now, surely=0, perhaps=perhaps) if perhaps and not now.surely else None


def lifted(one: Grid, table: int, other: Grid) -> int:
    """A table over the atoms of another grid; where that does not ask all of its atoms, only what holds for any of them."""
    mine = [each for each in one.tables.atoms if one.tables.depends(table, each)]
    names = _same_atoms(mine, other.tables.atoms)
    extra = [each for each in mine if names[each] not in other.tables.atoms]
    reduced = one.tables.for_all(table, extra, one.tables.all)
    formula = replaced(one.tables.formula(reduced), {each: atom(names[each]) for each in mine})
    return other.tables.of(formula)


def _same_atoms(mine: Sequence[object], theirs: Sequence[object]) -> dict[object, object]:
    """{atom: the atom of another revision that asks the same}."""
    paths = [each.path for each in (*theirs, *mine) if isinstance(each, Atom) and not each.doubt]
    one = one_path(paths, {})
    known = {
        (one[each.path], each.test, each.value): each for each in theirs if isinstance(each, Atom) and not each.doubt
    }
    return {
        each: known.get((one[each.path], each.test, each.value), each)
        if isinstance(each, Atom) and not each.doubt
        else each
        for each in mine
    }
