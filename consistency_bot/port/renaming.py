"""Names that this side gave up for another one: what the other side still says in rows of its own follows."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from consistency_bot.port.changes import Run, exchanged
from consistency_bot.port.decisions import Decision, Edit
from consistency_bot.port.half import Half
from consistency_bot.port.imports import is_import
from consistency_bot.port.matching import Matching
from consistency_bot.port.words import is_name
from consistency_bot.syntax import Definition
from consistency_bot.syntax.source_rows import Row

_LEAST_WITNESSES = 2


def renamed(matching: Matching, new: Half, decisions: Sequence[Decision]) -> list[Edit]:
    """The edits of rows that no decision touches; none for a name that the decisions do not write over there."""
    written = frozenset[str]().union(*(each.words for each in decisions))
    touched = [(edit.start, edit.end) for each in decisions for edit in each.edits]
    out: list[Edit] = []
    for old, following, owners in _given_up(matching.mine, new, [each.run for each in decisions]):
        if following not in written or (old in written and old not in new.words):
            continue
        places = {matching.pairs[owner] for owner in owners if owner in matching.pairs}
        for row, owner in zip(matching.theirs.rows, matching.theirs.owners, strict=True):
            if owner in places and not is_touched(row, touched):
                out.extend(_said(row, old, following))
    return out


def _said(row: Row, old: str, following: str) -> list[Edit]:
    """The edits of one row; of a comment in a function too, where the name cannot be but a name's."""
    if row.kind == "comment":
        start = row.pieces[0].start
        found = re.finditer(rf"\b{re.escape(old)}\b", row.first)
        return [Edit(start + each.start(), start + each.end(), following) for each in found]
    pieces = row.pieces
    return [
        Edit(at.start, at.end, following)
        for index, at in enumerate(pieces)
        if at.text == old and not (index and pieces[index - 1].text in ("def", "class"))
    ]


def is_touched(row: Row, touched: Iterable[tuple[int, int]]) -> bool:
    """Whether it is an import, which follows by itself, or some edit, told by its span, is about it."""
    return is_import(row) or any(start < row.end and row.start < max(end, start + 1) for start, end in touched)


def _given_up(old: Half, new: Half, runs: Sequence[Run]) -> list[tuple[str, str, set[Definition]]]:
    """(name, the one in its place, where it stood) for those that always gave way to the same one and are gone."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    for row, at, other in exchanged(runs, old, new):
        before = old.rows[row]
        if not is_import(before) and not _is_of_another(before.words, at):
            votes[before.words[at]][other] += 1
    out: list[tuple[str, str, set[Definition]]] = []
    for name, seen in votes.items():
        other, count = seen.most_common(1)[0]
        if len(seen) > 1 or count < _LEAST_WITNESSES or not is_name(name) or not is_name(other) or "_" in (name, other):
            continue
        owners = {owner for row, owner in zip(old.rows, old.owners, strict=True) if name in row.words}
        still = {owner.qualname for row, owner in zip(new.rows, new.owners, strict=True) if name in row.words}
        owners = {owner for owner in owners if owner.qualname not in still}
        if owners:
            out.append((name, other, owners))
    return out


def _is_of_another(words: Sequence[str], index: int) -> bool:
    """Whether it is the attribute of something that may be anything."""
    return index > 1 and words[index - 1] == "." and words[index - 2] not in ("self", "cls")
