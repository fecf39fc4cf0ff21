"""One job with the team's own command: a cell for each combination of its parallel configuration."""

import os
import platform
import socket
import time
from importlib.metadata import PackageNotFoundError, version

import msgspec

from consistency_bot.errors import SmokeError
from consistency_bot.smoke.attempts import Attempt, Attempts
from consistency_bot.smoke.causes import last_lines, root_cause
from consistency_bot.smoke.cells import OUTPUT, Cell, Machine, RankError, Settings, Started
from consistency_bot.smoke.commands import runs_of, team_environment
from consistency_bot.smoke.confirming import confirmed
from consistency_bot.smoke.results import JobRun

NOT_FOUND = (126, 127)
"""What a shell ends with where a command is not there."""


def run_command(attempts: Attempts, blank: JobRun) -> JobRun:
    """The job's run: `ok` where the command ends with 0, `error` where it does not."""
    runs = [run for run in runs_of(attempts.job) if attempts.setting.wants(run[0])]
    if not runs:
        raise SmokeError(f"the job {attempts.job.name} has no cell named {' or '.join(attempts.setting.cells)}")
    cells: list[Cell] = []
    problem = ""
    for number, (name, settings) in enumerate(runs, 1):
        begun = Started(name=name, at=number, total=len(runs))
        try:
            cell = _run(attempts, begun, settings)
        except SmokeError as error:  # what was measured before counts all the same
            problem = str(error)
            break
        if cell.status in ("fail", "crash") and attempts.seconds_left > 2 * cell.seconds + 1:
            attempts.watch.failed(attempts.job.name, cell)
            cell = confirmed(cell, _run(attempts, begun, settings))
        attempts.watch.ended(attempts.job.name, cell)
        cells.append(cell)
    return msgspec.structs.replace(blank, machine=_machine(attempts), cells=tuple(cells), problem=problem)


def _run(attempts: Attempts, begun: Started, settings: Settings) -> Cell:
    job = attempts.job
    ranks = max(1, job.gpus)
    blank = Cell(name=begun.name, settings=settings, outcome="", status="timeout", ranks=ranks)
    if attempts.device.kind == "cuda" and attempts.device.gpus < job.gpus:
        note = f"it needs {job.gpus} GPUs; there {'is' if attempts.device.gpus == 1 else 'are'} {attempts.device.gpus}"
        return msgspec.structs.replace(blank, status="skipped-needs-gpu", note=note)
    if attempts.seconds_left <= 0:
        return msgspec.structs.replace(blank, note="the job's time was over before its turn")
    variables = team_environment(job, settings, attempts.device.kind, ranks, attempts.path("error"))
    began = time.monotonic()
    attempt = attempts.run_team(job.command, begun, variables, ranks)
    ran = msgspec.structs.replace(blank, seconds=round(time.monotonic() - began, 3))
    if attempt.ending.how == "out-of-time":
        note = (
            f"ended after {ran.seconds / 60:.1f} minutes: the time of the job was over, its `minutes` are {job.minutes}"
        )
        errors = (*root_cause(attempt.errors, attempt.log), _output(attempt))
        return msgspec.structs.replace(ran, note=note, errors=errors)
    return _judged(ran, attempt)


def _judged(blank: Cell, attempt: Attempt) -> Cell:
    ending = attempt.ending
    if not ending.running:
        said = last_lines(attempt.log)
        raise SmokeError(f"the launcher ended with status {ending.status} before the command began\n{said}".rstrip())
    code = ending.status if ending.status is not None else 0
    if code == 0:
        return msgspec.structs.replace(blank, outcome="ok", status="pass")
    if code > 128:
        note = f"ended by signal {code - 128}"
        return msgspec.structs.replace(blank, status="crash", note=note, errors=_errors(attempt))
    note = f"ended with status {code}{': there is no such command' if code in NOT_FOUND else ''}"
    return msgspec.structs.replace(blank, outcome="error", status="fail", note=note, errors=_errors(attempt))


def _errors(attempt: Attempt) -> tuple[RankError, ...]:
    """What torchrun names as the cause, where the command has it below; else what was printed last."""
    return root_cause(attempt.errors, attempt.log) or (_output(attempt),)


def _output(attempt: Attempt) -> RankError:
    """What the command printed last, before it was told to end if it was."""
    return RankError(rank=None, type=OUTPUT, message=last_lines(attempt.log, attempt.ending.printed))


def _machine(attempts: Attempts) -> Machine:
    """What is known from here. Versions of what a command uses are its own affair, but for torch's."""
    try:
        torch = version("torch")
    except PackageNotFoundError:
        torch = ""
    return Machine(
        host=os.environ.get("HOSTNAME") or socket.gethostname(),
        device=attempts.device.kind,
        python=platform.python_version(),
        torch=torch,
        world_size=max(1, attempts.job.gpus),
    )
