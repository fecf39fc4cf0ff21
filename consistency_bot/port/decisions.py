"""What is decided about each run of a change."""

import re
from collections.abc import Iterable
from typing import Literal

import msgspec

from consistency_bot.port.changes import Run

State = Literal["already there", "counterpart found", "none", "unsure"]
Added = Literal["nothing", "code", "comments", "definitions", "imports"]
LITTLE_AGREES = "too little agrees around it"
"""Why the gate keeps a decision from being written."""

_WORD = re.compile(r"[^\W\d]\w*")


class Edit(msgspec.Struct, frozen=True):
    """Characters `start:end` of the other side's text become `text`."""

    start: int
    end: int
    text: str


class Evidence(msgspec.Struct, frozen=True):
    """What speaks for an edit.

    `likeness` is the share of rows that both files have word for word, in the file with the lesser share; `here` the
    same of the function or class it is in and its counterpart; `around` how many of the six rows around it both have;
    `size` how many rows there are after it; `followed` the share of this side's whole change that the other side can
    follow. `is_exact` says that every row it changes was the same on both sides, `is_placed` that what it adds goes
    between rows that are neighbours on both sides. `adds` is what is added where nothing is changed or taken away;
    `is_settled` says that what changes the same names in the function can be followed with as much reason, `is_used` that
    something else that is written uses what an import brings in.
    """

    likeness: float
    around: int
    is_exact: bool = True
    is_placed: bool = True
    followed: float = 1.0
    adds: Added = "nothing"
    is_settled: bool = True
    here: float = 0.0
    size: int = 0
    is_used: bool = True


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
        return words_of(edit.text for edit in self.edits)

    @property
    def inexact(self) -> "Decision":
        """The decision as if the rows that it changes said something else on the other side."""
        return msgspec.structs.replace(self, evidence=msgspec.structs.replace(self.evidence, is_exact=False))

    def without(self, reason: str) -> "Decision":
        """The decision not to write; one that wrote nothing stays as it is."""
        if not self.edits:
            return self
        return msgspec.structs.replace(self, state="unsure", reason=reason, edits=())

    def none(self, reason: str) -> "Decision":
        """The decision that there is nothing to write it to."""
        return msgspec.structs.replace(self, state="none", reason=reason, edits=())


def words_of(texts: Iterable[str]) -> frozenset[str]:
    """Everything in these texts that is spelt like a name: names, keywords, words of strings and comments."""
    return frozenset(word for text in texts for word in _WORD.findall(text))


def is_likely(decision: Decision) -> bool:
    """Whether enough speaks for it to be shown to a person."""
    seen = decision.evidence
    if seen.adds == "imports":
        return seen.followed == 1 or seen.likeness >= _SOMEWHAT_LIKE
    if seen.adds == "definitions":
        return seen.is_placed and seen.likeness >= _SOMEWHAT_LIKE and seen.followed >= _NEARLY_ALL and seen.size < _LONG
    if seen.size >= _SEVERAL and seen.followed < _NEARLY_ALL:
        return False
    is_at_home = seen.here >= _ALIKE_HERE and seen.size < _SEVERAL and seen.is_exact and seen.is_placed
    if is_at_home and seen.adds in ("nothing", "code"):
        return True
    if seen.adds != "nothing":
        return seen.is_placed and seen.likeness >= _LIKE and seen.followed >= 0.5
    if seen.likeness >= _LIKE or seen.followed == 1:
        return seen.followed >= 0.3
    return seen.is_exact and seen.likeness >= _SOMEWHAT_LIKE and seen.followed >= 0.5


_SOMEWHAT_LIKE, _LIKE = 0.2, 0.4
"""Shares of rows that files have in common. Of what was written into files that had less than a fifth in common, a
fifth was what their authors wrote; where they had two fifths, nine tenths."""

_ALIKE_HERE = 0.7
"""The share of rows that functions have in common of which nearly all is told by themselves, whatever is around them."""

_SEVERAL, _LONG, _NEARLY_ALL = 5, 20, 0.9
"""So many rows are seldom written twice alike: of runs of five that were part of a change of which the other side could
not follow nearly all, four in ten were what the authors wrote, and of new functions of twenty one in sixteen."""
