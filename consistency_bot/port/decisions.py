"""What is decided about each run of a change."""

import re
from typing import Literal

import msgspec

from consistency_bot.port.changes import Run

State = Literal["already there", "counterpart found", "none", "unsure"]
_WORD = re.compile(r"[^\W\d]\w*")


class Edit(msgspec.Struct, frozen=True):
    """Characters `start:end` of the other side's text become `text`."""

    start: int
    end: int
    text: str


class Evidence(msgspec.Struct, frozen=True):
    """What speaks for an edit.

    `agreement` is the share of the rows of its function that stand on the other side word for word, `around` how many
    of the six rows around it do, `followed` the share of this side's whole change that the other side can follow.
    `is_exact` says that every row it changes was the same on both sides, `is_placed` that what it adds goes between
    rows that are neighbours on both sides.
    """

    agreement: float
    around: int
    is_exact: bool = True
    is_placed: bool = True
    followed: float = 1.0


class Decision(msgspec.Struct, frozen=True):
    """What was decided for one run of changed rows, and why. `edits` are there only where a counterpart was found.

    `lines` are this side's new lines, first and last; an insertion point where rows only went.
    """

    run: Run
    lines: tuple[int, int]
    state: State
    reason: str
    evidence: Evidence
    edits: tuple[Edit, ...] = ()

    @property
    def words(self) -> frozenset[str]:
        """The words that it writes."""
        return frozenset(word for edit in self.edits for word in _WORD.findall(edit.text))

    def without(self, reason: str) -> "Decision":
        """The decision not to write; one that wrote nothing stays as it is."""
        if not self.edits:
            return self
        return msgspec.structs.replace(self, state="unsure", reason=reason, edits=())

    def none(self, reason: str) -> "Decision":
        """The decision that there is nothing to write it to."""
        return msgspec.structs.replace(self, state="none", reason=reason, edits=())


def is_likely(decision: Decision) -> bool:
    """Whether enough speaks for it to be shown to a person."""
    seen = decision.evidence
    return seen.agreement >= 0.3 and seen.around >= 2 and seen.followed >= 0.4


def is_sure(decision: Decision) -> bool:
    """Whether it may be called safe, if re-judging finds nothing either."""
    seen = decision.evidence
    return seen.is_exact and seen.is_placed and seen.agreement >= 0.7 and seen.around >= 4 and seen.followed == 1


def doubts_about(decision: Decision) -> list[str]:
    """Why it may not be called safe, as a person can check it; empty where `is_sure` lets it through."""
    if is_sure(decision):
        return []
    seen = decision.evidence
    doubts = {
        "the row that it changes says something else there": not seen.is_exact,
        "the rows around its place are no neighbours there": not seen.is_placed,
        f"the function says only {seen.agreement:.0%} of its rows alike on both sides": seen.agreement < 0.7,
        "few of the rows around it are the same on both sides": seen.around < 4,
        "the other side cannot follow all of the change": seen.followed < 1,
    }
    return [text for text, is_so in doubts.items() if is_so] or ["too little agrees around it"]
