"""Declared rules, judged by the end-state table (docs/verdicts.md): what holds at base and at head."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from consistency_bot.attempts import Failure, attempt
from consistency_bot.changed import Changed
from consistency_bot.facts import KINDS, kind_of
from consistency_bot.facts.asking import Breach, SideAt, filled
from consistency_bot.facts.names import is_named
from consistency_bot.judge.fingerprint import fingerprint
from consistency_bot.judge.quads import SideVersions
from consistency_bot.judge.reading import SideRead
from consistency_bot.model import BLOCKING, Change, Finding, Place, Rule, RuleChecked, RulesSource, Twins, Verdict
from consistency_bot.paths import is_python
from consistency_bot.syntax import Definition

if TYPE_CHECKING:
    from consistency_bot.judge.learnt import LearntNames

_Key = tuple[str, str, tuple[str, ...]]
_State = Mapping[_Key, Breach]


class RuleJudged(msgspec.Struct, frozen=True):
    """What came out for one rule: the findings of this change, how it was asked, and the breaches that stood before it."""

    findings: tuple[Finding, ...]
    checked: RuleChecked
    stood: tuple[Breach, ...] = ()
    telling: "_Telling | None" = None

    @property
    def before(self) -> tuple[Finding, ...]:
        """The findings that are of no change of this one's: only `--all` lists them."""
        return tuple(map(self.telling.standing, self.stood)) if self.telling is not None else ()


class Asking:
    """Asks the rules of one twins about its sides, at base and at head."""

    def __init__(
        self,
        twins: Twins,
        sides: Sequence[SideRead],
        change: Change,
        changed: Changed,
        source: RulesSource,
        today: date | None,
        reminded: set[str],
    ) -> None:
        self._twins = twins
        self._source = source
        self._today = today
        self._reminded = reminded
        self._touched = frozenset(side.versions.name for side in sides if side.is_modified)
        self._unasked = next(filter(None, map(_why_unasked, sides)), "")
        self._first = sides[0].versions if sides else None
        self._learnt: dict[str, LearntNames] = {}
        names = {side.versions.name: partial(self._known_as, side.versions) for side in sides}
        self._base = [
            SideAt(each.name, _python(each.base), _paths(each.base, changed), change.base, known_as=names[each.name])
            for each in (side.versions for side in sides if side.was)
        ]
        self._head = [
            SideAt(each.name, _python(each.head), side.paths, change.head, changed.paths, names[each.name])
            for side, each in ((side, side.versions) for side in sides if side.exists)
        ]
        _share_flows(self._base, self._head)

    def _known_as(self, side: SideVersions, names: frozenset[str]) -> Mapping[str, str]:
        """What names of a side are called on the first one."""
        from consistency_bot.judge.learnt import LearntNames  # few sides have two names for one thing

        if side.name not in self._learnt:
            self._learnt[side.name] = LearntNames(self._twins, self._first or side, side)
        return self._learnt[side.name].known_as(names)

    def ask(self, rule: Rule) -> RuleJudged:
        """What the rule says to the change. A side that cannot be read has its own finding, so nothing is said then."""
        if self._twins.captured:
            rule = filled(rule, dict(self._twins.captured))
        if self._unasked:
            return RuleJudged((), self._checked(rule, unasked=self._unasked))
        judged = attempt(partial(self._ask, rule))
        if isinstance(judged, Failure):
            failed = _Telling(rule, self._twins, self._head, self._touched).failed(judged)
            return RuleJudged((failed,), self._checked(rule, unasked=judged.reason))
        return judged

    def _ask(self, rule: Rule) -> RuleJudged:
        facts: dict[tuple[int, ...], object] = {}
        base, head = self._broken(rule, self._base, facts), self._broken(rule, self._head, facts)
        further = _further(rule, base, head)
        told = _Telling(rule, self._twins, self._head, self._touched)
        gone = [base[key] for key in base if key not in head]
        known = _still_open(gone, [head[key] for key in head if key not in base])
        is_old = {key: key not in further if key in base else id(head[key]) in known for key in head}
        before = [head[key] for key in head if is_old[key]]
        new = [further.get(key, head[key]) for key in head if not is_old[key]]
        findings = [*self._expired(rule), *map(told.broken, new)]
        findings += [told.repaired(each) for each in _repaired(base, head)]
        doubts = sum(bool(each.doubt) for each in before)
        checked = self._checked(rule, standing=len(before) - doubts, undecided=doubts)
        return RuleJudged(tuple(findings), checked, tuple(before), told)

    def _broken(self, rule: Rule, sides: Sequence[SideAt], known: dict[tuple[int, ...], object]) -> _State:
        """The breaches at one revision that nothing excuses. `known` are facts by the definitions that they are of."""
        kind = kind_of(rule.check)
        is_pure = getattr(kind, "READS_CODE_ALONE", False)
        facts: dict[str, object] = {}
        for side in sides:
            key = tuple(map(id, side.definitions)) if is_pure else ()
            if key not in known or not key:
                known[key] = kind.read(rule, side)
            facts[side.name] = known[key]
        if self._has_expired(rule):
            rule = msgspec.structs.replace(rule, only={})
        breaches = kind.breaches(rule, facts)
        return {(each.side, each.what, each.said): each for each in breaches if not _is_excused(rule, each)}

    def _has_expired(self, rule: Rule) -> bool:
        return rule.expires is not None and self._today is not None and self._today > rule.expires

    def _expired(self, rule: Rule) -> Iterator[Finding]:
        """That the rule's day has passed, by the rule's mode: what `only` excused may have been broken all the time."""
        if not self._has_expired(rule) or rule.id in self._reminded:
            return
        from consistency_bot.judge.rules_place import place_in_rules  # once in a long while

        self._reminded.add(rule.id)
        effect = "; its `only` excuses nothing any more" if rule.only else ""
        message = f"The rule {rule.id} ({self._source.path}:{rule.line}) expired after {rule.expires}{effect}."
        yield Finding(
            rule=rule.id,
            twins=self._twins.id,
            verdict="broken",
            blocks=rule.mode == "block",
            fingerprint=fingerprint(repr((rule.id, self._twins.id, "expired", str(rule.expires), sorted(rule.only)))),
            concept="expires",
            message=message,
            changed=place_in_rules(self._source, rule.line),
            counterpart=None,
        )

    def _checked(self, rule: Rule, standing: int = 0, undecided: int = 0, unasked: str = "") -> RuleChecked:
        return RuleChecked(rule.id, self._twins.id, rule.check, rule.why, rule.mode, standing, undecided, unasked)


class _Telling:
    """Makes the findings of one rule."""

    def __init__(self, rule: Rule, twins: Twins, sides: Sequence[SideAt], touched: frozenset[str]) -> None:
        self._rule = rule
        self._touched = touched
        self._twins = twins
        self._sides = {side.name: side for side in sides}

    def broken(self, breach: Breach) -> Finding:
        other = breach.counterpart
        if (
            breach.between
            and other is not None
            and breach.place.side not in self._touched
            and other.side in self._touched
        ):
            breach = msgspec.structs.replace(breach, place=other, counterpart=breach.place)
        return self._finding("undecided" if breach.doubt else "broken", breach, breach.place, _message(breach))

    def failed(self, why: Failure) -> Finding:
        """That the rule cannot be judged: nobody can say whether it holds."""
        where = f" ({why.where})" if why.where else ""
        return Finding(
            rule=self._rule.id,
            twins=self._twins.id,
            verdict="unknown",
            blocks=self._rule.mode == "block",
            fingerprint=fingerprint(repr((self._rule.id, self._twins.id, "unknown", why.reason))),
            concept=KINDS[self._rule.check],
            message=f"The rule {self._rule.id} cannot be judged: {why.reason}{where}; nothing is said about it.",
            changed=None,
            counterpart=None,
        )

    def standing(self, breach: Breach) -> Finding:
        return self._finding("undecided" if breach.doubt else "standing", breach, breach.place, _message(breach))

    def repaired(self, breach: Breach) -> Finding:
        """The breach is one of base, so its place is looked up at head."""
        place = self._at_head(breach.place)
        said = breach.cured or f"{breach.side} keeps the rule {self._rule.id} in {breach.what} again"
        gone = msgspec.structs.replace(breach, table=None)
        return self._finding("repaired", gone, place, f"{said} ({place.path}:{place.line}).")

    def _at_head(self, place: Place) -> Place:
        """Where the function of a place of base stands at head; the top of its file where it is gone."""
        side = self._sides.get(place.side)
        for each in side.definitions if side is not None else ():
            if place.function and (each.path, each.qualname) == (place.path, place.function):
                return Place(place.side, place.path, each.header_line, each.header_line, place.function)
        return Place(place.side, place.path, 1, 0)

    def _finding(self, verdict: Verdict, breach: Breach, place: Place, message: str) -> Finding:
        rule = self._rule
        concept = KINDS[rule.check]
        said = repr((rule.id, self._twins.id, concept, breach.side, breach.what, breach.said, *breach.extent))
        finding = Finding(
            rule=rule.id,
            twins=self._twins.id,
            verdict=verdict,
            blocks=rule.mode == "block" and verdict in BLOCKING,
            fingerprint=fingerprint(said),
            concept=concept,
            message=message,
            changed=place,
            counterpart=breach.counterpart if verdict != "repaired" else None,
        )
        return msgspec.structs.replace(finding, table=breach.table) if breach.table is not None else finding


def _further(rule: Rule, base: _State, head: _State) -> dict[_Key, Breach]:
    """What breaches of head add to those of base with the same key, for kinds that can tell."""
    tell = getattr(kind_of(rule.check), "further", None)
    out: dict[_Key, Breach] = {}
    for key in head if tell is not None else ():
        more = tell(base[key], head[key]) if key in base and tell is not None else None
        if more is not None:
            out[key] = more
    return out


def _still_open(gone: Sequence[Breach], new: Sequence[Breach]) -> set[int]:
    """The ids of the new breaches that are a doubt of base once more."""
    if not any(each.doubt for each in gone):
        return set()
    from consistency_bot.judge.doubts import still_open  # few changes touch a doubt

    return {id(each) for each in still_open(gone, new)}


def _message(breach: Breach) -> str:
    return f"{breach.message} Not decided: {breach.doubt}." if breach.doubt else breach.message


def _is_excused(rule: Rule, breach: Breach) -> bool:
    """Whether `only` gives a reason to every side that is alone with it."""
    excusing = [rule.only.get(side, {}) for side in breach.alone]
    return bool(excusing) and all(is_named(breach.what, each) for each in excusing)


def _repaired(base: _State, head: _State) -> Iterator[Breach]:
    """What broke the rule at base and does not at head, in no other way either."""
    still = {(each.side, each.what) for each in head.values()}
    blurred = {each.side for each in head.values() if each.doubt and not each.what}
    for key, breach in base.items():
        is_known = blurred.isdisjoint((breach.side, *breach.between))
        if is_known and key not in head and not breach.doubt and (breach.side, breach.what) not in still:
            yield breach


def _why_unasked(side: SideRead) -> str:
    """Why nothing can be asked of a side; empty where it can."""
    if side.unread is not None:
        return f"{side.versions.name} cannot be read: {side.unread.reason}"
    return f"{side.versions.name} could not be read at base" if side.cured is not None else ""


def _share_flows(base: Iterable[SideAt], head: Iterable[SideAt]) -> None:
    """Functions of base that stand at head to the letter are read there, once for both.

    What a rule says about base has the lines of head then; nobody is told these, for base is only compared with head.
    """
    there = {
        (side.name, each.qualname, each.text): each
        for side in head
        for each in side.definitions
        if each.kind == "function"
    }
    for side in base:
        for each in side.definitions:
            same = there.get((side.name, each.qualname, each.text)) if each.kind == "function" else None
            if same is not None and same is not each:
                each.flow_like(same)


def _python(definitions: Iterable[Definition]) -> list[Definition]:
    """The definitions of Python files; other files are read line by line, which says nothing to a rule."""
    return [each for each in definitions if is_python(each.path)]


def _paths(definitions: Iterable[Definition], changed: Changed) -> tuple[str, ...]:
    """The paths at base of the files that definitions of base are of; these have the names that head gives them."""
    names = dict.fromkeys(each.path for each in definitions)
    return tuple(changed.before.get(name, name) for name in names)
