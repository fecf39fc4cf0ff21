"""The other side's change: what one side's edit would be on the other, and why not where that cannot be told.

Decides before it writes. Every run of changed rows is already there, has a counterpart, has none, or is unsure; only
what has a counterpart is written. Reads nothing but the three texts it is given.
"""

from collections.abc import Sequence

import msgspec

from consistency_bot.port.changes import runs_between
from consistency_bot.port.coherence import Gate, agreed
from consistency_bot.port.decisions import Decision, Edit, is_likely
from consistency_bot.port.half import Half
from consistency_bot.port.imports import brought_by, is_import
from consistency_bot.port.matching import Matching
from consistency_bot.port.placing import Placing
from consistency_bot.port.removing import unused_imports
from consistency_bot.port.renaming import renamed
from consistency_bot.port.speech import Speech
from consistency_bot.syntax import Readings, Source

__all__ = ["Decision", "Half", "Ported", "applied", "decide", "port"]


class Ported(msgspec.Struct, frozen=True):
    """The other side's text with the change in it, its old text where nothing is to be written, and each decision."""

    text: str
    decisions: tuple[Decision, ...]


def port(mine: Half, mine_new: Half, theirs: Half, is_wanted: Gate) -> Ported:
    """Writes the change from `mine` to `mine_new` into `theirs`, as far as `is_wanted` lets a decision through."""
    matching = Matching(mine, theirs)
    decisions = _decided(matching, mine_new, is_wanted)
    text = _written(matching, mine_new, decisions, is_wanted)
    if not theirs.source.is_broken and _is_broken(text):
        decisions = [_readable(each, theirs.text) for each in decisions]
        text = _written(matching, mine_new, decisions, is_wanted)
        if _is_broken(text):
            return Ported(theirs.text, tuple(each.without("the result could not be read") for each in decisions))
    return Ported(text, tuple(decisions))


def decide(mine: Half, mine_new: Half, theirs: Half) -> list[Decision]:
    """What is to become of each run of changed rows in `theirs`, in their order; nothing is written yet."""
    return _decided(Matching(mine, theirs), mine_new, is_likely)


def _decided(matching: Matching, mine_new: Half, is_wanted: Gate) -> list[Decision]:
    placing = Placing(matching, Speech(matching, mine_new))
    runs = runs_between(matching.mine, mine_new)
    return agreed([placing.decide(run) for run in runs], matching, mine_new, is_wanted)


def _written(matching: Matching, mine_new: Half, decisions: Sequence[Decision], is_wanted: Gate) -> str:
    edits = [edit for each in decisions for edit in each.edits]
    # Rows of the other side's own have no counterpart: the gate is asked as about rows that are not the same.
    if any(each.edits and is_wanted(each.inexact) for each in decisions):
        edits += renamed(matching, mine_new, decisions)
    text = applied(matching.theirs.text, edits)
    dropped = _imported(matching.mine) - _imported(mine_new)
    return applied(text, unused_imports(text, dropped)) if dropped else text


def _readable(decision: Decision, text: str) -> Decision:
    is_fine = not decision.edits or not _is_broken(applied(text, decision.edits))
    return decision if is_fine else decision.without("the result could not be read")


def _is_broken(text: str) -> bool:
    return Source("ported.py", text.encode(), Readings()).is_broken


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
