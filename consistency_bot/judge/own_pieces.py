"""Arguments and entries that were one side's own before a change, and are no more or less so after it."""

from collections.abc import Mapping, Sequence

from consistency_bot.judge.marks import PIECES, Mark
from consistency_bot.judge.versions import Half, called_by
from consistency_bot.syntax import Terms


def without_own_pieces(marks: Sequence[Mark]) -> list[Mark]:
    """The marks without pieces that only follow their statement: an old difference under a new name, or gone with it."""
    halves = {id(mark.half): mark.half for mark in marks if not mark.is_gone and mark.unit.concept == "argument"}
    fewer = {number: _fewer_in(half) for number, half in halves.items()}
    went: dict[tuple[int, int, int], bool] = {}  # asked once of each statement, however many pieces it has
    kept = []
    for mark in marks:
        if _follows_the_callee(mark, fewer.get(id(mark.half), {})):
            continue
        if mark.is_gone and mark.unit.concept in PIECES:
            statement = (id(mark.half), id(mark.other), mark.unit.statement)
            if statement not in went:
                went[statement] = _went_with_its_statement(mark)
            if went[statement]:
                continue
        kept.append(mark)
    return kept


def _fewer_in(half: Half) -> dict[Terms, list[Terms]]:
    """What a half says less often now, by all of it but the first word, which of an argument is what it is passed to."""
    out: dict[Terms, list[Terms]] = {}
    for terms, _ in half.gone:
        out.setdefault(terms[1:], []).append(terms)
    return out


def _follows_the_callee(mark: Mark, fewer: Mapping[Terms, Sequence[Terms]]) -> bool:
    """Whether its side passed the same argument before, in a call of another name, and the other side did not.

    `Net(softmax=True)` that was `Actor(softmax=True)` says nothing new of `softmax`.
    """
    if mark.is_gone or mark.unit.concept != "argument":
        return False
    passed = fewer.get(mark.terms[1:], ())
    return len(passed) == 1 and not mark.other.base.count(passed[0])


def _went_with_its_statement(mark: Mark) -> bool:
    """Whether all of the statement of a piece that is gone went, one of several that make the same call, and the other side has no such one.

    What the other side says of the piece it then says of another of its statements. Of a single call it may be the answer
    to this one, in other words.
    """
    base, at_base = mark.half.base, mark.half.at_base
    units = base.units_of(mark.unit.statement)
    whole = [index for index in units if base.units[index].concept not in PIECES]
    if not whole or any(index not in at_base or mark.other.base.count(base.keys[index]) for index in whole):
        return False
    called = called_by(base.keys[whole[0]])
    return bool(called) and all(len(version.calls.get(called, ())) > 1 for version in (base, mark.other.base))
