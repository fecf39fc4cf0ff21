"""What runs of a command take, and the table of several of them beside their budgets."""

import os
import shutil
import statistics
import subprocess
import sys
from collections.abc import Sequence
from typing import NamedTuple

HERE = os.path.dirname(os.path.abspath(__file__))
DEFAULT_BOT = os.path.join(os.path.dirname(sys.executable), "consistency-bot")
"""The bot beside the running interpreter."""


class Case(NamedTuple):
    """What is run, and at most how many CPU seconds and MiB it may take; None where it is there for comparison."""

    name: str
    command: Sequence[str]
    seconds: float | None = None
    mebibytes: float | None = None


class Figures(NamedTuple):
    """What the runs of a case took: CPU seconds, median and least, and the peak memory in MiB."""

    seconds: float
    least: float
    mebibytes: float


def found_bot(name: str) -> str:
    """The full path of a command. Raises FileNotFoundError where there is none."""
    found = shutil.which(name)
    if found is None:
        raise FileNotFoundError(f"expected a command at {name}, found none; install the project or name it with --bot")
    return found


def interpreter(bot: str) -> str:
    """The interpreter that the bot is run with: the one in its folder."""
    return os.path.join(os.path.dirname(bot), "python")


def measure(case: Case, runs: int, folder: str) -> Figures:
    """The figures of a case. Ends the benchmark where a run is no success and no blocking finding."""
    output = os.path.join(folder, "output")
    launcher = [sys.executable, "-I", "-S", os.path.join(HERE, "measure.py")]
    done = subprocess.run([*launcher, str(runs), output, *case.command], stdout=subprocess.PIPE, text=True, check=True)
    rows = [line.split() for line in done.stdout.splitlines()]
    failed = {status for _, _, status in rows} - {"0", "1"}
    if failed:
        sys.exit(f"{case.name}: expected exit status 0 or 1, found {', '.join(sorted(failed))}: {case.command}")
    seconds = [float(second) for second, _, _ in rows]
    return Figures(statistics.median(seconds), min(seconds), max(int(size) for _, size, _ in rows) / 1024)


def print_table(cases: Sequence[Case], figures: Sequence[Figures]) -> bool:
    """Print a line for each case, the first one being a bare interpreter; whether any is over its budget."""
    bare = figures[0].seconds
    is_any_over = False
    print(f"{'what':<58} {'CPU s':>15} {'budget':>7} {'x bare':>7} {'MiB':>6} {'budget':>7}")
    for case, found in zip(cases, figures, strict=True):
        over = found.seconds > (case.seconds or found.seconds) or found.mebibytes > (case.mebibytes or found.mebibytes)
        is_any_over = is_any_over or over
        print(
            f"{case.name:<58} {found.seconds:>7.3f} ({found.least:.3f}) {case.seconds or '-':>6}"
            f" {found.seconds / bare:>7.1f} {found.mebibytes:>6.1f} {case.mebibytes or '-':>7}{' OVER' * over}"
        )
    return is_any_over
