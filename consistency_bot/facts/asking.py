"""What a kind of rule is asked with, and what it answers.

A kind never sees a change: it is asked about the sides at one revision, and whoever asks compares the answers.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

import msgspec

from consistency_bot.model import Place, Rule, Table, Tree
from consistency_bot.paths import fill_captures
from consistency_bot.syntax import Definition, Source
from consistency_bot.syntax.parsed import Constant

if TYPE_CHECKING:
    from consistency_bot.facts.conditions.calls import SideCode

T = TypeVar("T")


KnownAs = Callable[[frozenset[str]], Mapping[str, str]]
"""{a name of one side: what the first side calls that}, of some names: those that base shows to have another one there."""


def as_they_are(names: frozenset[str]) -> Mapping[str, str]:
    """No name has another one."""
    return {}


class SideAt:
    """One side at one revision: what its Python files define, its paths there, and the tree that they are in.

    `definitions` are those of the main file first, each file's module before its classes and functions; the same
    objects at base and head where a file is the same. `paths` are not of Python files alone. `changed` are all paths
    of the repository that the change touches; none at base, since nothing has changed there. `known_as` tells what its
    names are called on the first side.
    """

    __slots__ = ("_code", "_known", "changed", "definitions", "known_as", "name", "paths", "tree")

    def __init__(
        self,
        name: str,
        definitions: Sequence[Definition],
        paths: Sequence[str],
        tree: Tree,
        changed: frozenset[str] = frozenset(),
        known_as: KnownAs = as_they_are,
    ) -> None:
        self.name = name
        self.known_as = known_as
        self.definitions = definitions
        self.paths = paths
        self.tree = tree
        self.changed = changed
        self._code: SideCode | None = None
        self._known: dict[str, object] = {}

    @property
    def sources(self) -> list[Source]:
        """The Python files, the main one first."""
        return list({id(each.source): each.source for each in self.definitions}.values())

    @property
    def code(self) -> "SideCode":
        """The definitions, to be asked by name and for calls; one for all rules."""
        if self._code is None:
            from consistency_bot.facts.conditions.calls import SideCode  # only kinds that look into functions

            self._code = SideCode(self.definitions)
        return self._code

    @property
    def top(self) -> Place:
        """The gap where something would go that stands nowhere near another thing: behind the main file's first imports.

        Line 1 where it has neither these nor a docstring, or is no Python; an empty path where the side has no file.
        """
        return self.once("top", self._top)

    def _top(self) -> Place:
        if not self.definitions:
            return Place(self.name, (*self.paths, "")[0], 1, 0)
        module = self.definitions[0]
        line = 0
        for step in module.flow.body.steps:
            is_docstring = not step.index and isinstance(step.value, Constant) and step.kind == "call"
            if not is_docstring and step.kind != "import":
                break
            line = step.end_line
        return Place(self.name, module.path, line + 1, line)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """What `make` gives, made once for all rules that ask for this name."""
        if name not in self._known:
            self._known[name] = make()
        return cast("T", self._known[name])


class Breach(msgspec.Struct, frozen=True):
    """One way in which a side breaks a rule, or may break it where `doubt` says why nobody can tell.

    `what` is the thing as a person would name it under `only`: a patch, a backend, a condition; empty where the doubt is
    about all that the rule asks of the side. `said` is what else
    tells this breach from the side's others; base and head have one breach in common where side, `what` and `said` are
    equal, so neither may hold a line or a path. `message` is one sentence that names both places, each as
    `(path:line)`. `place` is where the side breaks the rule, or the gap where something would go (`end_line` is
    `line` - 1); `counterpart` is where another side says it.

    `alone` are the sides that do `what` and others do not: the breach is excused where `only` names it for all of
    them. A side that breaks a rule by what it does itself is alone with it.

    `between` are the two sides of `place` and `counterpart` where they differ and neither breaks the rule alone: then
    the one that the change touches is told as the changed one. `cured` is what is said where the breach is gone at
    head, without a place and a full stop; empty where "SIDE keeps the rule in WHAT again" says it.

    `extent` says how far the breach goes, where it can go further without being another one; `grounds` is what the
    kind's `further` needs to tell.
    """

    side: str
    what: str
    message: str
    place: Place
    counterpart: Place | None = None
    said: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    doubt: str = ""
    table: Table | None = None
    between: tuple[str, ...] = ()
    cured: str = ""
    extent: tuple[str, ...] = ()
    grounds: object = None


class Kind(Protocol):
    """The functions of a kind's module. What `read` gives is known to the kind alone.

    Two more names may stand in it. `READS_CODE_ALONE = True`: the answer of `read` depends on the definitions of the
    side and on nothing else, so a side that is the same at both revisions is read once. `further(base, head)`: of two
    breaches with one side, `what` and `said`, the part that is new, as a breach; None where head's goes no further.
    """

    def read(self, rule: Rule, side: SideAt) -> object:
        """The facts that the rule asks for: what this side says at this revision, with places."""

    def breaches(self, rule: Rule, facts: Mapping[str, object]) -> Iterable[Breach]:
        """Where the sides break the rule, by the facts of every side that is there; empty where it holds."""

    def told(self, facts: object) -> Iterator[str]:
        """The facts of one side as lines for people (`rules show`); empty where the rule sees nothing there."""


def filled(rule: Rule, captured: Mapping[str, str]) -> Rule:
    """The rule with what the captures of its twins stand for in the paths of its own."""
    keys = rule.keys
    any_of = tuple(fill_captures(each, captured) for each in keys.any_of)
    files = {side: tuple(fill_captures(each, captured) for each in paths) for side, paths in keys.files.items()}
    return msgspec.structs.replace(rule, keys=msgspec.structs.replace(keys, any_of=any_of, files=files))
