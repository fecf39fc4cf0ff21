"""What is no longer awaited: between a blocking and an asynchronous twin `await` says nothing, within one side it does."""

import re
from collections.abc import Iterator

from consistency_bot.judge.marks import Mark, Part
from consistency_bot.judge.notices import Notice
from consistency_bot.judge.places import at, counterpart_of
from consistency_bot.judge.snippets import snippet
from consistency_bot.judge.versions import Half, Version
from consistency_bot.model import Verdict

_AWAITS = re.compile(r"\bawait\b|\basync\b")


def unawaited_in(part: Part) -> Iterator[Notice]:
    """Statements of an asynchronous function that stay as they are but for an `await` or `async` that is gone.

    `missed` where the other side still awaits, `undecided` where it blocks and cannot tell; nothing where the other side
    is asynchronous as well and does not await it either: then both agree.
    """
    for half, other in ((part.a, part.b), (part.b, part.a)):
        base, head = half.base, half.head
        if base is head or not (_is_async(base) and _is_async(head)):
            continue
        for terms, places in head.places.items():
            before = base.places.get(terms, ())
            if len(before) != len(places) or not before:
                continue
            for was, now in zip(before, places, strict=True):
                if base.raw_of(was) != head.raw_of(now) and _awaits(base, was) > _awaits(head, now):
                    if not _agrees(part, half, other, now):
                        yield _notice(part, half, other, now)
                    break


def _agrees(part: Part, half: Half, other: Half, now: int) -> bool:
    partner = part.opposite(half, now)
    return partner is not None and _is_async(other.head) and _awaits(other.head, partner) <= _awaits(half.head, now)


def _notice(part: Part, half: Half, other: Half, now: int) -> Notice:
    mark = Mark(part, half, other, now, False, "missed")
    mark.partner = part.opposite(half, now)
    unit = mark.unit
    changed, counterpart = at(half, unit.line, unit.end_line), counterpart_of(mark)
    is_awaited = mark.partner is not None and _awaits(other.head, mark.partner) > 0
    there = ""
    if counterpart is not None:
        does = "still waits there" if is_awaited else "blocks and cannot tell"
        there = f"; {counterpart.side} {does} ({counterpart.path}:{counterpart.line})"
    message = (
        f"{changed.side} no longer waits for `{snippet(mark)}` in `{changed.function}` "
        f"({changed.path}:{changed.line}): an `await` or `async` is gone{there}."
    )
    verdict: Verdict = "missed" if is_awaited else "undecided"
    return Notice(verdict, "await", ("await", mark.terms), changed, counterpart, message)


def _is_async(version: Version) -> bool:
    return version.definition is not None and version.definition.is_async


def _awaits(version: Version, index: int) -> int:
    """How many `await` and `async` the text of a unit's statement has."""
    if version.definition is None:
        return 0
    statement = version.statements[version.units[index].statement]
    lines = version.definition.source.lines[statement.line - 1 : statement.end_line]
    return len(_AWAITS.findall("\n".join(lines)))
