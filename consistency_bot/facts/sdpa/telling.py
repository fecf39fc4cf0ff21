"""What is said about tables: sentences, places, the tables side by side."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from consistency_bot.facts.places import at
from consistency_bot.facts.sdpa.backends import UNKNOWN
from consistency_bot.facts.sdpa.faults import Judgement, Part
from consistency_bot.facts.sdpa.rows import combination, table_of
from consistency_bot.facts.sdpa.side import SaidOfSide
from consistency_bot.facts.sdpa.tables import Decided, Grid
from consistency_bot.model import Place, Table


class Telling:
    """Words for parts of one judgement. `conditions` are those of the rule as written, by backend."""

    def __init__(self, judgement: Judgement, conditions: Mapping[str, str]) -> None:
        self._judgement = judgement
        self._conditions = conditions

    def sentence(self, parts: Sequence[Part]) -> str:
        """One sentence: a combination, what the side does in it, what the rule or the other side says, both places."""
        lead = parts[0]
        where = self._where(lead)
        spot = at(self.place(lead.side, lead))
        backends = self._backends(parts, where)
        verb, again = ("allows", self._in_which_run(lead, where))
        if lead.kind == "require":
            said = f"{lead.side} does not allow {backends} {spot}, which is required"
            return f"{self._combination(where)}: {said}{self._condition(lead)}{self._others(lead, where)}."
        if lead.kind == "forbid":
            said = f"{lead.side} {verb} {backends}{again} {spot}, which is forbidden"
            return f"{self._combination(where)}: {said}{self._condition(lead)}{self._others(lead, where)}."
        counterpart = at(self.place(lead.other, lead))
        # Its place is then where its other choices stand, which would seem to say the opposite.
        who = lead.side if self._chooses(lead) else f"{lead.side}, which chooses nothing there,"
        return f"{self._combination(where)}: {who} {verb} {backends}{again} {spot}, and {lead.other} does not {counterpart}."

    def cured(self, parts: Sequence[Part]) -> str:
        """What is said where none of the parts is so any more."""
        lead = parts[0]
        backends = listed(dict.fromkeys(each.backend for each in parts))
        if lead.other:
            return f"{lead.side} and {lead.other} no longer differ in {backends}"
        if lead.kind == "require":
            return f"{lead.side} allows {backends} wherever it is required"
        return f"{lead.side} no longer allows {backends} where it is forbidden"

    def _chooses(self, part: Part) -> bool:
        """Whether the part's side says anything about the combination that the sentence speaks of."""
        index = _first(self._where(part))
        return any(each.where >> index & 1 for each in self._judgement.tables[part.side].sources)

    def _where(self, part: Part) -> int:
        """The combinations that the sentence speaks of."""
        return part.surely or part.perhaps

    def _combination(self, where: int) -> str:
        return combination(self._judgement.grid, where)

    def _backends(self, parts: Sequence[Part], where: int) -> str:
        """The backends that are told together, those of the lead's side in the same combination."""
        lead = parts[0]
        index = _first(where)
        named = [each.backend for each in parts if each.side == lead.side and (each.surely | each.perhaps) >> index & 1]
        return listed("backends that cannot be told" if each == UNKNOWN else each for each in named)

    def _in_which_run(self, part: Part, where: int) -> str:
        side = self._judgement.tables[part.side]
        is_forward = side.forward.get(part.backend, 0) >> _first(where) & 1
        return "" if is_forward else " when the forward pass runs again"

    def _condition(self, part: Part) -> str:
        text = self._conditions.get(part.backend, "")
        return f" where `{text}`" if text and text != "True" else ""

    def _others(self, part: Part, where: int) -> str:
        """What the other sides do there."""
        index = _first(where)
        said = []
        for name, side in self._judgement.tables.items():
            if name == part.side:
                continue
            spot = at(self.place(name, part))
            does = bool(side.allowed(part.backend) >> index & 1)
            is_refused = bool(side.refused >> index & 1)
            also = ("does not either", "does") if part.kind == "require" else ("does not", "does too")
            said.append(f"; {name} {'refuses this combination' if is_refused else also[does]} {spot}")
        return "".join(said)

    def place(self, side: str, part: Part) -> Place:
        """Where the side decides the combination; where nothing does, where its other choices stand."""
        index = _first(self._where(part))
        sources = self._judgement.tables[side].sources
        deciding = [each for each in sources if each.where >> index & 1]
        for each in (*deciding[::-1], *sources):
            is_later = side == part.side and part.kind != "require" and self._in_which_run(part, self._where(part))
            is_written_here = not is_later and each in deciding
            definition, line = (each.definition, each.line) if is_written_here else each.handed
            return Place(side, definition.path, line, line, definition.qualname or None)
        home = self._judgement.sides[side].home
        return Place(side, home.path if home is not None else "", 1, 0)

    def counterpart(self, part: Part) -> Place | None:
        """The place on another side."""
        names = [part.other] if part.other else [each for each in self._judgement.tables if each != part.side]
        return self.place(names[0], part) if names else None

    def table(self, parts: Sequence[Part]) -> Table:
        """The tables of all sides, with the cells marked that the parts are about."""
        grid, tables = self._judgement.grid, self._judgement.tables
        marked = dict.fromkeys(tables, 0)
        for part in parts:
            for name in filter(None, (part.side, part.other)):
                marked[name] |= part.surely | part.perhaps
        return table_of(grid, list(tables.items()), list(marked.values()))

    def extent(self, parts: Sequence[Part]) -> tuple[str, ...]:
        """How far the parts go: the combinations of each, in words that do not change with other conditions."""
        return tuple(
            repr((*part.key, self._cells(part.surely), self._cells(part.perhaps)))
            for part in sorted(parts, key=lambda part: part.key)
        )

    def _cells(self, where: int) -> list[str]:
        grid = self._judgement.grid
        asked = sorted((each for each in grid.tables.atoms if grid.tables.depends(where, each)), key=grid.words.text)
        found = {
            tuple(grid.tables.combination(index)[each] for each in asked)
            for index in range(grid.tables.size)
            if where >> index & 1
        }
        return [*map(grid.words.text, asked), *("".join("01"[each] for each in row) for row in sorted(found))]


def listed(names: Iterable[str]) -> str:
    """`a, b and c`."""
    *others, last = names
    return " and ".join(filter(None, (", ".join(others), last)))


def _first(where: int) -> int:
    """The combination that a sentence speaks of, of those in a table: the one with the fewest conditions true."""
    indices = (index for index in range(where.bit_length()) if where >> index & 1)
    return min(indices, key=lambda each: (each.bit_count(), each), default=0)


def told_of(said: SaidOfSide, grid: Grid, side: Decided) -> Iterator[str]:
    """The lines of one side's table, and where what it says stands."""
    table = table_of(grid, [("backends", side)], [0])
    conditions = table.columns[:-1]
    for row in table.rows:
        where = ", ".join(f"{name}={each}" for name, each in zip(conditions, row, strict=False) if each != "any")
        yield f"{where or 'always'}: {row[-1]}"
    places = dict.fromkeys((source.definition.path, source.line) for source in side.sources)
    yield from (f"decided at {path}:{line}" for path, line in places)
