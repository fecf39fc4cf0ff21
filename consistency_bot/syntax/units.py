"""Units, the statements that they belong to, and blocks of statements that stand in more than one body."""

from collections.abc import Sequence

import msgspec

from consistency_bot.syntax.terms import Terms


class Unit(msgspec.Struct, eq=False, gc=False):
    """One unit: what it says (`terms`), what it is (`concept`) and where. Lines count from 1.

    `statement` is the index of its statement in the body.
    """

    concept: str
    terms: Terms
    line: int
    end_line: int
    statement: int


class Statement(msgspec.Struct, eq=False, gc=False):
    """One statement's own part: for a compound statement its header only.

    `parent` is the index of the compound statement around it, -1 at the top of the body. `is_otherwise` tells the
    conditions after the first of an `if` chain, and what stands in its `else`. `raw` is the source without white space
    and comments: it changes when anybody touches the statement, prose included.
    """

    line: int
    end_line: int
    parent: int
    raw: bytes
    units: list[Unit]
    is_otherwise: bool = False


class Block:
    """The statements that one compound statement was read as, for every other one with the same text."""

    __slots__ = ("_at", "_line", "_otherwise", "_parent", "_statements")

    def __init__(self, statements: Sequence[Statement], at: int, parent: int, line: int) -> None:
        """`at` is the index of the first of them in its body, `line` the one on which their text begins."""
        self._statements = statements
        self._otherwise = [each.is_otherwise for each in statements]  # an `if` around them has not been read to its end
        self._at, self._parent, self._line = at, parent, line

    def put(self, out: list[Statement], parent: int, line: int) -> None:
        """Appends them to another body."""
        on, down = len(out) - self._at, line - self._line
        for index, (each, is_otherwise) in enumerate(zip(self._statements, self._otherwise, strict=True), len(out)):
            units = [Unit(u.concept, u.terms, u.line + down, u.end_line + down, index) for u in each.units]
            around = parent if each.parent == self._parent else each.parent + on
            out.append(Statement(each.line + down, each.end_line + down, around, each.raw, units, is_otherwise))
