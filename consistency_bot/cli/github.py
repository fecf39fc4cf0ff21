"""The commands `github report | status | command`: a job's event and environment in, its log, summary and outputs out."""

import argparse
import os
import secrets
from datetime import UTC, datetime

from consistency_bot.cli.streams import print_report, say, write_report
from consistency_bot.errors import BotError, UsageError
from consistency_bot.github.command import command
from consistency_bot.github.event import Event, read_event
from consistency_bot.github.judging import Clone
from consistency_bot.github.label import LONGEST_PREFIX
from consistency_bot.github.rehearsal import Rehearsal
from consistency_bot.github.smoke import Result
from consistency_bot.github.surroundings import Surroundings, read_surroundings
from consistency_bot.github.tasks import Given, Hub, Outcome, report, smoke, status
from consistency_bot.github.verdict import State
from consistency_bot.planned import Planned, matrix
from consistency_bot.report import View, render

EXIT_BLOCKS = 1
TASKS = {"report": report, "status": status, "command": command, "smoke": smoke}
LONGEST_SUMMARY = 900_000
"""Bytes; above 1 MiB GitHub drops a step's summary and fails the step."""


def run_github(options: argparse.Namespace) -> int:
    """Do one task: 0 where nothing blocks, 1 where something does. Raises BotError for the rest."""
    if len(options.label) > LONGEST_PREFIX:
        raise UsageError(f"--label {options.label}: expected at most {LONGEST_PREFIX} characters")
    surroundings = read_surroundings(os.environ)
    path = options.event or os.environ.get("GITHUB_EVENT_PATH", "")
    event = read_event(_bytes_of(path), path)
    hub = _hub(surroundings)
    rehearsal = Rehearsal(hub) if options.dry_run and hub is not None else None
    clone = Clone(options.repo, options.fetch, surroundings.address)
    today = datetime.now(UTC).date()
    given = Given(
        clone, surroundings, event, rehearsal or hub, options.fail_on, options.label, today, _results(options.results)
    )
    try:
        outcome = TASKS[options.task](given)
    except BotError as error:
        _summarise(f"### Not judged\n\n    {'    '.join(str(error).splitlines(keepends=True))}\n")
        raise
    finally:
        for deed in rehearsal.deeds if rehearsal is not None else ():
            print_report(f"would {deed}\n", "utf-8")
    _tell(outcome, options, event)
    return EXIT_BLOCKS if outcome.blocks else 0


def _tell(outcome: Outcome, options: argparse.Namespace, event: Event) -> None:
    for note in outcome.notes:
        say(note)
    if options.dry_run:
        for each in outcome.judged:
            print_report(f"the comment's text:\n{each.text}", "utf-8")
    elif os.environ.get("GITHUB_ACTIONS") == "true":
        for each in outcome.judged:
            print_report(each.annotations, "utf-8")
    _summarise("\n".join(each.text for each in outcome.judged))
    if options.output is not None and outcome.judged:
        write_report(options.output, render(outcome.judged[0].report, "json", View()))
    _write_outputs(outcome, options.output, matrix(_to_run(outcome, event)))


def _bytes_of(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise UsageError(
            f"--event {path}: expected an event's file, as GITHUB_EVENT_PATH names it: {error.strerror}"
        ) from None


def _hub(surroundings: Surroundings) -> Hub | None:
    """GitHub, seen with the job's token; None without one. Raises UsageError where PyGithub is not installed."""
    if not surroundings.token:
        return None
    try:
        from consistency_bot.github.client import Client
    except ModuleNotFoundError as error:
        raise UsageError(f"{error}: install it with `pip install 'consistency-bot[github]'`") from None
    return Client(surroundings.api, surroundings.repository, surroundings.token)


def _summarise(text: str) -> None:
    """Add to the job's summary, where there is one; whole lines are left out at the end of one that is too long."""
    data = text.encode("utf-8", "backslashreplace")
    if len(data) > LONGEST_SUMMARY:
        data = data[:LONGEST_SUMMARY].rpartition(b"\n")[0] + b"\n"
    _append("GITHUB_STEP_SUMMARY", data)


def _to_run(outcome: Outcome, event: Event) -> list[Planned]:
    """The jobs that the change asks for; the one alone that somebody asked for by name."""
    asked = str((event.inputs or {}).get("job", ""))
    if asked:
        return [job for each in outcome.judged[:1] for job in each.jobs if job.job == asked]
    return [known.job for each in outcome.judged[:1] for known in each.smoke]


def _results(folder: str) -> tuple[Result, ...]:
    """What the results files in a folder, and in those in it, come to; none without a folder.

    Code under check may have written them: nothing of their texts is taken but the job's name and what can be counted,
    and that only where the file was uploaded for this job. One job's code must not speak for another.
    """
    if not folder:
        return ()
    import glob

    from consistency_bot.smoke.results import read_run
    from consistency_bot.smoke.wording import counted

    states: dict[str, State] = {"passed": "success", "failed": "failure"}
    found = []
    for path in sorted(glob.glob(os.path.join(glob.escape(folder), "**", "*.jsonl"), recursive=True)):
        try:
            run = read_run(path)
        except UsageError as error:  # the other jobs' results count all the same
            say(str(error))
            continue
        if not _is_of(run.job, os.path.relpath(path, folder)):
            say(f"{path}: expected results of the job that it is named after, found those of {run.job}: left out")
            continue
        said = f"{run.outcome}: {counted(run.cells)}"
        found.append(Result(run.job, states.get(run.outcome, "error"), said))
    return tuple(found)


def _is_of(job: str, path: str) -> bool:
    """Whether a file has a job's name, and its folder that of the job's artifact: workflows name both, not the code."""
    folder, name = os.path.split(path)
    return name == f"{job}.jsonl" and folder in ("", job, f"smoke-{job}")


def _write_outputs(outcome: Outcome, report_path: str | None, smoke_matrix: str) -> None:
    """The step's outputs: what came out, the worst of it where there are several reports."""
    reports = [each.report for each in outcome.judged]
    conclusions = {each.conclusion for each in reports}
    conclusion = next((word for word in ("drift", "unknown") if word in conclusions), "in_step")
    findings = sum(len(each.findings) for each in reports)
    outputs = {
        "conclusion": conclusion,
        "findings": str(findings),
        "report": os.path.abspath(report_path) if report_path is not None and reports else "",
        "smoke-matrix": smoke_matrix,
        "base": reports[0].base if reports else "",
        "head": reports[0].head if reports else "",
    }
    said = ""
    for name, value in outputs.items():
        end = f"end-{secrets.token_hex(16)}"
        said += f"{name}<<{end}\n{' '.join(value.splitlines())}\n{end}\n"
    _append("GITHUB_OUTPUT", said.encode("utf-8", "surrogateescape"))


def _append(variable: str, data: bytes) -> None:
    path = os.environ.get(variable)
    if not path:
        return
    try:
        with open(path, "ab") as file:
            file.write(data)
    except OSError as error:
        raise UsageError(f"{variable}={path}: expected a file that can be written, found: {error.strerror}") from None
