"""Runs jobs one after the other; every one ends with all that it started, and with a results file."""

import os
import time
from collections.abc import Iterable
from datetime import UTC, datetime

import msgspec

from consistency_bot import __version__
from consistency_bot.errors import SmokeError, UsageError
from consistency_bot.jobs import Job
from consistency_bot.smoke.attempts import Attempts
from consistency_bot.smoke.devices import Device, find_device, has_torch
from consistency_bot.smoke.probing import run_probe
from consistency_bot.smoke.results import JobRun, write_run
from consistency_bot.smoke.setting import Setting
from consistency_bot.smoke.supervising import Watch
from consistency_bot.smoke.teams import run_command

CURE = "install it with `pip install 'consistency-bot[smoke]'`, for a machine without GPU from PyTorch's CPU index"


def run_jobs(jobs: Iterable[Job], setting: Setting, watch: Watch) -> list[JobRun]:
    """Every job's run, in order. A job that cannot be run says why, and the next one has its turn.

    Raises UsageError where the folder for results cannot be made.
    """
    try:
        os.makedirs(setting.out, exist_ok=True)
        if not os.listdir(setting.out):  # a folder that holds something else is somebody's, maybe the repository itself
            with open(os.path.join(setting.out, ".gitignore"), "x", encoding="utf-8") as file:
                file.write("*\n")  # results are no change of the repository that they are about
    except OSError as error:
        raise UsageError(f"--out {setting.out}: expected a folder that can be made, found: {error.strerror}") from None
    devices: dict[str, Device] = {}
    return [_run(job, setting, devices, watch) for job in jobs]


def _run(job: Job, setting: Setting, devices: dict[str, Device], watch: Watch) -> JobRun:
    at = datetime.now(UTC).isoformat(timespec="seconds")
    began = time.monotonic()
    blank = JobRun(job=job.name, tool=f"consistency-bot {__version__}", commit=setting.commit, at=at)
    path = os.path.join(setting.out, f"{job.name}.jsonl")
    write_run(path, msgspec.structs.replace(blank, problem="it did not come to its end"))
    try:
        run = _measured(job, setting, devices, watch, blank)
    except SmokeError as error:
        run = msgspec.structs.replace(blank, problem=str(error))
    run = msgspec.structs.replace(run, seconds=round(time.monotonic() - began, 3))
    write_run(path, run)
    return run


def _measured(job: Job, setting: Setting, devices: dict[str, Device], watch: Watch, blank: JobRun) -> JobRun:
    if job.probe and setting.launcher.is_local and not has_torch():
        raise SmokeError(f"the probe {job.probe} needs torch, and it is not installed here: {CURE}")
    asked = f"{job.gpus}" if not setting.launcher.is_local else ""
    if asked not in devices:
        devices[asked] = find_device(setting.device, setting.launcher, job, setting.repository)
    attempts = Attempts(job, setting, devices[asked], watch)
    return run_probe(attempts, blank) if job.probe else run_command(attempts, blank)
