"""The other side's change: what one side's edit would be on the other, and why not where that cannot be told.

Decides before it writes. Every run of changed rows is already there, has a counterpart, has none, or is unsure; only
what has a counterpart is written. Reads nothing but the three texts it is given.
"""

from collections.abc import Collection, Sequence

import msgspec
from msgspec.structs import replace

from consistency_bot.port.changes import exchanged, runs_between
from consistency_bot.port.coherence import Gate, agreed
from consistency_bot.port.decisions import Decision, Edit
from consistency_bot.port.half import Half
from consistency_bot.port.matching import Matching
from consistency_bot.port.nesting import is_nested_well
from consistency_bot.port.placing import Placing
from consistency_bot.port.removing import unused_imports
from consistency_bot.port.renaming import renamed
from consistency_bot.port.repeating import repeated
from consistency_bot.port.speech import Speech
from consistency_bot.syntax import Readings, Source
from consistency_bot.syntax.source_rows import rows_of

__all__ = ["Decided", "Decision", "Half", "Ported", "decide", "port", "written"]


class Ported(msgspec.Struct, frozen=True):
    """The other side's text with the change in it, its old text where nothing is to be written, and each decision."""

    text: str
    decisions: tuple[Decision, ...]


class Decided(msgspec.Struct, frozen=True):
    """What is to become of each run of changed rows, in their order, before anything is written.

    `is_wanted` is the gate that the decisions passed, `dropped` are the names that this side imports no more.
    """

    matching: Matching
    new: Half
    decisions: tuple[Decision, ...]
    is_wanted: Gate
    dropped: frozenset[str]

    def edits(self, decisions: Sequence[Decision]) -> list[Edit]:
        """What these decisions write; they are the runs of the whole change, some of them without their edits."""
        edits = _edits_of(decisions)
        # Rows of the other side's own have no counterpart: the gate is asked as about rows that are not the same.
        if any(each.edits and self.is_wanted(each.inexact) for each in decisions):
            edits += renamed(self.matching, self.new, decisions)
            edits += repeated(self.matching, self.new, decisions)
        return edits

    def only(self, is_wanted: Gate) -> "Decided":
        """The same with no more than a stricter gate lets through, and of that what can stand without the rest.

        Imports go only with the whole change: what is left out may be what drops the others of a row.
        """
        decisions = agreed(self.decisions, self.matching, self.new, is_wanted)
        before, kept = ([each.run for each in some if each.edits] for some in (self.decisions, decisions))
        dropped = self.dropped if kept and kept == before else frozenset[str]()
        return replace(self, decisions=tuple(decisions), is_wanted=is_wanted, dropped=dropped)

    def ported(self) -> Ported:
        """What the decisions come to; without those that would leave a file that cannot be read."""
        theirs, decisions = self.matching.theirs, self.decisions
        text = self.text(decisions)
        if not theirs.source.is_broken and _is_broken(text, theirs):
            decisions = _readable(decisions, theirs)
            text = self.text(decisions)
            if _is_broken(text, theirs):
                text = written(theirs.text, _edits_of(decisions), self.dropped)
            if _is_broken(text, theirs):
                return Ported(theirs.text, tuple(each.without("the result could not be read") for each in decisions))
        return Ported(text, decisions)

    def text(self, decisions: Sequence[Decision]) -> str:
        """The other side's text with what these decisions write."""
        return written(self.matching.theirs.text, self.edits(decisions), self.dropped)


def port(mine: Half, mine_new: Half, theirs: Half, is_wanted: Gate) -> Ported:
    """Writes the change from `mine` to `mine_new` into `theirs`, as far as `is_wanted` lets a decision through."""
    return decide(mine, mine_new, theirs, is_wanted).ported()


def decide(mine: Half, mine_new: Half, theirs: Half, is_wanted: Gate) -> Decided:
    """What is to become of the change from `mine` to `mine_new` in `theirs`."""
    matching = Matching(mine, theirs)
    runs = runs_between(mine, mine_new)
    for row, index, word in exchanged(runs, mine, mine_new):
        matching.coin(row, index, word)
    placing = Placing(matching, Speech(matching, mine_new))
    decisions = agreed([placing.decide(run) for run in runs], matching, mine_new, is_wanted)
    dropped = mine.imported.names - mine_new.imported.names
    return Decided(matching, mine_new, tuple(decisions), is_wanted, dropped)


def written(text: str, edits: Sequence[Edit], dropped: Collection[str]) -> str:
    """The text with the edits, and without the imports of the dropped names that nothing in it uses any more.

    Where two edits want the same place, the first one has it.
    """
    text = _applied(text, edits)
    return _applied(text, unused_imports(text, dropped)) if dropped else text


def _edits_of(decisions: Sequence[Decision]) -> list[Edit]:
    return [edit for each in decisions for edit in each.edits]


def _readable(decisions: tuple[Decision, ...], half: Half) -> tuple[Decision, ...]:
    """The decisions without the edits that break the file: halves are tried, since few do and some need each other."""
    edits = _edits_of(decisions)
    if not edits or not _is_broken(_applied(half.text, edits), half):
        return decisions
    if len(decisions) == 1:
        return (decisions[0].without("the result could not be read"),)
    middle = len(decisions) // 2
    return _readable(decisions[:middle], half) + _readable(decisions[middle:], half)


def _is_broken(text: str, like: Half) -> bool:
    if Source("ported.py", text.encode(), Readings(), like=like.source).is_broken:
        return True
    return is_nested_well(like.rows) and not is_nested_well(rows_of(text))


def _applied(text: str, edits: Sequence[Edit]) -> str:
    out, at = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start >= at:
            out.append(text[at : edit.start] + edit.text)
            at = edit.end
    return "".join(out) + text[at:]
