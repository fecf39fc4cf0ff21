"""Blank lines around what is written and taken away: as many as this side has there."""

from consistency_bot.port.changes import Run
from consistency_bot.port.decisions import Edit
from consistency_bot.port.half import Half
from consistency_bot.port.matching import Matching


def with_blanks(matching: Matching, new: Half, run: Run, edit: Edit) -> Edit:
    """The removal of a run's first row, and of the blank lines above that this side has not kept either."""
    theirs, there = matching.theirs, matching.there
    first, last = there[run.start], there[run.end - 1]
    if last - first != run.end - run.start - 1:
        return edit
    rows = theirs.rows
    below = rows[last + 1].blanks if last + 1 < len(rows) else 0
    kept = new.rows[run.new_start].blanks if run.new_start < len(new.rows) else 0
    gap = theirs.text[rows[first - 1].end if first else 0 : edit.start].splitlines(keepends=True)
    dropped = min(len(gap), max(0, rows[first].blanks + below - kept))
    return Edit(edit.start - len("".join(gap[len(gap) - dropped :])), edit.end, edit.text)


def close_to(matching: Matching, new: Half, after: int, following: int, edit: Edit) -> Edit:
    """The addition right above the row that follows it on this side without a blank line: a decorator, a condition."""
    there = matching.there.get(after)
    if there is None or following >= len(new.rows) or new.rows[following].blanks:
        return edit
    row = matching.theirs.rows[there]
    if not row.blanks or matching.theirs.text[edit.start : row.start].strip("\n") or edit.start > row.start:
        return edit
    return Edit(row.start, row.start, edit.text.lstrip("\n"))
