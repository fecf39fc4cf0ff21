"""The four versions of one part: each of two sides at base and at head."""

from collections.abc import Iterator, Mapping, Sequence

from consistency_bot.align.definitions import Pairing
from consistency_bot.align.moved_on import pair_moved_on
from consistency_bot.align.translation import Translation
from consistency_bot.model import Twins
from consistency_bot.syntax import Definition, Statement, Terms


class SideVersions:
    """One side's definitions at base and head, and which of them are the same one."""

    def __init__(self, name: str, base: Sequence[Definition], head: Sequence[Definition]) -> None:
        self.name = name
        self.base = base
        self.head = head
        self._changed: dict[tuple[Definition | None, Definition | None], bool] = {}  # asked of each several times
        self.own = Pairing(base, head, {})
        if any(each not in self.own.pairs for each in base) and any(each not in self.own.back for each in head):
            self.own.pair_by_content(Translation({}))
        pair_moved_on(self.own, self.has_changed)

    def versions(self) -> Iterator[tuple[Definition | None, Definition | None]]:
        """Every definition of the side, at base and at head; None where it does not exist."""
        for each in self.head:
            yield self.own.back.get(each), each
        for each in self.base:
            if each not in self.own.pairs:
                yield each, None

    def has_changed(self, base: Definition | None, head: Definition | None) -> bool:
        """Whether a definition says something else at head, comments and white space aside."""
        found = self._changed.get((base, head))
        if found is None:
            found = self._changed[base, head] = _has_changed(base, head)
        return found


def _has_changed(base: Definition | None, head: Definition | None) -> bool:
    if base is None or head is None:
        return base is not head
    if base.source is head.source or base.source.data == head.source.data:
        return False
    if base.source.imports[0] != head.source.imports[0] and _said(base) != _said(head):
        return True  # the same text may name something else now
    if base.kind == "function" and base.text == head.text:
        return False
    return list(map(_placed, base.statements)) != list(map(_placed, head.statements))


def _placed(statement: Statement) -> tuple[bytes, int, bool]:
    """A statement's text and what it stands in: white space alone can move it out of a block."""
    return statement.raw, statement.parent, statement.is_otherwise


def _said(definition: Definition) -> list[Terms]:
    return [unit.terms for unit in definition.units]


class Quad:
    """One part on two sides: `a` and `b`, each (at base, at head); None where it does not exist."""

    __slots__ = ("a", "b")

    def __init__(
        self, a: tuple[Definition | None, Definition | None], b: tuple[Definition | None, Definition | None]
    ) -> None:
        self.a = a
        self.b = b


class SidePairing:
    """Every part of two sides, and how their definitions pair at base and at head."""

    __slots__ = ("at_base", "at_head", "quads")

    def __init__(self, quads: list[Quad], at_base: Pairing, at_head: Pairing) -> None:
        self.quads = quads
        self.at_base = at_base
        self.at_head = at_head

    def changed(self, a: SideVersions, b: SideVersions) -> list[Quad]:
        """The parts that changed on either side."""
        return [quad for quad in self.quads if a.has_changed(*quad.a) or b.has_changed(*quad.b)]


def pair_sides(a: SideVersions, b: SideVersions, one_name: Mapping[str, str]) -> SidePairing:
    """Pairs the definitions of two sides. `one_name` maps names that the rules declare equal to one of their group."""
    head = Pairing(a.head, b.head, one_name)
    base = Pairing(a.base, b.base, one_name) if a.base is not a.head or b.base is not b.head else head
    if _has_changed_strays(a, head.pairs) or _has_changed_strays(b, head.back):
        words = Translation({})
        for pairing in (head, base):
            pairing.pair_by_content(words)
    quads: list[Quad] = []
    seen: set[Definition] = set()
    for one in a.versions():
        quad = Quad(one, _partner(one, b, base.pairs, head.pairs))
        seen.update(each for each in quad.b if each is not None)
        quads.append(quad)
    quads.extend(Quad((None, None), one) for one in b.versions() if not any(each in seen for each in one))
    return SidePairing(quads, base, head)


def one_names(twins: Twins) -> dict[str, str]:
    """{name: the name that stands for its group} of the names that the rules declare to be one."""
    return {name: group[0] for group in twins.same for name in group}


def _has_changed_strays(side: SideVersions, paired: Mapping[Definition, Definition]) -> bool:
    return any(
        each.kind == "function" and each not in paired and side.has_changed(side.own.back.get(each), each)
        for each in side.head
    )


def _partner(
    one: tuple[Definition | None, Definition | None],
    other: SideVersions,
    at_base: Mapping[Definition, Definition],
    at_head: Mapping[Definition, Definition],
) -> tuple[Definition | None, Definition | None]:
    """Both versions of the counterpart; the pairing at base decides where the two pairings disagree."""
    base = at_base.get(one[0]) if one[0] is not None else None
    if base is not None:
        return base, other.own.pairs.get(base)
    head = at_head.get(one[1]) if one[1] is not None else None
    if head is None:
        return None, None
    before = other.own.back.get(head)
    return before, head
