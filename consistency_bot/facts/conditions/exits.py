"""Under which condition a statement of a function is reached, what a function returns, and what it refuses."""

from typing import TYPE_CHECKING

from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.branches import branch_test, ends
from consistency_bot.facts.conditions.formulas import (
    FALSE,
    TRUE,
    Formula,
    atom,
    both,
    conjunction,
    disjunction,
    negation,
)
from consistency_bot.facts.conditions.frames import Frame, Spot
from consistency_bot.facts.conditions.loops import called
from consistency_bot.facts.conditions.values import Choices, Literal, Value, under
from consistency_bot.syntax.flow import Block, Step
from consistency_bot.syntax.parsed import Call, worded

if TYPE_CHECKING:
    from consistency_bot.facts.conditions.reader import Reader

_MOST_RETURNS = 20
_MOST_BRANCHES = 60


def reached(
    reader: "Reader", block: Block, index: int, frame: Frame, inside: Block | None = None, start: int = 0
) -> Formula:
    """The condition under which the statement `index` of a block is reached, once its function is called.

    With `inside`, once the statement `start` of that block around it is reached. Statements that raise do not count:
    what they refuse does not run at all (`raises`).
    """
    first = start if block is inside else 0
    parts = [negation(_leaves(reader, step, frame, in_loop=False)) for step in block.leaving(first, index)]
    if block.owner is not None and block is not inside:
        parts.append(_entered(reader, block, block.owner, frame, inside, start))
    return conjunction(parts)


def _entered(reader: "Reader", block: Block, owner: Step, frame: Frame, inside: Block | None, start: int) -> Formula:
    """The condition under which a block of a compound statement is entered; `inside` and `start` as above."""
    key = (id(block), id(frame), id(inside), start)
    known = reader.entered.get(key)
    if known is None:
        reached_there = reached(reader, owner.block, owner.index, frame, inside, start)
        known = reader.entered[key] = both(_taken(reader, owner, block, frame), reached_there), frame
    return known[0]


def _taken(reader: "Reader", step: Step, block: Block, frame: Frame) -> Formula:
    """The condition under which a compound statement runs one of its blocks."""
    branches = step.branches
    at = next(index for index, each in enumerate(branches) if each.block is block)
    if step.kind in ("if", "match") and at > _MOST_BRANCHES:
        asked = step.subject if step.kind == "match" else branches[0].test
        said = f"branch {at + 1} of {step.kind} {worded(asked) if asked is not None else ''}"
        return atom(Atom((said,), doubt="it depends on too many branches"))
    if step.kind in ("if", "match"):
        before = [negation(branch_test(reader, step, each, frame)) for each in branches[:at]]
        return conjunction([*before, branch_test(reader, step, branches[at], frame)])
    if branches[at].word == "except":
        return branch_test(reader, step, branches[at], frame)
    return TRUE


def _leaves(reader: "Reader", step: Step, frame: Frame, in_loop: bool) -> Formula:
    """The condition under which the statement after this one is not reached, other than by an exception.

    Of what is inside a loop of its own, only `return` leaves.
    """
    if step.kind == "return" or (step.kind in ("break", "continue") and not in_loop):
        return TRUE
    if not step.branches or not step.may_leave:
        return FALSE
    if step.kind in ("for", "while"):
        inside = [_leaves_block(reader, each, frame, in_loop=True) for each in step.blocks]
        if all(each is FALSE for each in inside):
            return FALSE
        return atom(Atom((f"{called(reader, step, frame)} returns",), doubt="it depends on what is looped over"))
    parts = (
        both(_taken(reader, step, each, frame), _leaves_block(reader, each, frame, in_loop)) for each in step.blocks
    )
    return disjunction(parts)


def _leaves_block(reader: "Reader", block: Block, frame: Frame, in_loop: bool) -> Formula:
    return disjunction(_leaves(reader, each, frame, in_loop) for each in block.steps)


def returned(reader: "Reader", frame: Frame, call: Call) -> Choices:
    """What a function returns as it is called here; None where it comes to its end."""
    body = frame.function.body
    steps = [step for step in frame.function.every if step.kind == "return"]
    if len(steps) > _MOST_RETURNS:
        return reader.unread("its function returns in too many places", call)
    out: list[tuple[Formula, Value]] = []
    for step in steps:
        here = reached(reader, step.block, step.index, frame)
        value = reader.value(step.value, Spot.before(step, frame)) if step.value is not None else _NONE
        out.extend(under(here, value))
    if not ends(body):
        out.extend(under(reached(reader, body, len(body.steps), frame), _NONE))
    return tuple(out)


_NONE: Choices = ((TRUE, Literal(None)),)


def raises(reader: "Reader", step: Step, frame: Frame) -> Formula:
    """The condition under which a `raise` or an `assert` raises; false where a `try` or a loop is around it."""
    return FALSE if _is_caught(step) else refuses(reader, step, frame)


def refuses(reader: "Reader", step: Step, frame: Frame) -> Formula:
    """The same, whatever is around it; of another statement than an `assert` the condition under which it is reached."""
    here = reached(reader, step.block, step.index, frame)
    if step.kind != "assert":
        return here
    spot = Spot.before(step, frame)
    return conjunction([here, *(negation(reader.truth(each, spot)) for each in step.tests)])


def _is_caught(step: Step) -> bool:
    owner = step.block.owner
    while owner is not None:
        if owner.kind in ("try", "for", "while"):
            return True
        owner = owner.block.owner
    return False
