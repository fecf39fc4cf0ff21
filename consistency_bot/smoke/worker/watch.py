"""A thread that says where the main one is: to the others when a cell takes too long, to the file when told to stop."""

import os
import select
import signal
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from types import FrameType

import msgspec

from consistency_bot.smoke.cells import Stopped
from consistency_bot.smoke.worker.measured import site_of_frame
from consistency_bot.smoke.worker.results import Results

_LOOK = 0.5
"""Seconds between two looks at the clock."""

STOPPED = 143
"""Exit status after SIGTERM, as shells report it."""


class _Running(msgspec.Struct, frozen=True):
    at: int
    name: str
    overdue: float
    failed_at: str = ""


class Watch:
    """Watches one rank. `tell` is called with a cell's number and a place, once for each cell that is overdue."""

    def __init__(self, rank: int, results: Results, repository: Path, tell: Callable[[int, str], None]) -> None:
        self._rank = rank
        self._results = results
        self._repository = repository
        self._tell = tell
        self._main = threading.main_thread().ident or 0
        self._running: _Running | None = None
        self._wakes, wake = os.pipe()
        os.set_blocking(wake, False)
        # The byte is written although the main thread may be inside a collective, where no handler of Python's runs.
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGTERM, _left_to_the_thread)
        threading.Thread(target=self._watch, name="watch", daemon=True).start()

    def begin(self, at: int, name: str, seconds: float) -> None:
        """A cell has begun, and is overdue after `seconds`."""
        self._running = _Running(at, name, monotonic() + seconds)

    def failed(self, site: str) -> None:
        """The cell has failed there, and only waits for the other ranks now."""
        if self._running:
            self._running = msgspec.structs.replace(self._running, failed_at=site)

    def end(self) -> None:
        """No cell is running."""
        self._running = None

    def _watch(self) -> None:
        told = -1
        while True:
            ready, _, _ = select.select([self._wakes], [], [], _LOOK)
            running = self._running
            if ready and signal.SIGTERM in os.read(self._wakes, 64):
                if running:
                    self._results.add(Stopped(name=running.name, rank=self._rank, site=self._site(running)))
                os._exit(STOPPED)
            if running and running.at != told and monotonic() > running.overdue:
                told = running.at
                self._tell(running.at, self._site(running))

    def _site(self, running: _Running) -> str:
        if running.failed_at:
            return running.failed_at
        frame = sys._current_frames().get(self._main)  # noqa: SLF001  # documented, and the only way to see a thread
        return site_of_frame(frame, self._repository) if frame else ""


def _left_to_the_thread(_number: int, _frame: FrameType | None) -> None:
    """The main thread does nothing: the watching one writes and ends the process."""
