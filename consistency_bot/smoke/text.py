"""Runs as text for a terminal."""

from collections.abc import Iterator, Sequence

from consistency_bot.smoke.cells import OUTPUT
from consistency_bot.smoke.grid import OUTCOME, grid_of, shared_settings
from consistency_bot.smoke.results import JobRun
from consistency_bot.smoke.versus import Versus, compared
from consistency_bot.smoke.wording import (
    error_line,
    headline,
    legend,
    machine_line,
    mark,
    noted,
    rules_told,
    to_look_at,
    what_happened,
)
from consistency_bot.visible import visible

MOST_LINES = 15
"""Of one error message."""


def render_text(runs: Sequence[JobRun]) -> str:
    """Every job with its grid and all that failed, then what the marks mean, then one line for each job."""
    blocks = ["\n".join(map(visible, _job(run))) for run in runs]
    blocks += ["\n".join(map(visible, _versus(each))) for each in compared(runs)]
    if marks := legend([cell for run in runs for cell in run.cells]):
        blocks.append("\n".join(["what the marks mean:", *(f"  {visible(each)}" for each in marks)]))
    blocks.append("\n".join(visible(headline(run)) for run in runs))
    return "\n\n".join(blocks) + "\n"


def _job(run: JobRun) -> Iterator[str]:
    yield run.job
    if run.machine is not None:
        yield f"  {machine_line(run.machine)}"
    if shared := shared_settings(run.cells):
        yield f"  {shared}"
    if run.cells:
        yield from (f"  {line}" for line in _table(run))
    for cell in to_look_at(run.cells):
        yield f"  {cell.status}: {cell.name}: {what_happened(cell)}"
        for error in cell.errors:
            if error.type == OUTPUT:
                # The bar keeps a runner from taking what a job printed for a command of its own.
                yield from (f"    | {line}" for line in error.message.strip().splitlines()[-MOST_LINES:])
            else:
                yield f"    {error_line(error)}"
    yield from (f"  {line}" for line in (*noted(run.cells), *rules_told(run)))
    if run.problem:
        first, *rest = run.problem.splitlines()
        yield f"  not run: {first}"
        yield from (f"    | {line}" for line in rest)


def _versus(versus: Versus) -> Iterator[str]:
    yield f"{versus.job} {versus.told}"
    rows = [["", *versus.machines], *([name, *said] for name, said in versus.rows)]
    yield from (f"  {line}" for line in _columns(rows) if versus.rows)


def _table(run: JobRun) -> Iterator[str]:
    grid = grid_of(run.cells)
    rows = [["", *grid.columns]] if grid.columns != (OUTCOME,) else []
    yield from _columns([*rows, *([name, *map(mark, cells)] for name, cells in grid.lines())])


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
