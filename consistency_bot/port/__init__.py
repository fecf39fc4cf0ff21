"""The other side's change: what one side's edit would be on the other, and why not where that cannot be told.

Decides before it writes. Every run of changed rows is already there, has a counterpart, has none, or is unsure; only
what has a counterpart is written. Reads nothing but the three texts it is given.
"""

from collections.abc import Callable, Sequence

import msgspec

from consistency_bot.port.changes import runs_between
from consistency_bot.port.coherence import agreed
from consistency_bot.port.decisions import Decision, Edit
from consistency_bot.port.half import Half
from consistency_bot.port.imports import brought_by, is_import
from consistency_bot.port.matching import Matching
from consistency_bot.port.placing import Placing
from consistency_bot.port.removing import unused_imports
from consistency_bot.port.speech import Speech

__all__ = ["Decision", "Half", "Ported", "applied", "decide", "port"]

Gate = Callable[[Decision], bool]


class Ported(msgspec.Struct, frozen=True):
    """The other side's text with the change in it, its old text where nothing is to be written, and each decision."""

    text: str
    decisions: tuple[Decision, ...]


def port(mine: Half, mine_new: Half, theirs: Half, is_wanted: Gate) -> Ported:
    """Writes the change from `mine` to `mine_new` into `theirs`, as far as `is_wanted` lets a decision through."""
    decisions = decide(mine, mine_new, theirs)
    decisions = [each if is_wanted(each) else each.without("too little agrees around it") for each in decisions]
    text = applied(theirs.text, [edit for each in decisions for edit in each.edits])
    if dropped := _imported(mine) - _imported(mine_new):
        text = applied(text, unused_imports(text, dropped))
    if Half(theirs.source.path, text.encode()).source.is_broken and not theirs.source.is_broken:
        return Ported(theirs.text, tuple(each.without("the result could not be read") for each in decisions))
    return Ported(text, tuple(decisions))


def decide(mine: Half, mine_new: Half, theirs: Half) -> list[Decision]:
    """What is to become of each run of changed rows in `theirs`, in their order; nothing is written yet."""
    matching = Matching(mine, theirs)
    placing = Placing(matching, Speech(matching, mine_new))
    runs = runs_between(mine, mine_new)
    return agreed([placing.decide(run) for run in runs], matching, mine_new)


def _imported(half: Half) -> set[str]:
    return {each.name for row in half.rows if is_import(row) for each in brought_by(row)}


def applied(text: str, edits: Sequence[Edit]) -> str:
    """The text with the edits; where two want the same place, the first one has it."""
    out, at = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start >= at:
            out.append(text[at : edit.start] + edit.text)
            at = edit.end
    return "".join(out) + text[at:]
