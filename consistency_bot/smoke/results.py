"""What came of jobs: read from and written to the results file that each job has, and the exit status for all."""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.smoke.cells import Cell, Ended, Machine, Started, Stopped
from consistency_bot.smoke.confront import Verdict

FAILED = frozenset({"fail", "timeout", "crash", "flaky"})
"""Statuses of a cell that should be looked at."""

NOT_HERE = frozenset({"unsupported", "skipped-needs-gpu"})
"""Statuses of a cell that could not run on this machine: neither good nor bad."""

LARGEST = 32_000_000
"""Bytes that are read of a results file; one of a thousand cells has half a million."""

EXIT_FAILED, EXIT_NOTHING_RAN = 1, 5


class Began(msgspec.Struct, frozen=True, kw_only=True, tag="job", tag_field="kind"):
    """The first line of a results file: which job, by which version of this program, at which commit, and when (UTC)."""

    job: str
    tool: str
    commit: str = ""
    at: str = ""


class NotRun(msgspec.Struct, frozen=True, kw_only=True, tag="not-run", tag_field="kind"):
    """Why a job, or what was left of it, could not be run."""

    reason: str


class RuleHeld(msgspec.Struct, frozen=True, kw_only=True, tag="rule", tag_field="kind"):
    """What the cells say of one claim of a rule: whether it is true here.

    `verdict` is `too-lax`, `stricter-than-needed-here`, `confirmed` or `not-measured`; `cells` are those that say so.
    """

    rule: str
    verdict: Verdict
    note: str
    cells: tuple[str, ...] = ()


Line = RuleHeld | Began | Machine | Started | Cell | Stopped | NotRun | Ended


class JobRun(msgspec.Struct, frozen=True, kw_only=True):
    """One job's run. `problem` says why it, or what was left of it, could not be run; empty where it could.

    `machine` is None where nothing got so far as to tell it.
    """

    job: str
    tool: str = ""
    commit: str = ""
    at: str = ""
    machine: Machine | None = None
    cells: tuple[Cell, ...] = ()
    rules: tuple[RuleHeld, ...] = ()
    problem: str = ""
    seconds: float = 0.0

    @property
    def outcome(self) -> str:
        """All in one word: `failed`, `not run`, `passed`, or `nothing ran` where every cell needs another machine.

        A rule that allows what ends badly here is a failure, too.
        """
        if any(cell.status in FAILED for cell in self.cells) or any(each.verdict == "too-lax" for each in self.rules):
            return "failed"
        if self.problem:
            return "not run"
        return "passed" if any(cell.status == "pass" for cell in self.cells) else "nothing ran"


def exit_status(runs: Iterable[JobRun]) -> int:
    """0: what could run here passed, and something did; 1: something failed; 5: something could not be run, or nothing was."""
    outcomes = {run.outcome for run in runs}
    if "failed" in outcomes:
        return EXIT_FAILED
    return 0 if "passed" in outcomes and "not run" not in outcomes else EXIT_NOTHING_RAN


_ENCODER = msgspec.json.Encoder()
_DECODER: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)


def as_line(line: Line) -> bytes:
    """One line of a results file, with its end."""
    return _ENCODER.encode(line) + b"\n"


def read_lines(data: bytes) -> list[Line]:
    """The lines that can be read; what a process that was killed left half written, or nested deeply, is passed over."""
    lines: list[Line] = []
    for raw in data.split(b"\n"):
        try:
            lines += [_DECODER.decode(raw)] if raw.strip() else []
        except (msgspec.DecodeError, RecursionError):
            continue
    return lines


def lines_of(run: JobRun) -> list[Line]:
    """The run as a results file has it."""
    lines: list[Line] = [Began(job=run.job, tool=run.tool, commit=run.commit, at=run.at)]
    lines += [run.machine] if run.machine is not None else []
    lines += run.cells
    lines += run.rules
    lines += [NotRun(reason=run.problem)] if run.problem else []
    return [*lines, Ended(cells=len(run.cells), seconds=run.seconds)]


def write_run(path: str, run: JobRun) -> None:
    """The file as a whole, or not at all. Raises UsageError where it cannot be written."""
    unfinished = f"{path}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "wb") as file:
            file.write(b"".join(map(as_line, lines_of(run))))
        os.replace(unfinished, path)
    except OSError as error:
        with suppress(OSError):
            os.unlink(unfinished)
        raise UsageError(f"--out: {path}: expected a file that can be written, found: {error.strerror}") from None


def read_run(path: str) -> JobRun:
    """The run in a file; of one that did not come to its end what there is. Raises UsageError for any other file."""
    try:
        with open(path, "rb") as file:
            lines = read_lines(file.read(LARGEST))
    except OSError as error:
        raise UsageError(f"{path}: expected a results file that can be read, found: {error.strerror}") from None
    began = next((line for line in lines if isinstance(line, Began)), None)
    if began is None:
        raise UsageError(f"{path}: expected a results file of `consistency-bot smoke run`, found none of its lines")
    return run_of(began, lines)


def run_of(began: Began, lines: Sequence[Line]) -> JobRun:
    """What the lines come to; of a cell with several lines the last counts."""
    cells = {line.name: line for line in lines if isinstance(line, Cell)}
    problem = next((line.reason for line in lines if isinstance(line, NotRun)), "")
    ended = next((line for line in lines if isinstance(line, Ended)), None)
    if ended is None and not problem:
        problem = "it did not come to its end"
    return JobRun(
        job=began.job,
        tool=began.tool,
        commit=began.commit,
        at=began.at,
        machine=next((line for line in lines if isinstance(line, Machine)), None),
        cells=tuple(cells.values()),
        rules=tuple(line for line in lines if isinstance(line, RuleHeld)),
        problem=problem,
        seconds=ended.seconds if ended is not None else 0.0,
    )
