"""Which functions of a side lead to which: what moved where nobody passes any more is gone from where it was."""

import re
from collections.abc import Sequence
from functools import cached_property

from consistency_bot.judge.private_names import is_public
from consistency_bot.judge.quads import SideVersions
from consistency_bot.judge.versions import Half
from consistency_bot.syntax import Definition

_WORD = re.compile(rb"[^\W\d]\w*")
_SET = re.compile(rb"\bself\.(\w+)[ \t]*[=:](?!=)")
_MOST = 500
"""A function that leads to so many others may lead to any."""

_CONSTRUCTORS = frozenset({"__init__", "__new__", "__post_init__", "__enter__", "__aenter__"})
"""They run before any other method does."""


class Reach:
    """The functions of one side at head, and the names by which each leads to others. Read when somebody asks."""

    def __init__(self, side: SideVersions) -> None:
        self._side = side
        self._words: dict[Definition, frozenset[bytes]] = {}
        self._reached: dict[Definition, set[bytes]] = {}

    def is_out_of(self, half: Half, homes: Sequence[Half]) -> bool:
        """Whether a public function does not lead to any of those that got what it lost, nor they to it, by any name.

        Callers from outside that called the one do not get to the others. What a constructor does, and what sets an
        attribute that the function uses, has been done before it runs. False where one of them is no
        function, or leads to more than can be followed.
        """
        mine, others = half.head.definition, [each.head.definition for each in homes]
        if mine is None or mine.kind != "function" or not is_public(mine.name):
            return False
        theirs = [each for each in others if each is not None and each.kind == "function"]
        if len(theirs) != len(others):
            return False
        if any(each.name in _CONSTRUCTORS or self._prepares(each, mine) for each in theirs):
            return False
        name, names = mine.name.encode(), {each.name.encode() for each in theirs}
        if any(len(self._from(each)) >= _MOST for each in (mine, *theirs)):
            return False
        return names.isdisjoint(self._from(mine)) and not any(name in self._from(each) for each in theirs)

    def connects(self, one: Definition, other: Definition) -> bool:
        """Whether one of two functions leads to the other by names."""
        return other.name.encode() in self._from(one) or one.name.encode() in self._from(other)

    def goes_out_to(self, name: str, one: Definition) -> bool:
        """Whether a function leads by names to one that its side does not define: a helper that both sides share."""
        word = name.encode()
        if word in self._known:
            return False
        led_to = (each for known in self._from(one) for each in self._known[known])
        return word in self._words_of(one) or any(word in self._words_of(each) for each in led_to)

    @cached_property
    def _known(self) -> dict[bytes, list[Definition]]:
        out: dict[bytes, list[Definition]] = {}
        for each in self._side.head:
            if each.kind == "function":
                out.setdefault(each.name.encode(), []).append(each)
        return out

    def _words_of(self, function: Definition) -> frozenset[bytes]:
        words = self._words.get(function)
        if words is None:
            words = self._words[function] = frozenset(_WORD.findall(function.text))
        return words

    def _prepares(self, one: Definition, other: Definition) -> bool:
        """Whether a function sets an attribute that the other one uses."""
        return not self._words_of(other).isdisjoint(_SET.findall(one.text))

    def _from(self, start: Definition) -> set[bytes]:
        """The names of functions that one names, that those name, and so on; the first `_MOST` of them."""
        reached = self._reached.get(start)
        if reached is not None:
            return reached
        reached, todo = set(), [start]
        while todo and len(reached) < _MOST:
            named = self._known.keys() & self._words_of(todo.pop())
            for name in named - reached:
                reached.add(name)
                todo.extend(self._known[name])
        self._reached[start] = reached
        return reached
