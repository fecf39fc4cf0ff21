"""What stands in which block: a statement that left its `if` on one side says the same words and does something else."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache, cached_property

from consistency_bot.judge.marks import Mark, Part, Parting, partings
from consistency_bot.judge.notices import Notice
from consistency_bot.judge.places import at
from consistency_bot.judge.snippets import snippet
from consistency_bot.judge.versions import Counts, Half, Version
from consistency_bot.model import Place
from consistency_bot.syntax import Terms

_EXITS = frozenset({"return", "raise", "continue", "break"})


class Nested(Counts):
    """One version with its statements seen together with what they stand in."""

    def __init__(self, version: Version) -> None:
        self.version = version
        self.places = {}
        for number in range(len(version.statements)):
            units = version.units_of(number)
            if units:
                key: Terms = ("in", (version.keys[units.start],), (self.block_of(number),))
                self.places.setdefault(key, []).append(units.start)

    @cached_property
    def saying(self) -> dict[Terms, list[tuple[Terms, list[int]]]]:
        """The terms, each with its places, of what says the same in whatever block, by what it says."""
        out: dict[Terms, list[tuple[Terms, list[int]]]] = {}
        for terms, places in self.places.items():
            out.setdefault(_opened(terms)[0], []).append((terms, places))
        return out

    @cached_property
    def exits(self) -> int:
        """How many `return`, `raise`, `continue` and `break` it has."""
        return sum(1 for unit in self.version.units if unit.concept in _EXITS)

    def block_of(self, number: int) -> Terms:
        """What heads the block around a statement, and whether it is an `else`; empty at the top of the function."""
        statement = self.version.statements[number]
        otherwise: Terms = ("else",) if statement.is_otherwise else ()
        parent = self.version.speaking(statement.parent)
        return (*otherwise, *self.version.keys[self.version.units_of(parent).start]) if parent >= 0 else otherwise


def _told(part: Part, parting: Parting, now: int, there: int) -> Notice:
    """One sentence that names where the statement stands now, and where it stands in the block as before."""
    half, other = (part.a, part.b) if parting.is_a else (part.b, part.a)

    def around(one: Half, index: int) -> str:
        head = one.head
        statement = head.statements[head.units[index].statement]
        parent = head.speaking(statement.parent)
        where = f"under `{said(one, head.units_of(parent).start)}`" if parent >= 0 else "at the top"
        return f"in the `else` of what stands before it, {where}" if statement.is_otherwise else where

    def said(one: Half, index: int) -> str:
        return snippet(Mark(part, one, other, index, False, "missed"))

    changed, counterpart = _place(half, now), _place(other, there)
    message = (
        f"{changed.side} now has `{said(half, now)}` {around(half, now)} in "
        f"`{changed.function or 'the module'}` ({changed.path}:{changed.line}); {counterpart.side} still has it "
        f"{around(other, there)} ({counterpart.path}:{counterpart.line})."
    )
    return Notice(parting.verdict, "nesting", parting.terms, changed, counterpart, message)


def displaced_in(part: Part) -> Iterator[Notice]:
    """One for each statement of a part that one side took out of a block, or into one; none where words parted too, which says it better."""
    four = (part.a.base, part.a.head, part.b.base, part.b.head)
    if any(version.definition is None for version in four):
        return
    read = cache(Nested)  # what a side left alone is one version, at base and at head
    if not any(_has_rearranged(half, read) for half in (part.a, part.b)):
        return
    nested = [read(version) for version in four]
    plain = {parting.terms for parting in partings(*four)}
    for parting in partings(*nested):
        if not parting.is_gone or parting.verdict == "diverged":
            continue
        mine = nested[0:2] if parting.is_a else nested[2:4]
        theirs = nested[3] if parting.is_a else nested[1]
        now = _where_to(parting, mine, plain)
        there = theirs.places.get(parting.terms)
        if now is not None and there:
            yield _told(part, parting, now, there[0])


def _where_to(parting: Parting, mine: Sequence[Nested], plain: set[Terms]) -> int | None:
    """Where the statement went; None where its words or a block's head came or went: then these are told."""
    said, block = _opened(parting.terms)
    base, head = mine
    if said in plain or head.version.count(said) < base.version.count(said):
        return None
    if not _is_kept(block, base, head, plain):
        return None
    for terms, places in head.saying.get(said, ()):
        there = _opened(terms)[1]
        if len(places) <= base.count(terms) or not _is_kept(there, base, head, plain):
            continue
        if _heads_of(there) == _heads_of(block) and base.exits != head.exits:
            continue  # what stands after an early exit stands in its `else`
        if _are_alternatives(base.version, block, there) or _are_alternatives(head.version, block, there):
            continue  # `if a: X elif b: X` says `if a or b: X`
        return places[-1]
    return None


def _opened(terms: Terms) -> tuple[Terms, Terms]:
    """What a statement says, and the block that it stands in."""
    said, block = terms[1], terms[2]
    return (said[0], block[0]) if isinstance(said, tuple) and isinstance(block, tuple) else ((), ())


def _heads_of(block: Terms) -> Terms:
    """What heads a block, whether it is an `else` or not."""
    return block[1:] if block[:1] == ("else",) else block


def _are_alternatives(version: Version, one: Terms, other: Terms) -> bool:
    """Whether both heads are alternatives of one condition."""
    heads = _heads_of(one), _heads_of(other)
    homes = [{version.units[index].statement for index in version.places.get(each, ())} for each in heads]
    return heads[0] != heads[1] and not homes[0].isdisjoint(homes[1])


def _is_kept(block: Terms, base: Nested, head: Nested, plain: set[Terms]) -> bool:
    """Whether what heads the block stands at base and head alike."""
    heads = _heads_of(block)
    return not heads or (heads not in plain and base.version.count(heads) == head.version.count(heads) > 0)


def _has_rearranged(half: Half, read: Callable[[Version], Nested]) -> bool:
    """Whether anything that stays stands in another block."""
    if half.base is half.head:
        return False
    base, head = read(half.base), read(half.head)
    return any(
        base.count(terms) != len(places) and half.base.count(_opened(terms)[0]) for terms, places in head.places.items()
    )


def _place(half: Half, index: int) -> Place:
    unit = half.head.units[index]
    return at(half, unit.line, unit.end_line)
