"""One half read with calls put back: what it then still misses."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from consistency_bot.align.renames import flat
from consistency_bot.align.variables import ANY
from consistency_bot.judge.expanding import Expanded
from consistency_bot.judge.inlining import Inlined
from consistency_bot.judge.marks import Mark
from consistency_bot.judge.versions import Half, Version
from consistency_bot.syntax import Definition, Statement, Terms


class PutBack:
    """A half in another reading: `before` and `now` are what it says with the calls put back that `base` and `head` tell of.

    `functions` are those that it calls now and that were read, `returned` those whose results it returns.
    """

    def __init__(
        self, half: Half, versions: tuple[Version, Version], base: Expanded | None, head: Expanded | None
    ) -> None:
        self._before, self._now = versions
        self._base, self._head = base, head
        self._told: Counter[tuple[bool, Terms]] = Counter()
        self._missing: dict[tuple[bool, int], bool] = {}
        self._calls: dict[tuple[bool, int], bool] = {}
        self._around: dict[Terms, set[Terms]] = {}
        self.functions = frozenset().union(*head.read.values()) if head is not None else frozenset()
        self.returned = frozenset().union(*_read_where_returned(half.head.statements, head))

    def is_call(self, mark: Mark) -> bool:
        """Whether the statement of a mark has a call that was put back."""
        expanded = self._base if mark.is_gone else self._head
        return expanded is not None and mark.unit.statement in expanded.read

    def called_at(self, mark: Mark) -> frozenset[Definition]:
        """The functions that were read where the statement of a mark calls them."""
        expanded = self._base if mark.is_gone else self._head
        return expanded.read.get(mark.unit.statement, frozenset()) if expanded is not None else frozenset()

    def misses_around(self, mark: Mark) -> bool:
        """Whether the statement of a mark says something that the other revision does not say at all."""
        where = mark.is_gone, mark.unit.statement
        if where not in self._missing:
            here, there = (self._before, self._now) if mark.is_gone else (self._now, self._before)
            statements = {here.units[index].statement for index in self._indices_of(mark)}
            units = (here.keys[at] for each in statements for at in here.units_of(each))
            self._missing[where] = not all(map(there.count, units))
        return self._missing[where]

    def explains(self, mark: Mark) -> bool:
        """Whether what is gone still stands, or what came stood before, with calls put back, and temporaries too."""
        if self.is_call(mark):
            where = mark.is_gone, mark.unit.statement
            if where not in self._calls:
                self._calls[where] = self._explains(mark)
            return self._calls[where]
        return self._explains(mark)

    def _explains(self, mark: Mark) -> bool:
        indices = list(self._indices_of(mark))
        if self._is_kept(mark, indices):
            return True
        if self._before.bound.keys() == self._now.bound.keys():
            return False
        version = self._before if mark.is_gone else self._now
        if not any((mark.is_gone, version.units[index].statement) in self._parted for index in indices):
            return True
        return mark.is_gone and _with_any(mark.terms, self._left) in self._renewed

    def stands_alike(self, mark: Mark) -> bool:
        """Whether what is explained stands in a block with the head that it stood in; true of what is no single unit."""
        if not mark.is_gone or self.is_call(mark):
            return True
        base = self._before
        blocks = ((_around(base, index), self._blocks_of(base.keys[index])) for index in self._indices_of(mark))
        return all(not there or block in there for block, there in blocks)

    def _blocks_of(self, terms: Terms) -> set[Terms]:
        """What heads the blocks in which this is said now."""
        found = self._around.get(terms)
        if found is None:
            found = self._around[terms] = {_around(self._now, index) for index in self._now.places.get(terms, ())}
        return found

    def _is_kept(self, mark: Mark, indices: Sequence[int]) -> bool:
        base, head = self._before, self._now
        here, there = (base, head) if mark.is_gone else (head, base)
        keys = {here.keys[index] for index in indices}
        if self.is_call(mark):
            return all(there.count(key) >= here.count(key) for key in keys)
        for key in keys:
            self._told[mark.is_gone, key] += 1
            if self._told[mark.is_gone, key] <= here.count(key) - there.count(key):
                return False
        return True

    def _indices_of(self, mark: Mark) -> Iterator[int]:
        """Where it stands in this reading what the mark is about: all that its statement says where that one calls."""
        expanded, version = (self._base, self._before) if mark.is_gone else (self._head, self._now)
        if expanded is None:
            yield mark.index
            return
        before = mark.half.base if mark.is_gone else mark.half.head
        offset = mark.index - before.units_of(mark.unit.statement).start
        for number in expanded.made_of.get(mark.unit.statement, ()):
            units = version.units_of(number)
            yield from units if mark.unit.statement in expanded.read else units[offset : offset + 1]

    @cached_property
    def _parted(self) -> frozenset[tuple[bool, int]]:
        """(whether at base, statement) of all statements of which something came or went, temporaries put back."""
        names = frozenset(self._before.bound.keys() ^ self._now.bound.keys())
        base, head = Inlined(self._before, names), Inlined(self._now, names)
        return frozenset(
            (is_gone, statement)
            for here, there, is_gone in ((base, head, True), (head, base, False))
            for _, places in here.beyond(there)
            for index in places
            for statement in here.statements[index]
        )

    @cached_property
    def _left(self) -> frozenset[str]:
        """The variables that it has no more."""
        return frozenset(self._before.bound.keys() - self._now.bound.keys())

    @cached_property
    def _renewed(self) -> frozenset[Terms]:
        """What came, without the names of variables that are new: they may be the old ones under other names."""
        base, head = self._before, self._now
        new = frozenset(head.bound.keys() - base.bound.keys())
        every = (_with_any(terms, new) for terms, _ in head.beyond(base))
        return frozenset(terms for terms in every if ANY in terms)


def _read_where_returned(statements: Sequence[Statement], expanded: Expanded | None) -> Iterator[frozenset[Definition]]:
    for statement, functions in expanded.read.items() if expanded is not None else ():
        if any(unit.concept == "return" for unit in statements[statement].units):
            yield functions


def _with_any(terms: Terms, names: frozenset[str]) -> Terms:
    return tuple([ANY if token in names else token for token in flat(terms)])


def _around(version: Version, index: int) -> Terms:
    """What heads the nearest block around a unit that says something; empty at the top."""
    number = version.speaking(version.statements[version.units[index].statement].parent)
    return version.keys[version.units_of(number).start] if number >= 0 else ()
