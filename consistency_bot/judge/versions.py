"""One part of the twins in the common words: what it says at base and head, where it changed, what stands opposite."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from consistency_bot.align.renames import core, flat
from consistency_bot.align.sequences import opcodes
from consistency_bot.align.sliding import opcodes_by
from consistency_bot.align.translation import Translation
from consistency_bot.align.variables import bindings
from consistency_bot.judge.quads import SideVersions
from consistency_bot.syntax import Definition, Statement, Terms, Token, Unit


class Counts:
    """What something says, as far as comparing needs it: `places` holds where each of its terms stands."""

    places: dict[Terms, list[int]]

    def count(self, terms: Terms) -> int:
        """How often it says this."""
        return len(self.places.get(terms, ()))

    def beyond(self, other: "Counts") -> list[tuple[Terms, list[int]]]:
        """What it says more often than another one, and all the places where it does."""
        there = other.places
        return [(terms, places) for terms, places in self.places.items() if len(places) > len(there.get(terms, ()))]


class Version(Counts):
    """One definition at one revision, in the common words: `keys[i]` is what `units[i]` says.

    `places` holds the indices at which each key stands. All are empty where the definition does not exist. `interface`
    are the words for its parameters, where these differ.
    """

    def __init__(self, definition: Definition | None, words: Translation, interface: Translation | None = None) -> None:
        self.definition = definition
        self.statements: Sequence[Statement] = definition.statements if definition is not None else ()
        self.units = definition.units if definition is not None else []
        self.keys = [words.of(unit.terms) for unit in self.units]
        if interface is not None:
            for index, unit in enumerate(self.units):
                if unit.concept in ("parameter", "default") and self.statements[unit.statement].parent < 0:
                    self.keys[index] = interface.of(unit.terms)
        self.places = {}
        for index, key in enumerate(self.keys):
            self.places.setdefault(key, []).append(index)

    def raw_of(self, index: int) -> bytes:
        """The text, without white space, of the statement that a unit belongs to."""
        return self.statements[self.units[index].statement].raw

    @cached_property
    def _spans(self) -> dict[int, range]:
        """The indices of the units of each statement that has one."""
        out: dict[int, range] = {}
        start = 0
        for index, unit in enumerate(self.units):
            if unit.statement != self.units[start].statement:
                start = index
            out[unit.statement] = range(start, index + 1)
        return out

    @cached_property
    def texts(self) -> frozenset[bytes]:
        """The texts of its statements without white space."""
        return frozenset(each.raw for each in self.statements)

    @cached_property
    def slot_at(self) -> Sequence[Terms]:
        """What each unit gives a value to: a target, a keyword, a key or a parameter; empty where it gives none."""
        return [slot_of(key) for key in self.keys]

    @cached_property
    def slots(self) -> Counter[Terms]:
        """How often it gives a value to each thing."""
        return Counter(self.slot_at)

    @cached_property
    def by_kind(self) -> dict[tuple[str, Terms], list[int]]:
        """Where units of a concept stand that give a value to one thing, in order; under no slot all of the concept."""
        out: dict[tuple[str, Terms], list[int]] = {}
        for index, (unit, slot) in enumerate(zip(self.units, self.slot_at, strict=True)):
            out.setdefault((unit.concept, ()), []).append(index)
            if slot:
                out.setdefault((unit.concept, slot), []).append(index)
        return out

    @cached_property
    def calls(self) -> dict[Terms, list[int]]:
        """Where units call a thing, or give the value of such a call, by what is called."""
        out: dict[Terms, list[int]] = {}
        for index, key in enumerate(self.keys):
            out.setdefault(called_by(key), []).append(index)
        return out

    @cached_property
    def callees(self) -> frozenset[Token]:
        """The names of the calls that it passes arguments to."""
        return frozenset(key[0] for key in self._keys_of("argument"))

    @cached_property
    def passed(self) -> frozenset[Terms]:
        """What it passes to calls, without their names."""
        return frozenset(key[1:] for key in self._keys_of("argument"))

    @cached_property
    def given(self) -> dict[Terms, int | None]:
        """Where each target of an assignment is given its value; None for one that is given more than one."""
        out: dict[Terms, int | None] = {}
        for index, (unit, slot) in enumerate(zip(self.units, self.slot_at, strict=True)):
            if slot and unit.concept == "assignment":
                out[slot] = None if slot in out else index
        return out

    @cached_property
    def adjusted(self) -> frozenset[Terms]:
        """What its augmented assignments adjust."""
        return frozenset(map(adjusted_by, self._keys_of("augmented assignment")))

    def _keys_of(self, concept: str) -> Iterator[Terms]:
        return (key for unit, key in zip(self.units, self.keys, strict=True) if unit.concept == concept)

    @cached_property
    def inside(self) -> dict[int, list[int]]:
        """The statements that stand directly in each statement."""
        out: dict[int, list[int]] = {}
        for index, statement in enumerate(self.statements):
            out.setdefault(statement.parent, []).append(index)
        return out

    def outlines(self, low: int, high: int) -> list[Terms]:
        """Some keys without the names of variables: what stands opposite may call them differently."""
        return [
            tuple(["\u00b7" if core(token) == token else token for token in flat(key)]) for key in self.keys[low:high]
        ]

    @cached_property
    def bound(self) -> Counter[str]:
        """How often each local variable is bound, in the common words; parameters count too."""
        return bindings(zip(self.units, self.keys, strict=True))

    @cached_property
    def variables(self) -> frozenset[str]:
        """Its local variables, and what a method calls its owner: a helper may call that `worker`."""
        return frozenset(self.bound) | {"self", "cls"}

    def header_of(self, index: int) -> Terms:
        """What heads the block in which a unit stands; empty at the top of the body."""
        around = self.statements[self.units[index].statement].parent
        units = self.units_of(around) if around >= 0 else range(0)
        return self.keys[units.start] if units else ()

    def speaking(self, statement: int) -> int:
        """The statement, or the nearest around it, that says something by itself (a `try` does not); -1 where none does."""
        while statement >= 0 and not self.units_of(statement):
            statement = self.statements[statement].parent
        return statement

    def units_of(self, statement: int) -> range:
        """The indices of a statement's units."""
        return self._spans.get(statement, range(0))


def _opcodes(left: Version, right: Version) -> list[tuple[str, int, int, int, int]]:
    """How one becomes the other. Of units that say the same, those with one text and then those in one block go together."""

    def likeness(i: int, j: int) -> int:
        return 2 * (left.raw_of(i) == right.raw_of(j)) + (left.header_of(i) == right.header_of(j))

    return opcodes_by(left.keys, right.keys, likeness)


def slot_of(terms: Terms) -> Terms:
    """What the unit gives a value to: a target, a keyword of a call, a key, a parameter; empty where it gives none."""
    for index, token in enumerate(terms):
        if isinstance(token, str) and (token in ("=", ":") or (token[-1] == "=" and terms[index - 1] == "(")):
            return terms[: index + 1]
    return ()


def called_by(terms: Terms) -> Terms:
    """What the unit calls, or gives the value of a call to, up to the first bracket; empty where it calls nothing."""
    return terms[: terms.index("(") + 1] if "(" in terms else ()


def names_called(unit: Unit) -> Iterator[str]:
    """The last name of everything that is called in a unit, with a dot before it where it is called on something.

    The call that an argument is passed to is another unit's.
    """
    tokens = flat(unit.terms if unit.concept != "argument" else unit.terms[1:])
    for index in range(len(tokens) - 1):
        if tokens[index + 1] == "(" and core(tokens[index]):
            yield tokens[index]


def adjusted_by(terms: Terms) -> Terms:
    """What stands before the operator of an augmented assignment."""
    for index, token in enumerate(terms):
        if isinstance(token, str) and len(token) > 1 and token[-1] == "=" and not token[0].isidentifier():
            return terms[:index]
    return ()


class Hunk:
    """A stretch that one side changed: units `low0:high0` at base became `low1:high1` at head."""

    __slots__ = ("high0", "high1", "low0", "low1")

    def __init__(self, low0: int, high0: int, low1: int, high1: int) -> None:
        self.low0, self.high0, self.low1, self.high1 = low0, high0, low1, high1


class Half:
    """One side of a quad: both versions and the hunks between them; one version for what the side left alone."""

    def __init__(self, side: SideVersions, base: Version, head: Version) -> None:
        self.side = side
        self.base = base
        self.head = head
        self.hunks: list[Hunk] = []
        self.at_base: dict[int, Hunk] = {}
        self.at_head: dict[int, Hunk] = {}
        if self.base.keys != self.head.keys:
            for tag, i1, i2, j1, j2 in _opcodes(self.base, self.head):
                if tag != "equal":
                    hunk = Hunk(i1, i2, j1, j2)
                    self.hunks.append(hunk)
                    self.at_base.update(dict.fromkeys(range(i1, i2), hunk))
                    self.at_head.update(dict.fromkeys(range(j1, j2), hunk))

    @property
    def definition(self) -> Definition | None:
        """The definition at head, or at base where head has none."""
        return self.head.definition or self.base.definition

    @cached_property
    def gone(self) -> Sequence[tuple[Terms, list[int]]]:
        """What is said less often now, and all the places at base where it was."""
        return self.base.beyond(self.head) if self.base is not self.head else ()

    @cached_property
    def new(self) -> Sequence[tuple[Terms, list[int]]]:
        """What is said more often now, and all the places at head where it is."""
        return self.head.beyond(self.base) if self.base is not self.head else ()

    def gone_of(self, places: Sequence[int]) -> int:
        """Of the places at base of what is said less often now: one that went, the last where none did by itself."""
        return next((place for place in places if place in self.at_base), places[-1])

    def new_of(self, places: Sequence[int]) -> int:
        """Of the places at head of what is said more often now: one that came, the last where none did by itself."""
        return next((place for place in places if place in self.at_head), places[-1])


class Opposite:
    """Which unit of one version stands opposite a unit of another: the same words at the same place in the order."""

    def __init__(self, left: Version, right: Version) -> None:
        self._left, self._right = left, right
        self._there: dict[int, int] = {}
        self._back: dict[int, int] = {}
        for tag, i1, i2, j1, j2 in _opcodes(left, right):
            if tag == "replace":
                for inner, k1, k2, l1, l2 in opcodes(left.outlines(i1, i2), right.outlines(j1, j2)):
                    if inner == "equal":
                        self._there.update(zip(range(i1 + k1, i1 + k2), range(j1 + l1, j1 + l2), strict=True))
            elif tag == "equal":
                self._there.update(zip(range(i1, i2), range(j1, j2), strict=True))
        self._back = {there: here for here, there in self._there.items()}
        self._free: dict[Terms, int | None] = {}

    def of(self, index: int) -> int | None:
        """The index on the other side; where the order differs but everybody has a partner, any of the same words."""
        found = self._there.get(index)
        if found is None:
            key = self._left.keys[index]
            if key not in self._free:
                places = self._right.places.get(key, [])
                free = (place for place in places if place not in self._back)
                self._free[key] = next(free, None) if len(places) >= self._left.count(key) else None
            found = self._free[key]
        return found

    @cached_property
    def before(self) -> list[int]:
        """For each unit the nearest one up to it that has a partner; -1 where there is none."""
        out: list[int] = []
        for index in range(len(self._left.keys)):
            out.append(index if self.of(index) is not None else out[-1] if out else -1)
        return out
