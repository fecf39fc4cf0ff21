"""A label by verdict on the pull request, as in `twins: drift`: put on and taken off by the bot, and nobody else's."""

from collections.abc import Sequence
from typing import Literal, Protocol

from consistency_bot.model import DRIFT, Report

Word = Literal["drift", "unknown", "acknowledged"]
WORDS: tuple[Word, ...] = ("drift", "unknown", "acknowledged")
LONGEST = 50
"""Characters that GitHub takes of a label's name."""

LONGEST_PREFIX = LONGEST - len(": ") - max(map(len, WORDS))


class Labels(Protocol):
    """What labelling asks of GitHub."""

    def labels(self, number: int) -> list[str]:
        """The names of a pull request's labels."""

    def add_label(self, number: int, label: str) -> None:
        """Put a label on it."""

    def remove_label(self, number: int, label: str) -> None:
        """Take one off."""


def word_of(report: Report) -> Word | None:
    """The verdict's word, whether it blocks or not; None where the sides are in step, and nobody had to say so."""
    verdicts = {each.verdict for each in report.findings if each.waived is None}
    if verdicts & DRIFT:
        return "drift"
    if "unknown" in verdicts:
        return "unknown"
    return "acknowledged" if any(each.waived is not None for each in report.findings) else None


def set_label(hub: Labels, number: int, prefix: str, report: Report) -> str:
    """Let the pull request have the verdict's label and no other of that prefix; what was done, in a few words."""
    word = word_of(report)
    wanted = f"{prefix}: {word}" if word is not None else ""
    ours = [f"{prefix}: {each}" for each in WORDS]
    there = [each for each in hub.labels(number) if each in ours]
    for label in there:
        if label != wanted:
            hub.remove_label(number, label)
    if wanted and wanted not in there:
        hub.add_label(number, wanted)
    return _told(wanted, there)


def _told(wanted: str, there: Sequence[str]) -> str:
    if there == ([wanted] if wanted else []):
        return "as it was"
    return wanted or "removed"
