"""The kind `guards`: what every side refuses, by the condition and the exception.

Without `refuse` the sides are held against each other; with it, every side has to refuse what it lists.
"""

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.formulas import atoms_of
from consistency_bot.facts.likeness import Likeness
from consistency_bot.facts.places import at, function
from consistency_bot.facts.refusals import Refusal, Refusing
from consistency_bot.facts.telling import told as told_condition
from consistency_bot.model import Place, Rule

READS_CODE_ALONE = True

_ALIKE = 0.6
"""Of the words of two refusals so large a share must be in both for them to be one refusal in other words."""

_MOST_GROUPS = 400
"""With more conditions than these, none is looked for in other words: that takes the square of the time."""

_LONGEST = 120
_WORD = re.compile(r"\w+")


def read(rule: Rule, side: SideAt) -> Refusing:
    """What a side refuses."""
    return side.once("refusals", lambda: Refusing(side))


def breaches(rule: Rule, facts: Mapping[str, Refusing]) -> Iterator[Breach]:
    """Refusals that a side lacks, has under another condition, or with another exception."""
    sides = list(facts.values())
    formulas = [each.condition for side in sides for each in side.refusals]
    likeness = Likeness(rule.atoms, formulas, [side.reader.names for side in sides])
    if rule.keys.refuse:
        for text in rule.keys.refuse:
            yield from _unrefused(text, sides, likeness)
    else:
        yield from _Comparing(sides, likeness).breaches()


def told(facts: Refusing) -> Iterator[str]:
    """One line for each refusal: how, where, and under which condition."""
    for each in facts.refusals:
        yield f"{each.how} in {function(each.place)} {at(each.place)} if {told_condition(each.condition)}"


def _unrefused(text: str, sides: Sequence[Refusing], likeness: Likeness) -> Iterator[Breach]:
    """Sides that do not refuse a condition of the rules file."""
    refusing = {side.side.name: likeness.covering([each.condition for each in side.refusals], text) for side in sides}
    others = (each for side in sides for each in side.refusals if likeness.covering([each.condition], text))
    there = next(others, None)
    for side in sides:
        if not refusing[side.side.name]:
            place = _gap(side, there)
            message = f"{side.side.name} does not refuse `{text}` {at(place)}"
            message += f", as {_told(there)} does." if there is not None else "."
            counterpart = there.place if there is not None else None
            yield Breach(side.side.name, text, message, place, counterpart, ("unrefused",), (side.side.name,))


class _Group:
    """Refusals of one condition: of each side those that it has, by the side's name."""

    def __init__(self, first: Refusal) -> None:
        self.first = first
        self.of: dict[str, list[Refusal]] = {}


class _Comparing:
    """Holds the refusals of all sides against each other."""

    def __init__(self, sides: Sequence[Refusing], likeness: Likeness) -> None:
        self._sides = sides
        self._likeness = likeness
        self._groups: list[_Group] = []
        self._by_identity: dict[Hashable, _Group] = {}
        self._large: dict[frozenset[Hashable], list[_Group]] = {}
        self._told: set[frozenset[int]] = set()
        for side in sides:
            for refusal in side.refusals:
                self._group(refusal).of.setdefault(side.side.name, []).append(refusal)
        self._unite()

    def _unite(self) -> None:
        """Makes one group of those that are one in the names which base shows the sides to have for one thing."""
        alone: dict[Hashable, list[_Group]] = {}
        for group in self._groups:
            if len(group.of) < len(self._sides):
                alone.setdefault(self._likeness.shape(group.first.condition), []).append(group)
        for alike in alone.values():
            for number, group in enumerate(alike):
                for other in alike[:number]:
                    if other.of.keys().isdisjoint(group.of) and self._is_one(other.first, group.first):
                        other.of.update(group.of)
                        self._groups.remove(group)
                        break

    def _is_one(self, one: Refusal, other: Refusal) -> bool:
        """Whether two refusals are one with the names of their sides in the words of the first."""
        from consistency_bot.facts.conditions.naming import names_of, renamed  # few sides have two names for one thing

        sides = {side.side.name: side.side for side in self._sides}
        mine, theirs = (names_of(each.condition) for each in (one, other))
        left, right = (
            renamed(each.condition, sides[each.place.side].known_as(own))
            for each, own in ((one, mine - theirs), (other, theirs - mine))
        )
        is_renamed = left is not one.condition or right is not other.condition
        return is_renamed and self._likeness.compared(left, right) == "equal"

    def _group(self, refusal: Refusal) -> _Group:
        """The group of its condition; the same atoms are looked at, for others can hardly say the same."""
        condition = refusal.condition
        identity = self._likeness.identity(condition)
        large = self._large.setdefault(self._likeness.atoms(condition), []) if identity is None else []
        found = self._by_identity.get(identity) if identity is not None else None
        for each in large:
            if self._likeness.compared(condition, each.first.condition) == "equal":
                found = each
        if found is None:
            found = _Group(refusal)
            self._groups.append(found)
            large.append(found)
            if identity is not None:
                self._by_identity[identity] = found
        return found

    def breaches(self) -> Iterator[Breach]:
        """All of them, in the order of the sides' refusals."""
        for group in self._groups:
            for side in self._sides:
                if side.side.name not in group.of:
                    yield from self._without(side, group)
            yield from self._exceptions(group)

    def _without(self, side: Refusing, group: _Group) -> Iterator[Breach]:
        """A side that does not refuse what a group does: it says it otherwise, has code for it, or lacks it."""
        otherwise = self._otherwise(side, group)
        if otherwise is not None:
            yield from self._differently(side, group, *otherwise)
        elif not self._handles(side, group.first):
            first, text = group.first, self._likeness.text(group.first.condition)
            place = _gap(side, first)
            names = " and ".join(group.of)
            verb = "refuse" if len(group.of) > 1 else "refuses"
            message = (
                f"{side.side.name} does not refuse `{_short(text)}` {at(place)}, which {names} {verb} with {first.how}"
                f" in {function(first.place)} {at(first.place)}."
            )
            yield Breach(side.side.name, text, message, place, first.place, ("missing", first.how), tuple(group.of))

    def _otherwise(self, side: Refusing, group: _Group) -> tuple[_Group, Refusal] | None:
        """The refusal of a side that has the words of a group's, among those that the group's sides lack."""
        best: tuple[float, _Group, Refusal] | None = None
        for other in self._groups if len(self._groups) <= _MOST_GROUPS else ():
            if other.of.keys() & group.of.keys():
                continue
            for each in other.of.get(side.side.name, ()):
                share = each.likeness(group.first)
                if share >= _ALIKE and (best is None or share > best[0]):
                    best = share, other, each
        return best[1:] if best is not None else None

    def _differently(self, side: Refusing, group: _Group, other: _Group, mine: Refusal) -> Iterator[Breach]:
        """One refusal under two conditions, told once and by the side that is declared later."""
        pair = frozenset((id(group), id(other)))
        if pair in self._told:
            return
        self._told.add(pair)
        theirs = group.first
        relation = self._likeness.compared(mine.condition, theirs.condition)
        names = [each.side.name for each in self._sides]
        if names.index(mine.place.side) < names.index(theirs.place.side):
            mine, theirs = theirs, mine
        here, there = self._likeness.text(mine.condition), self._likeness.text(theirs.condition)
        message = (
            f"{mine.place.side} refuses `{_short(here)}` in {function(mine.place)} {at(mine.place)},"
            f" {theirs.place.side} `{_short(there)}` in {function(theirs.place)} {at(theirs.place)}."
        )
        doubt = "the two conditions cannot be shown to be equal" if relation == "unknown" else ""
        sides = (mine.place.side, theirs.place.side)
        said = ("otherwise", there)
        yield Breach(
            mine.place.side, here, message, mine.place, theirs.place, said, (mine.place.side,), doubt, between=sides
        )

    def _handles(self, side: Refusing, refusal: Refusal) -> bool:
        """Whether a side has code for what another one refuses: then both deal with it."""
        names = frozenset(_name(each).encode() for each in atoms_of(refusal.condition))
        found = side.branches(names)
        return any(self._likeness.compared(each, refusal.condition) == "equal" for each, _ in found)

    def _exceptions(self, group: _Group) -> Iterator[Breach]:
        """Sides that refuse it with other exceptions than the first one."""
        first, *others = group.of
        theirs = {each.how for each in group.of[first]}
        for name in others:
            mine = {each.how for each in group.of[name]}
            if mine != theirs:
                here, there, text = group.of[name][0], group.first, self._likeness.text(group.first.condition)
                message = (
                    f"{name} refuses `{_short(text)}` with {_listed(mine)} {at(here.place)},"
                    f" {first} with {_listed(theirs)} {at(there.place)}."
                )
                said = ("exception", _listed(mine), _listed(theirs))
                yield Breach(name, text, message, here.place, there.place, said, (name,), between=(name, first))


def _gap(side: Refusing, there: Refusal | None) -> Place:
    """Where a refusal would go: at the top of the function of the same name, or of the main file."""
    name = (there.place.function or "").rpartition(".")[2] if there is not None else ""
    for each in side.side.definitions:
        if name and each.kind == "function" and each.name == name:
            line = each.flow.body.steps[0].line if each.flow.body.steps else each.header_line + 1
            return Place(side.side.name, each.path, line, line - 1, each.qualname)
    return side.side.top


def _name(key: object) -> str:
    """The word by which code that asks the same can be found: what is read last."""
    found = _WORD.findall(key.path[-1] if isinstance(key, Atom) else str(key))
    return max(found, key=len) if found else ""


def _listed(names: set[str]) -> str:
    return " and ".join(sorted(names))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"


def _told(refusal: Refusal) -> str:
    return f"{refusal.place.side} in {function(refusal.place)} {at(refusal.place)}"
