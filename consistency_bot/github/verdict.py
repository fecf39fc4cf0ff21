"""The required result: one commit status."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from consistency_bot.model import Report
from consistency_bot.report.results import counted, headline, outcome_of

CONTEXT = "consistency-bot"
LONGEST = 140
"""Characters that GitHub takes of a status's description."""

State = Literal["success", "failure", "pending", "error"]


class Status(msgspec.Struct, frozen=True):
    """What a commit is given. A failure to judge is a failure: `neutral` or no status at all would let it pass."""

    state: State
    description: str


def status_of(reports: Sequence[Report]) -> Status:
    """The status of a commit of which these are the reports, one for each base; success where there is nothing to check."""
    blocking = [each for each in reports if any(finding.blocks for finding in each.findings)]
    shown = blocking[0] if blocking else reports[0]
    said = headline(shown)
    if not shown.twins_checked:
        said += ": the change touches no twins"
    elif blocking or outcome_of(shown.findings) != "pass":  # else the headline has them all
        said += f" ({counted(shown.findings)})"
    return Status("failure" if blocking else "success", cut(said))


def failed(message: str) -> Status:
    """The status of a commit that could not be judged."""
    return Status("failure", cut(f"Not judged: {message}"))


def cut(text: str) -> str:
    """A description that GitHub takes: one line, and not too long."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST else line[: LONGEST - 1] + "…"
