"""Watching a run: its lines as they come, and the moments at which it has to be given up."""

import time
from typing import Literal, Protocol

import msgspec

from consistency_bot.smoke.cells import Cell, Ended, Machine, Started, Stopped
from consistency_bot.smoke.processes import Guarded
from consistency_bot.smoke.reading import read_piece
from consistency_bot.smoke.results import Line, read_lines

How = Literal["ended", "exited", "stalled", "out-of-time"]


class Watch(Protocol):
    """Who looks on while jobs run."""

    def started(self, job: str, cell: str, at: int, total: int) -> None:
        """A cell has begun, the one at this place, counted from 1."""

    def ended(self, job: str, cell: Cell) -> None:
        """A cell is over; it may come again once a second run has confirmed it."""


class Limits(msgspec.Struct, frozen=True):
    """In seconds. `collective` is the innermost bound; `start` for the first line, `cell` for every later one, `job` for all.

    A scheduler's own limit is the outermost: `job` is less. `starts_late` tells a run that may wait in a queue first:
    then nothing counts before its first line.
    """

    job: float
    start: float = 180.0
    cell: float = 80.0
    collective: float = 20.0
    starts_late: bool = False


class Ending(msgspec.Struct, frozen=True, kw_only=True):
    """How a run came to its end. `running` is the cell that had begun and has no line of its own, "" for none."""

    how: How
    status: int | None
    machine: Machine | None
    cells: tuple[Cell, ...]
    stopped: tuple[Stopped, ...]
    running: str


class _Reader:
    """The lines of a file that grows."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._at = 0
        self.lines: list[Line] = []

    def more(self) -> list[Line]:
        """What has been written since, whole lines only."""
        try:
            data = read_piece(self._path, self._at)
        except OSError:  # nothing has been written yet, or a job has put something else there
            return []
        whole = data[: data.rfind(b"\n") + 1]
        self._at += len(whole)
        new = read_lines(whole)
        self.lines += new
        return new


def supervise(process: Guarded, path: str, job: str, limits: Limits, watch: Watch) -> Ending:
    """Watch until the process ends, or has to be ended; then it is over, with all below it.

    `path` is the file to which the run appends its lines.
    """
    reader = _Reader(path)
    how = _follow(process, reader, job, limits, watch)
    process.end()
    _tell(reader.more(), job, watch)  # a rank that is told to stop says where it was
    return _ending(how, process.status(), reader.lines)


def _follow(process: Guarded, reader: _Reader, job: str, limits: Limits, watch: Watch) -> How:
    now = time.monotonic()
    since, last = now, now
    has_ended = False
    while process.status() is None:
        new = reader.more()
        now = time.monotonic()
        if new:
            since = now if limits.starts_late and len(new) == len(reader.lines) else since
            last = now
            has_ended = has_ended or any(isinstance(line, Ended) for line in new)
            _tell(new, job, watch)
        is_waiting = limits.starts_late and not reader.lines
        if not is_waiting and now - since > limits.job:
            return "ended" if has_ended else "out-of-time"
        if not is_waiting and now - last > (limits.cell if reader.lines else limits.start):
            return "ended" if has_ended else "stalled"
        process.wait(0.05)
    _tell(reader.more(), job, watch)
    return "ended" if any(isinstance(line, Ended) for line in reader.lines) else "exited"


def _tell(lines: list[Line], job: str, watch: Watch) -> None:
    for line in lines:
        if isinstance(line, Started):
            watch.started(job, line.name, line.at, line.total)
        elif isinstance(line, Cell):
            watch.ended(job, line)


def _ending(how: How, status: int | None, lines: list[Line]) -> Ending:
    cells = {line.name: line for line in lines if isinstance(line, Cell)}
    begun = [line.name for line in lines if isinstance(line, Started)]
    return Ending(
        how=how,
        status=status,
        machine=next((line for line in lines if isinstance(line, Machine)), None),
        cells=tuple(cells.values()),
        stopped=tuple(line for line in lines if isinstance(line, Stopped)),
        running=begun[-1] if begun and begun[-1] not in cells else "",
    )
