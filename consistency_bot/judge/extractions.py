"""What one side only moved into a function of its own, or took out of one: read with the calls put back.

`_check(limit)` with a new `def _check(n): if n < 0: raise ...` says what the three lines said that stood there. Who reads
the new function where it is called, with what is passed in the places of the parameters, sees what is gone and what is
not: a value that is passed in another place, a keyword that was left behind, are gone; names of parameters are not.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TYPE_CHECKING

from consistency_bot.judge.marks import Mark, Part
from consistency_bot.judge.private_names import is_private
from consistency_bot.judge.quads import SideVersions
from consistency_bot.judge.speech import Speech
from consistency_bot.judge.versions import Half, Hunk, names_called
from consistency_bot.syntax import Definition, Unit

if TYPE_CHECKING:
    from consistency_bot.judge.call_sites import CallSite
    from consistency_bot.judge.expanding import Expanded
    from consistency_bot.judge.put_back import PutBack

_NEAR = 3
"""So few units between two hunks were kept by chance, as a `raise` that both have."""

_OWNERS = (("self",), ("cls",))


class _Functions:
    """The functions of a side at one revision, by name; `new` are the names of those that the other one has not."""

    def __init__(self, definitions: Sequence[Definition], is_kept: Callable[[Definition], bool]) -> None:
        self._named: dict[str, list[Definition]] = {}
        for each in definitions:
            if each.kind == "function":
                self._named.setdefault(each.name, []).append(each)
        self._definitions = definitions
        every = [each for named in self._named.values() for each in named]
        self.names = frozenset(map(_token_of, every))
        self.new = self.names - {_token_of(each) for each in every if is_kept(each)}

    def find(self, site: "CallSite", caller: Definition) -> Definition | None:
        """The function that a call means; None where it may be any of several, or one of whatever it is called on."""
        every = [each for each in self._named.get(site.name, ()) if bool(each.owner) == bool(site.receiver)]
        if site.receiver in _OWNERS:
            own = [each for each in every if each.owner == caller.owner]
            owners = self._owners_of(caller.owner) if not own else []
            every = own or next(filter(None, ([each for each in every if each.owner == one] for one in owners)), [])
        elif site.receiver and site.token not in self.new:
            every = [each for each in every if each.owner.rpartition(".")[2] == site.receiver[-1]]
        return every[0] if len(every) == 1 else None

    @cached_property
    def _bases(self) -> dict[str, frozenset[str]]:
        return {each.qualname: _bases_of(each) for each in self._definitions if each.kind == "class"}

    def _owners_of(self, owner: str) -> list[str]:
        """A class and those that it inherits from, as far as the side has them, nearest first."""
        out = [owner]
        for each in out:
            names = [qualname for qualname in self._bases if qualname.rpartition(".")[2] in self._bases.get(each, ())]
            out.extend(name for name in names if name not in out)
        return out


def _token_of(function: Definition) -> str:
    """The name of a function as terms have it where it is called."""
    return f".{function.name}" if function.owner else function.name


def _bases_of(definition: Definition) -> frozenset[str]:
    return frozenset(str(unit.terms[-1]).removeprefix(".") for unit in definition.units if unit.concept == "base class")


class _Side:
    """One side's functions at base and at head."""

    def __init__(self, side: SideVersions) -> None:
        self.base = _Functions(side.base, lambda each: each in side.own.pairs)
        self.head = _Functions(side.head, lambda each: each in side.own.back)
        self.names = self.base.names | self.head.names

    def put_back(
        self, base: Definition, head: Definition, names: AbstractSet[str]
    ) -> "tuple[Expanded | None, Expanded | None]":
        """Both revisions of a function with all calls of some functions put back; None for one where none is.

        Of each function all calls are, at both revisions, or none.
        """
        from consistency_bot.judge.expanding import expanded

        while names:
            before, unread = expanded(base, self.base.find, frozenset(names), self.base.new)
            after, also_unread = expanded(head, self.head.find, frozenset(names), self.head.new)
            if not unread and not also_unread:
                return before, after
            names = names - unread - also_unread
        return None, None


class Extractions:
    """The calls of all parts that came to a side's functions, or left them. Looked for where something may be missed."""

    def __init__(self, parts: Sequence[Part], speech: Speech) -> None:
        self._parts = {id(half): part for part in parts for half in (part.a, part.b)}
        self._gone = {
            half.base.definition for part in parts for half in (part.a, part.b) if half.head.definition is None
        }
        self._speech = speech
        self._sides: dict[str, _Side] = {}
        self._read: dict[int, PutBack | None] = {}
        self._as_moved: set[int] = set()

    def without_extracted(self, marks: Sequence[Mark]) -> list[Mark]:
        """The marks without what only went into a function that is called in its place, or came out of one.

        Where more came out of a function than it said, the call is missed: it is what the other side still has.
        """
        read = [(mark, self._reading_of(mark.half)) for mark in marks]
        asked = [(mark, each) for mark, each in read if each is not None]
        asked.sort(key=lambda pair: not pair[1].misses_around(pair[0]))  # of several that say the same these are gone
        explained = [(mark, each) for mark, each in asked if each.explains(mark)]
        known = {id(mark) for mark, _ in explained}
        dissolved = self._dissolved(read, frozenset(known))
        left = [(mark, each) for mark, each in read if id(mark) not in known]
        came, gone = ({id(mark.hunk) for mark, _ in left if mark.is_gone == is_gone} for is_gone in (False, True))
        with_more = {
            id(mark.hunk) for mark, each in left if each is not None and not mark.is_gone and each.is_call(mark)
        }
        for mark, each in explained:
            if mark.is_gone and each.is_call(mark):
                known -= {id(mark)} if id(mark.hunk) in came else set()
            elif mark.is_gone and (id(mark.hunk) in with_more - gone or not each.stands_alike(mark)):
                known.remove(id(mark))
                self._as_moved.add(id(mark))
        return [mark for mark in marks if id(mark) not in known and mark.half.base.definition not in dissolved]

    def _dissolved(self, read: "Sequence[tuple[Mark, PutBack | None]]", known: Container[int]) -> frozenset[Definition]:
        """The functions that are gone, and of which all is said where they were called and the other side calls them.

        Private ones: who calls a public one from elsewhere has lost it.
        """
        told: set[Definition] = set()
        missed: set[Definition] = set()
        for mark, each in read:
            if each is not None and mark.is_gone:
                (told if id(mark) in known else missed).update(each.called_at(mark))
        return frozenset(each for each in told - missed if each in self._gone and is_private(each.name))

    def is_read(self, mark: Mark, function: Definition) -> bool:
        """Whether a function was read where the mark's half calls it: what is missed is not said there.

        What it returns it may say as it was said before, to a caller that returns it.
        """
        read = self._read.get(id(mark.half))
        if read is None or id(mark) in self._as_moved:
            return False
        return function in (read.returned if mark.unit.concept == "return" else read.functions)

    def is_missing(self, mark: Mark) -> bool:
        """Whether something is gone that no function says which the mark's half calls, as far as these were read."""
        read = self._read.get(id(mark.half))
        return read is not None and mark.is_gone and id(mark) not in self._as_moved and not read.is_call(mark)

    def is_call_read(self, mark: Mark) -> bool:
        """Whether an addition calls a function that was read there."""
        read = self._read.get(id(mark.half))
        return read is not None and read.is_call(mark)

    def _reading_of(self, half: Half) -> "PutBack | None":
        """A half with the calls put back that it has at one revision only; None where it has none that can be."""
        if id(half) not in self._read:
            part = self._parts.get(id(half))
            self._read[id(half)] = (
                self._put_back(part, half) if part is not None and half.base is not half.head else None
            )
        return self._read[id(half)]

    def _put_back(self, part: Part, half: Half) -> "PutBack | None":
        before, after = half.base.definition, half.head.definition
        names = self._called_otherwise(half)
        if before is None or after is None or not names:
            return None
        from consistency_bot.judge.put_back import PutBack  # most changes move nothing into a function

        side = self._side_of(half)
        kept = names & side.base.names & side.head.names
        base, head = side.put_back(before, after, names - kept)
        if kept:  # of those that it calls as often once the others are put back nothing changed
            was = _called_in((base.definition if base is not None else before).units)
            now = _called_in((head.definition if head is not None else after).units)
            unchanged = {name for name in kept if was[name] == now[name]}
            if unchanged != kept:
                base, head = side.put_back(before, after, names - unchanged)
        if base is None and head is None:
            return None
        pair = (base.definition if base is not None else before, head.definition if head is not None else after)
        other = part.other(half)
        return PutBack(half, self._speech.reread(part.number, half, other, pair), base, head)

    def _called_otherwise(self, half: Half) -> set[str]:
        """The functions of its side, and those defined in it, that a half calls more often or less often than before.

        Only those whose call stands for something else at the other revision: what is just called is no other reading.
        """
        base, head = half.base.units, half.head.units
        names: set[str] = set()
        for stretch in _stretches(half.hunks):
            gone = [unit for hunk in stretch for unit in base[hunk.low0 : hunk.high0]]
            came = [unit for hunk in stretch for unit in head[hunk.low1 : hunk.high1]]
            names.update(_called_in(gone + came) if gone and came else ())
        if not names:
            return names
        known = self._side_of(half).names
        if not names <= known:
            known = known.union(str(unit.terms[1]) for unit in (*base, *head) if unit.concept == "definition")
        names &= known
        before, after = (
            _called_in(units[at] for at in where) for units, where in ((base, half.at_base), (head, half.at_head))
        )
        return {name for name in names if before[name] != after[name]}

    def _side_of(self, half: Half) -> _Side:
        found = self._sides.get(half.side.name)
        if found is None:
            found = self._sides[half.side.name] = _Side(half.side)
        return found


def _stretches(hunks: Sequence[Hunk]) -> Iterator[list[Hunk]]:
    """The hunks, those together between which hardly anything was kept."""
    stretch: list[Hunk] = []
    for hunk in hunks:
        if stretch and hunk.low1 - stretch[-1].high1 > _NEAR:
            yield stretch
            stretch = []
        stretch.append(hunk)
    if stretch:
        yield stretch


def _called_in(units: Iterable[Unit]) -> Counter[str]:
    """How often everything is called in some units."""
    return Counter(name for unit in units for name in names_called(unit))
