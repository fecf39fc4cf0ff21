"""Commands that leave no process behind: started below a guard, ended with everything below them."""

import os
import signal
import subprocess
import sys
import uuid
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self

from consistency_bot.errors import SmokeError
from consistency_bot.smoke import guard

MARK = "CONSISTENCY_BOT_SMOKE_PROCESS"
"""A variable that every process of one command inherits, by which they are found whatever became of their parents."""

SECONDS_TO_END = 15.0
"""For the guard to end all below it, once it has been told to; then the processes are ended from here."""


def _at_once(path: str, flags: int) -> int:
    """A file, opened without waiting: an earlier run of the job may have put a pipe there that nobody reads."""
    return os.open(path, flags | os.O_NONBLOCK, 0o666)


class Guarded:
    """A command that runs, its output in a file. As a context manager it is over at the end, with all it started.

    `grace` is how many seconds it gets between being asked to end and being ended. Raises SmokeError where it cannot be
    started: what a system takes has no zero bytes and is not endless, and its folder may have been removed by a job.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], folder: str, log: str, grace: float
    ) -> None:
        self._mark = f"{MARK}={uuid.uuid4().hex}"
        self._grace = grace
        name, _, value = self._mark.partition("=")
        try:
            with open(log, "ab", opener=_at_once) as output:
                self._guard = subprocess.Popen(
                    [sys.executable, "-I", "-S", guard.__file__, str(grace), *command],
                    stdin=subprocess.PIPE,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    cwd=folder,
                    env={**environment, name: value},
                    start_new_session=True,
                )
        except OSError as error:
            raise SmokeError(f"the command cannot be started: {error.strerror}") from None
        except ValueError as error:  # a zero byte
            raise SmokeError(f"the command cannot be started: {error}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()

    def status(self) -> int | None:
        """The exit status; None while it runs."""
        return self._guard.poll()

    def wait(self, seconds: float) -> None:
        """Until it ends, but no longer than that."""
        try:
            self._guard.wait(seconds)
        except subprocess.TimeoutExpired:
            return

    def ranks(self) -> list[int]:
        """The processes on this machine that have a rank."""
        return [pid for pid, variables in self._marked() if any(each.startswith(b"RANK=") for each in variables)]

    def end(self) -> None:
        """End it with all below it; nothing where it has ended."""
        if self._guard.stdin is not None:
            self._guard.stdin.close()
        try:
            self._guard.wait(self._grace + SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            self._guard.kill()
        except BaseException:  # somebody is impatient: the second Ctrl-C must not leave anything either
            self._sweep()
            raise
        self._sweep()
        self._guard.wait()

    def _sweep(self) -> None:
        for pid, _ in self._marked():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def _marked(self) -> list[tuple[int, list[bytes]]]:
        """(process, its environment) of all of this command's processes; none where there is no /proc to tell."""
        mark, found = self._mark.encode(), []
        for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():
            try:
                with open(f"/proc/{name}/environ", "rb") as file:
                    variables = file.read().split(b"\0")
            except OSError:
                continue
            if mark in variables:
                found.append((int(name), variables))
        return found
