"""How far smoke jobs have come: plain lines in CI, one line that changes on a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from consistency_bot.cli.streams import is_coloured
from consistency_bot.smoke.cells import Cell
from consistency_bot.smoke.results import FAILED
from consistency_bot.smoke.supervising import Watch
from consistency_bot.smoke.wording import error_line, what_happened
from consistency_bot.visible import visible

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


@contextmanager
def progress() -> Iterator[Watch]:
    """Somebody to look on, as long as the `with` lasts. It writes to standard error."""
    if sys.stderr.isatty() and is_coloured(None):
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        with Progress(*columns, console=Console(stderr=True)) as bar:
            yield _Bars(bar)
    else:
        yield _Lines()


def _line(job: str, cell: Cell) -> str:
    """One cell that is over. It begins with the job's name, never with what a job printed: no runner takes it for a command."""
    if cell.status not in FAILED:
        return visible(f"{job}: {cell.status:<11} {cell.name} {cell.seconds:.1f} s")
    return visible(f"{job}: {cell.status:<11} {cell.name}: {_said(cell)}")


def _line_of_first(job: str, cell: Cell) -> str:
    """One cell that failed and has a second run before it."""
    return visible(f"{job}: {cell.status}, run once more alone: {cell.name}: {_said(cell)}")


def _said(cell: Cell) -> str:
    return "; ".join([what_happened(cell), *map(error_line, cell.errors)])


class _Lines:
    """A line for each cell."""

    def started(self, job: str, cell: str, at: int, total: int) -> None:
        """Nothing: what a cell comes to is soon there."""

    def failed(self, job: str, cell: Cell) -> None:
        """What the first run came to."""
        _write(_line_of_first(job, cell))

    def ended(self, job: str, cell: Cell) -> None:
        """What it came to."""
        _write(_line(job, cell))


def _write(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


class _Bars:
    """A bar for each job; only what failed has a line that stays."""

    def __init__(self, bar: "Progress") -> None:
        self._bar = bar
        self._tasks: dict[str, TaskID] = {}
        self._done: dict[str, set[str]] = {}

    def started(self, job: str, cell: str, at: int, total: int) -> None:
        """Show the cell that is running. A later start has the cells that remain: the total is the first one's."""
        if job not in self._tasks:
            self._tasks[job] = self._bar.add_task(_escaped(job), total=total)
            self._done[job] = set()
        self._bar.update(self._tasks[job], description=_escaped(f"{job}: {cell}"))

    def failed(self, job: str, cell: Cell) -> None:
        """Keep it in sight; it is not over."""
        self._bar.console.print(_escaped(_line_of_first(job, cell)), style="red", highlight=False)

    def ended(self, job: str, cell: Cell) -> None:
        """Move on, and keep what failed in sight."""
        if cell.status in FAILED:
            self._bar.console.print(_escaped(_line(job, cell)), style="red", highlight=False)
        if job in self._tasks:
            self._done[job].add(cell.name)
            self._bar.update(self._tasks[job], completed=len(self._done[job]))


def _escaped(text: str) -> str:
    from rich.markup import escape

    return escape(visible(text))
