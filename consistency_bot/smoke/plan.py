"""`smoke plan`: the jobs that a change asks for, as people, programs and GitHub's `strategy.matrix` take them."""

from collections.abc import Callable, Sequence

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.git import read_change
from consistency_bot.model import Report
from consistency_bot.planned import ORDINARY_RUNNER, Planned, matrix, planned
from consistency_bot.rules import RulesText, load_rules
from consistency_bot.visible import visible


def planned_by_report(path: str, given: RulesText | None, repo: str) -> tuple[Planned, ...]:
    """What a JSON report of a check asks for, by the rules that it was made by.

    Raises UsageError where the file is none, or its rules cannot be had any more.
    """
    try:
        with open(path, "rb") as file:
            report = msgspec.json.decode(file.read(), type=Report)
    except (OSError, msgspec.DecodeError, RecursionError) as error:
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
    said = (line for each in jobs for line in (f"{each.job}: {each.reason}", f"  {_where(each)}"))
    return "\n".join(map(visible, said)) + "\n"


def _where(job: Planned) -> str:
    """Its runner and what it needs; where GitHub's own is left for a job with GPUs, that this one has none."""
    bounds = f"at most {job.minutes} min"
    if not job.gpus:
        return f"on {', '.join(job.runs_on)}, {bounds}"
    gpus = f"{job.gpus} GPU{'s' * (job.gpus != 1)}"
    if job.runs_on == ORDINARY_RUNNER:
        return f"{gpus}, {bounds}; its `runs_on` must name a runner with GPUs, {ORDINARY_RUNNER[0]} has none"
    return f"on {', '.join(job.runs_on)}, {gpus}, {bounds}"


def _json(jobs: Sequence[Planned]) -> str:
    return msgspec.json.format(msgspec.json.encode(jobs), indent=2).decode() + "\n"


PLAN_FORMATS: dict[str, Callable[[Sequence[Planned]], str]] = {
    "text": _text,
    "json": _json,
    "matrix": lambda jobs: matrix(jobs) + "\n",
}
"""Name of a format, as `smoke plan --format` takes it, and its renderer."""
