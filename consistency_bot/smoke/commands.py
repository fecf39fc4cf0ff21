"""What is executed for a job: the worker of a built-in probe, or the team's own command with its configuration."""

import os
import site
import sys
from collections.abc import Iterator, Mapping
from itertools import product

from consistency_bot.jobs import Job, Option
from consistency_bot.smoke.cells import Settings

PREFIX = "CONSISTENCY_BOT_"

_NOT_PASSED_ON = ("ACTIONS_", "GITHUB_", "GH_", "INPUT_")
"""Begin variables of GitHub's jobs: tokens, and files by which a step changes later ones. Code under check gets neither."""


def worker_command(order: str, ranks: int) -> list[str]:
    """The ranks of a probe: one process alone, or several below torchrun, which keeps the output of each apart.

    Everything else is in the order: torchrun takes abbreviations of its options for its own.
    """
    module = ["-m", "consistency_bot.smoke.worker", order]
    if ranks == 1:
        return [sys.executable, *module]
    torchrun = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}"]
    return [sys.executable, *torchrun, *module]


def worker_environment(error_file: str) -> dict[str, str]:
    """What the worker needs: this very package, no file of the current folder in the way, one thread a rank."""
    found = {
        "PYTHONSAFEPATH": "1",
        "PYTHONUNBUFFERED": "1",
        "OMP_NUM_THREADS": "1",
        "TORCHELASTIC_ERROR_FILE": error_file,
    }
    folder = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    if folder not in site.getsitepackages():  # it runs from a clone
        found["PYTHONPATH"] = os.pathsep.join(filter(None, [folder, os.environ.get("PYTHONPATH", "")]))
    return found


def runs_of(job: Job) -> Iterator[tuple[str, Settings]]:
    """(name, configuration) of each run of a command: `tp2+sp`, or the job's own name where it has no configuration."""
    keys = list(job.parallel)
    values = [each if isinstance(each, tuple) else (each,) for each in job.parallel.values()]
    for chosen in product(*values):
        settings = {key: _plain(value) for key, value in zip(keys, chosen, strict=True)}
        yield "+".join(filter(None, (_word(key, value) for key, value in settings.items()))) or job.name, settings


def _plain(value: Option) -> str | int | bool:
    return value if isinstance(value, str | int) else str(value)


def _word(key: str, value: str | int | bool) -> str:
    if isinstance(value, bool):
        return key if value else f"no-{key}"
    return f"{key}{value}" if isinstance(value, int) else f"{key}={value}"


def team_environment(job: Job, settings: Settings, device: str, ranks: int, error_file: str) -> dict[str, str]:
    """What a command is told: `tp: 2` is CONSISTENCY_BOT_TP=2, a truth 1 or 0; then the job's own `env`."""
    told = {f"{PREFIX}{key.upper()}": _spelt(value) for key, value in settings.items()}
    told |= {
        f"{PREFIX}JOB": job.name,
        f"{PREFIX}PYTHON": sys.executable,
        f"{PREFIX}DEVICE": device,
        f"{PREFIX}RANKS": str(ranks),
        f"{PREFIX}MINUTES": str(job.minutes),
        "TORCHELASTIC_ERROR_FILE": error_file,
    }
    hidden = {"CUDA_VISIBLE_DEVICES": ""} if device == "cpu" else {}
    return {**hidden, **told, **job.env}


def _spelt(value: str | int | bool) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def with_environment(command: list[str], variables: Mapping[str, str]) -> list[str]:
    """The command with its variables in front, since a scheduler may start it on another machine."""
    return ["env", *(f"{name}={value}" for name, value in variables.items()), *command]


def inherited() -> dict[str, str]:
    """This process's environment, as far as code under check may have it."""
    return {name: value for name, value in os.environ.items() if not name.startswith(_NOT_PASSED_ON)}
