"""Runs as markdown for a job's summary and a comment: one table of jobs, then each matrix folded away."""

import re
from collections.abc import Iterator, Sequence

from consistency_bot.report.inert import cell_code, code, prose
from consistency_bot.report.table import row_markdown
from consistency_bot.smoke.grid import grid_of, shared_settings
from consistency_bot.smoke.results import JobRun
from consistency_bot.smoke.versus import Versus, compared
from consistency_bot.smoke.wording import (
    counted,
    error_line,
    legend,
    machine_line,
    mark,
    noted,
    rules_told,
    to_look_at,
    what_happened,
)

BUDGET = 60_000
"""Characters of a comment."""

MOST_FAILED = 20

_NAME = re.compile(r"[A-Za-z0-9._-]+")
"""A job's name as rules take it; a results file can hold any, and the summary of a fold is HTML, where no escape counts."""


def render_markdown(runs: Sequence[JobRun]) -> str:
    """The text, at most `BUDGET` characters: matrices that do not fit are left out, and that is said."""
    head = [row_markdown(("smoke job", "outcome", "cells", "machine")), "|---|---|---|---|"]
    for run in runs:
        outcome = f"**{run.outcome}**" if run.outcome != "passed" else run.outcome
        machine = prose(machine_line(run.machine)).replace("|", "") if run.machine is not None else ""
        head.append(row_markdown((cell_code(run.job), outcome, counted(run.cells), machine)))
    blocks = ["\n".join(head)]
    left = 0
    for block in ("\n\n".join(block) for block in [*map(_versus, compared(runs)), *map(_job, runs)]):
        if sum(map(len, blocks)) + len(block) < BUDGET - 1_000:
            blocks.append(block)
        else:
            left += 1
    if left:
        blocks.append(f"**{left} job{'s' * (left != 1)} did not fit here**; the results files have them all.")
    return "\n\n".join(block for block in blocks if block) + "\n"


def _versus(versus: Versus) -> Iterator[str]:
    yield f"{code(versus.job)} {versus.told}"
    if versus.rows:
        lines = [row_markdown(["", *map(cell_code, versus.machines)]), "|---" * (len(versus.machines) + 1) + "|"]
        lines += [row_markdown([cell_code(name), *map(prose, said)]) for name, said in versus.rows]
        yield "\n".join(lines)


def _job(run: JobRun) -> Iterator[str]:
    failed = to_look_at(run.cells)
    for cell in failed[:MOST_FAILED]:
        lines = [f"- {cell.status} {code(cell.name)}: {prose(what_happened(cell))}"]
        lines += [f"  - {prose(error_line(error))}" for error in cell.errors]
        yield "\n".join(lines)
    if len(failed) > MOST_FAILED:
        yield f"- and {len(failed) - MOST_FAILED} more"
    if told := [*noted(run.cells), *rules_told(run)]:
        yield "\n".join(f"- {prose(line)}" for line in told[:MOST_FAILED])
    if run.problem:
        yield f"{code(run.job)} was not run: {prose(run.problem)}"
    if run.cells:
        yield f"<details><summary>{run.job if _NAME.fullmatch(run.job) else 'a job'}: {counted(run.cells)}</summary>"
        if shared := shared_settings(run.cells):
            yield f"All with {prose(shared)}."
        yield _table(run)
        yield "\n".join(f"- {prose(each)}" for each in legend(run.cells))
        yield "</details>"


def _table(run: JobRun) -> str:
    grid = grid_of(run.cells)
    lines = [row_markdown(["", *map(cell_code, grid.columns)]), "|---" * (len(grid.columns) + 1) + "|"]
    lines += [row_markdown([cell_code(name), *(prose(mark(cell)) for cell in cells)]) for name, cells in grid.lines()]
    return "\n".join(lines)
