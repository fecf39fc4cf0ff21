"""One job on several machines, side by side."""

from collections.abc import Sequence

import msgspec

from consistency_bot.smoke.cells import Machine
from consistency_bot.smoke.results import JobRun
from consistency_bot.smoke.wording import mark


class Versus(msgspec.Struct, frozen=True):
    """A job's machines and the cells that are not alike on all of them: (name, what each has, "" where it lacks the cell).

    `alike` is how many cells have the same status everywhere.
    """

    job: str
    machines: tuple[str, ...]
    rows: tuple[tuple[str, tuple[str, ...]], ...]
    alike: int

    @property
    def told(self) -> str:
        """How many machines, and how many cells of each kind."""
        return f"on {len(self.machines)} machines: {self.alike} cells alike, {len(self.rows)} not"


def compared(runs: Sequence[JobRun]) -> list[Versus]:
    """Every job of which there is more than one run, in the order of the runs."""
    by_job: dict[str, list[JobRun]] = {}
    for run in runs:
        by_job.setdefault(run.job, []).append(run)
    return [_compared(job, found) for job, found in by_job.items() if len(found) > 1]


def _compared(job: str, runs: Sequence[JobRun]) -> Versus:
    cells = [{cell.name: cell for cell in run.cells} for run in runs]
    names = list(dict.fromkeys(name for each in cells for name in each))
    rows = [(name, tuple(mark(each.get(name)) for each in cells)) for name in names]
    unlike = tuple((name, said) for name, said in rows if len(set(said)) > 1)
    return Versus(job, tuple(_named(run.machine) for run in runs), unlike, len(rows) - len(unlike))


def _named(machine: Machine | None) -> str:
    if machine is None:
        return "?"
    device = machine.gpus[0] if machine.gpus else machine.device
    return f"{machine.host} {device} torch {machine.torch or '?'}"
