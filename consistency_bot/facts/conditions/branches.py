"""The branches of compound statements: what each is taken for, and whether it comes to its end."""

import re
from typing import TYPE_CHECKING

from consistency_bot.facts.conditions.atoms import Atom, Constant
from consistency_bot.facts.conditions.formulas import TRUE, Formula, atom
from consistency_bot.facts.conditions.frames import Frame, Spot
from consistency_bot.syntax.flow import Block, Branch, Step
from consistency_bot.syntax.parsed import Comparison, Other, worded
from consistency_bot.syntax.parsed import Constant as Written

if TYPE_CHECKING:
    from consistency_bot.facts.conditions.reader import Reader


def branch_test(reader: "Reader", step: Step, branch: Branch, frame: Frame) -> Formula:
    """The condition of one branch, once the branches before it are not taken."""
    key = (id(branch), id(frame))
    known = reader.tests.get(key)
    if known is None:
        known = reader.tests[key] = _test(reader, step, branch, frame), branch, frame
    return known[0]


def _test(reader: "Reader", step: Step, branch: Branch, frame: Frame) -> Formula:
    test, spot = branch.test, Spot.before(step, frame)
    if test is None:
        return TRUE
    if not isinstance(test, Other) or branch.word not in ("case", "except"):
        return reader.truth(test, spot)
    if branch.word == "case":
        return _case(reader, step, test, spot)
    return atom(Atom((test.text,), doubt="whether something is raised depends on the run"))


def _case(reader: "Reader", step: Step, test: Other, spot: Spot) -> Formula:
    pattern = test.text.removeprefix("case ").strip()
    if pattern == "_":
        return TRUE
    subject = step.subject
    quoted = re.fullmatch(r"(['\"])([\w-]*)\1|(True)|(False)|(None)|(\d{1,9})", pattern)
    if subject is None or quoted is None:
        said = f"{worded(subject)} matches {pattern}" if subject is not None else pattern
        return atom(Atom((said,), doubt="it matches a pattern"))
    words: dict[int, Constant] = {3: True, 4: False, 5: None}
    group = quoted.lastindex or 0
    value = int(pattern) if group == 6 else quoted[2] if group == 2 else words.get(group)
    return reader.truth(Comparison(test.line, subject, "==", Written(test.line, value)), spot)


def ends(block: Block) -> bool:
    """Whether a block never comes to its end: its last statement leaves."""
    if not block.steps:
        return False
    last = block.steps[-1]
    if last.kind in ("return", "raise", "break", "continue"):
        return True
    if last.kind == "if":
        return last.branches[-1].word == "else" and all(ends(each) for each in last.blocks)
    return last.kind == "with" and ends(last.blocks[0])
