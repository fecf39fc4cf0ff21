"""`smoke plan`: the jobs that a change asks for, as people, programs and GitHub's `strategy.matrix` take them."""

from collections.abc import Callable, Sequence

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.git import read_change
from consistency_bot.model import Report
from consistency_bot.planned import Planned, matrix, planned
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
    said = []
    for each in jobs:
        gpus = f", {each.gpus} GPU{'s' * (each.gpus != 1)}" if each.gpus else ""
        said.append(visible(f"{each.job}: {each.reason}"))
        said.append(visible(f"  on {', '.join(each.runs_on)}{gpus}, at most {each.minutes} min"))
    return "\n".join(said) + "\n"


def _json(jobs: Sequence[Planned]) -> str:
    return msgspec.json.format(msgspec.json.encode(jobs), indent=2).decode() + "\n"


PLAN_FORMATS: dict[str, Callable[[Sequence[Planned]], str]] = {
    "text": _text,
    "json": _json,
    "matrix": lambda jobs: matrix(jobs) + "\n",
}
"""Name of a format, as `smoke plan --format` takes it, and its renderer."""
