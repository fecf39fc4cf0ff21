"""What the machine that will run a job has: asked there, by a launcher where there is one."""

import glob
import os
import re
import sys
import tempfile
from importlib.util import find_spec
from typing import Literal

import msgspec

from consistency_bot.errors import SmokeError
from consistency_bot.jobs import Job
from consistency_bot.smoke.causes import last_lines
from consistency_bot.smoke.commands import inherited
from consistency_bot.smoke.launchers import Launcher, launched
from consistency_bot.smoke.processes import Guarded

QUESTION = "import torch; print('gpus', torch.cuda.device_count() if torch.cuda.is_available() else 0)"
_ANSWER = re.compile(r"gpus ([0-9]{1,4})\s*")
SECONDS_TO_ANSWER = 600.0
"""A scheduler may let the question wait in a queue."""


class Device(msgspec.Struct, frozen=True):
    """`cpu` or `cuda`, and how many GPUs there are."""

    kind: Literal["cpu", "cuda"]
    gpus: int = 0


def has_torch() -> bool:
    """Whether torch is installed; it is not loaded."""
    return find_spec("torch") is not None


def find_device(asked: str, launcher: Launcher, job: Job, folder: str) -> Device:
    """The device to run on. `auto` is `cuda` where PyTorch sees a GPU.

    Raises SmokeError for `cuda` where it sees none, and where a launcher brings no answer.
    """
    if asked == "cpu":
        return Device("cpu")
    is_bare = launcher.is_local and not (has_torch() and _may_have_gpus())
    gpus = 0 if is_bare else _gpus(launcher, job, folder)
    if not gpus and asked == "cuda":
        raise SmokeError("--device cuda: PyTorch sees no GPU here; use `--device cpu`, or run it where there is one")
    return Device("cuda", gpus) if gpus else Device("cpu")


def _may_have_gpus() -> bool:
    """A driver has left its mark: only then is torch loaded, which takes seconds, to be asked."""
    return bool(glob.glob("/dev/nvidia[0-9]*") or glob.glob("/dev/dxg") or glob.glob("/dev/kfd"))


def _gpus(launcher: Launcher, job: Job, folder: str) -> int:
    command = launched(launcher, [sys.executable, "-c", QUESTION], job, "cuda", 1)
    with tempfile.TemporaryDirectory() as place:
        log = os.path.join(place, "log")
        with Guarded(command, inherited(), folder, log, grace=1.0) as process:
            process.wait(SECONDS_TO_ANSWER)
            status = process.status()
        with open(log, encoding="utf-8", errors="replace") as file:
            answers = [found[1] for found in map(_ANSWER.fullmatch, file) if found]
        if status == 0 and answers:
            return int(answers[-1])
        said = last_lines(log)
    raise SmokeError(
        f"nobody could be asked for GPUs (status {status}); with `--device cpu` or `cuda` nobody is\n{said}".rstrip()
    )
