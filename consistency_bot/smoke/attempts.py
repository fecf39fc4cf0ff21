"""Starting the processes of one job, as often as it takes, within the job's time."""

import math
import os
import shutil
import time
from contextlib import suppress

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.jobs import Job
from consistency_bot.smoke.cells import Started
from consistency_bot.smoke.commands import inherited, with_environment
from consistency_bot.smoke.devices import Device
from consistency_bot.smoke.launchers import launched
from consistency_bot.smoke.processes import Guarded
from consistency_bot.smoke.results import as_line
from consistency_bot.smoke.setting import Setting
from consistency_bot.smoke.supervising import Ending, Limits, Watch, supervise

SECONDS_TO_LEAVE = 30.0
"""How long before the scheduler's limit a job is ended from here: the results have to be written."""

GRACE_HERE, GRACE_AWAY = 2.0, 10.0
"""Seconds from being asked to end to being ended; a scheduler's client passes it on to another machine first."""

_BEGUN = 'cd "$4" && printf "%s\\n" "$1" >> "$2" && exec sh -c "$3"'
"""Wherever a scheduler starts a command, and whenever: at the repository's root, and its time counts from there."""


class Attempts:
    """The processes of one job. Each has files of its own in the folder `<out>/<job>.work`, for a look afterwards.

    Raises UsageError where that folder cannot be made anew.
    """

    def __init__(self, job: Job, setting: Setting, device: Device, watch: Watch) -> None:
        self.job = job
        self.setting = setting
        self.device = device
        self.watch = watch
        self.folder = os.path.join(os.path.abspath(setting.out), f"{job.name}.work")
        try:
            with suppress(FileNotFoundError):
                shutil.rmtree(self.folder)
            os.makedirs(self.folder)
        except OSError as error:
            raise UsageError(f"--out: {self.folder}: expected a folder, found: {error.strerror or error}") from None
        self._limits = setting.limits or Limits(_job_seconds(job), starts_late=not setting.launcher.is_local)
        self._since = time.monotonic()
        self._number = 0

    @property
    def collective_timeout(self) -> float:
        """The innermost bound, in seconds."""
        return self._limits.collective

    @property
    def seconds_left(self) -> float:
        """Of the job's time."""
        return self._limits.job - (time.monotonic() - self._since)

    def path(self, name: str) -> str:
        """A file of the next attempt."""
        return os.path.join(self.folder, f"{self._number + 1}.{name}")

    def run_worker(self, command: list[str], variables: dict[str, str], ranks: int) -> "Attempt":
        """Run it to its end, or to the end that has to be put to it; it writes lines to `path("results")`."""
        return self._run(command, variables, ranks, msgspec.structs.replace(self._limits, job=self.seconds_left))

    def run_team(self, command: str, begun: Started, variables: dict[str, str], ranks: int) -> "Attempt":
        """The same for a shell command, which may be silent as long as it has time; its one line is that it has begun."""
        limits = msgspec.structs.replace(self._limits, job=self.seconds_left, start=math.inf, cell=math.inf)
        line = as_line(begun).decode().rstrip()
        whole = ["sh", "-c", _BEGUN, "sh", line, self.path("results"), command, self.setting.repository]
        return self._run(whole, variables, ranks, limits)

    def _run(self, command: list[str], variables: dict[str, str], ranks: int, limits: Limits) -> "Attempt":
        results, log, errors = (self.path(name) for name in ("results", "log", "error"))
        self._number += 1
        setting, launcher = self.setting, self.setting.launcher
        whole = launched(launcher, with_environment(command, variables), self.job, self.device.kind, ranks)
        grace = GRACE_HERE if launcher.is_local else GRACE_AWAY
        with Guarded(whole, inherited(), setting.repository, log, grace) as process:
            ending = supervise(process, results, self.job.name, limits, self.watch)
        return Attempt(ending, log, errors)


class Attempt(msgspec.Struct, frozen=True):
    """How one went, and where to look for the reasons: what it printed, and torchrun's error file if there is one."""

    ending: Ending
    log: str
    errors: str


def _job_seconds(job: Job) -> float:
    whole = job.minutes * 60.0
    return max(whole - SECONDS_TO_LEAVE, whole / 2)
