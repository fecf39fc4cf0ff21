"""Which cells of a probe are run once more, and what is told of them meanwhile: that a cell failed, then what both runs say."""

from collections.abc import Callable

import msgspec

from consistency_bot.smoke.cells import Cell, Status
from consistency_bot.smoke.supervising import Watch

CONFIRMED = frozenset({"fail", "timeout", "crash"})
"""Statuses that a second run, alone in fresh processes, has to confirm."""

MOST_CONFIRMED = 8
"""A second run takes seconds; where many cells fail, the first of them show whether it was chance."""

SECONDS_TO_CONFIRM = 20.0
"""With less of the job's time left no second run is begun."""


def confirmed(cell: Cell, again: Cell | None) -> Cell:
    """The cell with what its second run came to, None where that left no line."""
    status: Status = "flaky" if again is not None and again.status == "pass" else cell.status
    outcome = again.outcome or again.status if again is not None else "crash"
    return msgspec.structs.replace(cell, status=status, confirmed=outcome)


class FirstRun:
    """Looks on while cells run for the first time; `to_confirm` are the names of those that are to be run once more."""

    def __init__(self, watch: Watch, seconds_left: Callable[[], float]) -> None:
        self._watch = watch
        self._seconds_left = seconds_left
        self.to_confirm: list[str] = []

    def started(self, job: str, cell: str, at: int, total: int) -> None:
        """Pass it on."""
        self._watch.started(job, cell, at, total)

    def failed(self, job: str, cell: Cell) -> None:
        """Pass it on."""
        self._watch.failed(job, cell)

    def ended(self, job: str, cell: Cell) -> None:
        """Say that it is over, or that it failed and has a second run before it."""
        is_one_more = len(self.to_confirm) < MOST_CONFIRMED and self._seconds_left() >= SECONDS_TO_CONFIRM
        if cell.status in CONFIRMED and is_one_more:
            self.to_confirm.append(cell.name)
            self._watch.failed(job, cell)
        else:
            self._watch.ended(job, cell)


class SecondRun:
    """Looks on while a cell runs once more: what came out is told by who compares it with the first run."""

    def __init__(self, watch: Watch) -> None:
        self._watch = watch

    def started(self, job: str, cell: str, at: int, total: int) -> None:
        """Pass it on."""
        self._watch.started(job, cell, at, total)

    def failed(self, job: str, cell: Cell) -> None:
        """Nothing."""

    def ended(self, job: str, cell: Cell) -> None:
        """Nothing."""
