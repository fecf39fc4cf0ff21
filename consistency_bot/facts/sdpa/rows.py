"""A decision table as rows for people: combinations that come to the same are one row."""

from collections.abc import Iterator, Sequence

from consistency_bot.facts.sdpa.backends import BACKENDS, SHORT, UNKNOWN
from consistency_bot.facts.sdpa.tables import Decided, Grid
from consistency_bot.model import Table

_MOST_ROWS = 16
_NOT_ASKED = "any"


def table_of(grid: Grid, sides: Sequence[tuple[str, Decided]], marked: Sequence[int]) -> Table:
    """The tables of all sides next to each other; `marked` are the combinations, for each side, that are at fault.

    Conditions that no side's choice depends on have no column. Where all sides refuse a combination, it has no row.
    """
    rows = list(_rows(grid, sides, marked))
    if len(rows) > _MOST_ROWS:
        faulty = [row for row in rows if any(row[2])]
        rows = faulty[:_MOST_ROWS] or rows[:_MOST_ROWS]
    asked = [index for index in range(len(grid.tables.atoms)) if any(row[0][index] != _NOT_ASKED for row in rows)]
    names = [grid.words.text(grid.tables.atoms[index]) for index in asked]
    cells = tuple((*(row[0][index] for index in asked), *row[1]) for row in rows)
    spots = tuple(
        (at, len(asked) + column) for at, row in enumerate(rows) for column, is_marked in enumerate(row[2]) if is_marked
    )
    return Table((*names, *(name for name, _ in sides)), cells, spots)


_Row = tuple[tuple[str, ...], tuple[str, ...], tuple[bool, ...]]
"""What each atom is, what each side may choose, and whether that is at fault."""


def _rows(grid: Grid, sides: Sequence[tuple[str, Decided]], marked: Sequence[int]) -> Iterator[_Row]:
    texts = [
        None
        if not grid.possible >> index & 1 or all(each.refused >> index & 1 for _, each in sides)
        else tuple(
            (cell(each, index), bool(marks >> index & 1)) for (_, each), marks in zip(sides, marked, strict=True)
        )
        for index in range(grid.tables.size)
    ]
    for fixed, content in _split(texts, len(grid.tables.atoms)):
        yield fixed, tuple(text for text, _ in content), tuple(is_marked for _, is_marked in content)


_Content = tuple[tuple[str, bool], ...]


def _split(texts: Sequence[_Content | None], atoms: int) -> Iterator[tuple[tuple[str, ...], _Content]]:
    """Splits at the first atom, but where both halves say the same; what cannot be (None) agrees with everything."""
    known = {each for each in texts if each is not None}
    if not known:
        return
    if len(known) == 1:
        yield (_NOT_ASKED,) * atoms, next(iter(known))
        return
    half = len(texts) // 2
    low, high = texts[:half], texts[half:]
    if all(a is None or b is None or a == b for a, b in zip(low, high, strict=True)):
        both = [a if a is not None else b for a, b in zip(low, high, strict=True)]
        yield from (((_NOT_ASKED, *fixed), content) for fixed, content in _split(both, atoms - 1))
        return
    yield from ((("no", *fixed), content) for fixed, content in _split(low, atoms - 1))
    yield from ((("yes", *fixed), content) for fixed, content in _split(high, atoms - 1))


def cell(side: Decided, index: int) -> str:
    """What a side may choose in one combination."""
    if side.refused >> index & 1:
        return "refused"
    forward = _chosen(side.forward, index)
    if not side.recomputed >> index & 1:
        return forward
    again = _chosen(side.again, index)
    return forward if again == forward else f"{forward}; run again: {again}"


def _chosen(masks: dict[str, int], index: int) -> str:
    named = [each for each in (*BACKENDS, *sorted(masks.keys() - set(BACKENDS))) if masks.get(each, 0) >> index & 1]
    if named == list(BACKENDS):
        return "default"
    if not named:
        return "none"
    return ", ".join("others that cannot be told" if each == UNKNOWN else SHORT.get(each, each) for each in named)


def combination(grid: Grid, table: int) -> str:
    """A combination in which a table is true, by the atoms that it depends on: `cp=False, packing=True`."""
    found = grid.tables.first(table)
    if found is None:
        return ""
    asked = [each for each in grid.tables.atoms if grid.tables.depends(table, each, grid.possible)]
    return ", ".join(_said(grid.words.text(each), found[each]) for each in asked) or "Always"


def _said(text: str, holds: bool) -> str:
    return f"{text}={holds}" if " " not in text else f"`{text}`={holds}"
