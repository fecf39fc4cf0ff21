"""A finding's table, for formats that people read."""

from collections.abc import Iterator, Sequence

from consistency_bot.model import Finding, Table
from consistency_bot.report.inert import cell_code
from consistency_bot.visible import visible


def table_of(finding: Finding) -> Table | None:
    """The finding's table; None where it has none."""
    return finding.table if isinstance(finding.table, Table) else None


def text_rows(table: Table) -> Iterator[str]:
    """The table in columns, one line per row; a cell that is marked ends with ` <`."""
    rows = [[visible(cell) for cell in table.columns], *(_marked(table, number) for number in range(len(table.rows)))]
    widths = [max(len(row[at]) for row in rows if at < len(row)) for at in range(len(table.columns))]
    for row in rows:
        yield " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=False)).rstrip()


def _marked(table: Table, number: int) -> list[str]:
    marked = {column for row, column in table.marked if row == number}
    return [visible(cell) + " <" * (at in marked) for at, cell in enumerate(table.rows[number])]


def table_markdown(table: Table) -> str:
    """The table with every cell inert; a cell that is marked is bold, and has an arrow, for bold code hardly shows."""
    marked = set(table.marked)
    rows = [[cell_code(cell) for cell in table.columns], ["---"] * len(table.columns)]
    for number, row in enumerate(table.rows):
        cells = (
            (f"**{cell_code(cell)}** ←" if (number, at) in marked else cell_code(cell)) for at, cell in enumerate(row)
        )
        rows.append(list(cells))
    return "\n".join(map(row_markdown, rows))


def row_markdown(cells: Sequence[str]) -> str:
    """One row of a table; the cells are markdown already."""
    return f"| {' | '.join(cells)} |"
