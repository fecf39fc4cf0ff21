"""Arguments and entries that were one side's own before a change, and are no more or less so after it."""

from collections.abc import Sequence

from consistency_bot.judge.marks import PIECES, Mark
from consistency_bot.judge.versions import called_by


def without_own_pieces(marks: Sequence[Mark]) -> list[Mark]:
    """The marks without pieces that only follow their statement: an old difference under a new name, or gone with it."""
    return [mark for mark in marks if not (_follows_the_callee(mark) or _went_with_its_statement(mark))]


def _follows_the_callee(mark: Mark) -> bool:
    """Whether its side passed the same argument before, in a call of another name, and the other side did not.

    `Net(softmax=True)` that was `Actor(softmax=True)` says nothing new of `softmax`.
    """
    if mark.is_gone or mark.unit.concept != "argument":
        return False
    base, head = mark.half.base, mark.half.head
    passed = [key for key in base.places if key[1:] == mark.terms[1:] and base.count(key) > head.count(key)]
    return len(passed) == 1 and not mark.other.base.count(passed[0])


def _went_with_its_statement(mark: Mark) -> bool:
    """Whether all of its statement went, one of several that make the same call, and the other side has no such one.

    What the other side says of the piece it then says of another of its statements. Of a single call it may be the answer
    to this one, in other words.
    """
    if not mark.is_gone or mark.unit.concept not in PIECES:
        return False
    base, at_base = mark.half.base, mark.half.at_base
    units = base.units_of(mark.unit.statement)
    whole = [index for index in units if base.units[index].concept not in PIECES]
    if not whole or any(index not in at_base or mark.other.base.count(base.keys[index]) for index in whole):
        return False
    called = called_by(base.keys[whole[0]])
    return bool(called) and all(
        sum(1 for key in version.keys if called_by(key) == called) > 1 for version in (base, mark.other.base)
    )
