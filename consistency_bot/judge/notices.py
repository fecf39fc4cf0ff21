"""What blocks nobody but is worth a line: a side that catches up, a side that has something of its own."""

from collections.abc import Iterator, Sequence

from consistency_bot.judge.marks import Mark, Part
from consistency_bot.judge.moves import Books
from consistency_bot.judge.places import counterpart_of, opening_of, place_of
from consistency_bot.judge.pools import weight
from consistency_bot.judge.sentences import concept_of
from consistency_bot.judge.snippets import snippet
from consistency_bot.judge.versions import Half
from consistency_bot.model import Place, Verdict

_SAYS_ENOUGH = 3


class Notice:
    """A finding in the making, about no mark. `terms` and `concept` go into its fingerprint."""

    __slots__ = ("changed", "concept", "counterpart", "message", "terms", "verdict")

    def __init__(
        self, verdict: Verdict, concept: str, terms: object, changed: Place, counterpart: Place | None, message: str
    ) -> None:
        self.verdict: Verdict = verdict
        self.concept = concept
        self.terms = terms
        self.changed = changed
        self.counterpart = counterpart
        self.message = message


def notices_of(parts: Sequence[Part], books: Books, blamed: frozenset[int]) -> Iterator[Notice]:
    """Notices for all parts. `books` know the new functions that only took over code; `blamed` are parts with findings."""
    for part in parts:
        a0, a1, b0, b1 = (half.definition is not None for half in (part.a.base, part.a.head, part.b.base, part.b.head))
        if part.number in blamed:
            continue
        if (a0 or a1) and (b0 or b1):
            for half, other, was, other_was in ((part.a, part.b, a0, b0), (part.b, part.a, b0, a0)):
                if half.head.definition is None or half.base is half.head:
                    continue
                if not was and other_was and other.head.definition is not None:
                    yield _caught_up_whole(half, other)
                elif was:
                    yield from _caught_up(part, half, other)
        else:
            half = part.a if (a0 or a1) else part.b
            yield from _alone(half, part, books)


def _caught_up_whole(half: Half, other: Half) -> Notice:
    """A definition that the other side had before: in step where both say the same, else not decided."""
    changed, counterpart = opening_of(half), opening_of(other)
    mine, theirs = half.head, other.head
    own = [key for key in mine.places if mine.count(key) > theirs.count(key)]
    lacking = [key for key in theirs.places if theirs.count(key) > mine.count(key)]
    text = (
        f"{changed.side} now has `{changed.function}` ({changed.path}:{changed.line}), as {counterpart.side} had before "
        f"({counterpart.path}:{counterpart.line})"
    )
    said = ("def", changed.function)
    if not own and not lacking:
        return Notice("repaired", "function", said, changed, counterpart, text + ".")
    text += f", but they do not say the same: {len(own)} {_units(own)} here and {len(lacking)} there have no likeness"
    return Notice(
        "undecided", "function", (said, sorted(map(repr, (*own, *lacking)))), changed, counterpart, text + "."
    )


def _units(keys: Sequence[object]) -> str:
    return "unit" if len(keys) == 1 else "units"


def _caught_up(part: Part, half: Half, other: Half) -> Iterator[Notice]:
    for terms, places in half.head.places.items():
        count, before, there = len(places), half.base.count(terms), other.head.count(terms)
        if count > before and there >= count and other.base.count(terms) >= count and weight(terms) >= _SAYS_ENOUGH:
            index = half.new_of(places)
            mark = Mark(part, half, other, index, False, "repaired")
            mark.partner = other.head.places[terms][0]
            changed, counterpart = place_of(mark), counterpart_of(mark)
            if counterpart is None:
                continue
            message = (
                f"{changed.side} now says `{snippet(mark)}` ({changed.path}:{changed.line}), as {counterpart.side} did before "
                f"({counterpart.path}:{counterpart.line})."
            )
            yield Notice("repaired", concept_of(mark), terms, changed, counterpart, message)
            return


def _alone(half: Half, part: Part, books: Books) -> Iterator[Notice]:
    definition = half.head.definition
    if definition is None or definition.kind != "function" or half.base.keys == half.head.keys:
        return
    if definition.name in books.extracted:
        return
    changed = opening_of(half)
    there = part.b.side.name if half is part.a else part.a.side.name
    what = "has a new function" if half.base.definition is None else "changed"
    message = (
        f"{changed.side} {what} `{changed.function}` ({changed.path}:{changed.line}); {there} has no counterpart of it."
    )
    yield Notice("one_sided", "function", ("def", changed.function), changed, None, message)
