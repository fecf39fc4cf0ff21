"""The jobs that a change asks for, as people, programs and GitHub's `strategy.matrix` take them."""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.git import read_change
from consistency_bot.model import Report, Rules, SmokeRequest
from consistency_bot.rules import RulesText, load_rules
from consistency_bot.visible import visible

ORDINARY_RUNNER = ("ubuntu-latest",)


class Planned(msgspec.Struct, frozen=True):
    """A job to run, and why. `runs_on` are the labels of its GitHub runner, never none."""

    job: str
    reason: str
    runs_on: tuple[str, ...]
    gpus: int
    minutes: int


class _Matrix(msgspec.Struct, frozen=True):
    include: tuple[Planned, ...]


def planned(rules: Rules, requests: Iterable[SmokeRequest]) -> tuple[Planned, ...]:
    """The requested jobs as the rules have them. Raises UsageError for one that they do not have."""
    jobs = {job.name: job for job in rules.jobs}
    found = []
    for request in requests:
        job = jobs.get(request.job)
        if job is None:
            raise UsageError(f"{rules.source.path} has no smoke job `{request.job}`: is it of another commit?")
        runs_on = job.runs_on or ORDINARY_RUNNER
        found.append(Planned(job.name, request.reason, runs_on, job.gpus, job.minutes))
    return tuple(found)


def planned_by_report(path: str, given: RulesText | None, repo: str) -> tuple[Planned, ...]:
    """What a JSON report of a check asks for, by the rules that it was made by.

    Raises UsageError where the file is none, or its rules cannot be had any more.
    """
    try:
        with open(path, "rb") as file:
            report = msgspec.json.decode(file.read(), type=Report)
    except (OSError, msgspec.DecodeError) as error:
        raise UsageError(
            f"--report {path}: expected a JSON report of `consistency-bot check`, found: {error}"
        ) from None
    if given is None and report.rules.from_ == "file":
        raise UsageError(f"--report {path}: it was made with --rules {report.rules.path}: name that file here, too")
    is_of_base = report.rules.from_ == "base"
    with read_change(repo, report.base if is_of_base else "HEAD", report.base if is_of_base else None) as change:
        return planned(load_rules(change, given), report.smoke)


def _text(jobs: Sequence[Planned]) -> str:
    if not jobs:
        return "no smoke job is needed\n"
    said = []
    for each in jobs:
        gpus = f", {each.gpus} GPU{'s' * (each.gpus != 1)}" if each.gpus else ""
        said.append(visible(f"{each.job}: {each.reason}"))
        said.append(visible(f"  on {', '.join(each.runs_on)}{gpus}, at most {each.minutes} min"))
    return "\n".join(said) + "\n"


def _json(jobs: Sequence[Planned]) -> str:
    return msgspec.json.format(msgspec.json.encode(jobs), indent=2).decode() + "\n"


def matrix(jobs: Sequence[Planned]) -> str:
    """JSON on one line for `strategy.matrix`; `{"include":[]}` for no job, which a workflow has to ask about first."""
    return msgspec.json.encode(_Matrix(tuple(jobs))).decode()


PLAN_FORMATS: dict[str, Callable[[Sequence[Planned]], str]] = {
    "text": _text,
    "json": _json,
    "matrix": lambda jobs: matrix(jobs) + "\n",
}
"""Name of a format, as `smoke plan --format` takes it, and its renderer."""
