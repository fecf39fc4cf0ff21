"""The rule `bodies`: what two sides say, unit by unit, at base and at head (DESIGN section 3)."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from consistency_bot.align.renames import Renames, core, flat
from consistency_bot.align.translation import Translation
from consistency_bot.align.variables import renamed_variables
from consistency_bot.judge.causes import Cause, Words, causes_of
from consistency_bot.judge.inlining import without_temporaries
from consistency_bot.judge.marks import Mark, Part, marks_of
from consistency_bot.judge.moves import without_moves
from consistency_bot.judge.pools import Pool, Spot, says_it_otherwise, slot_of, weight
from consistency_bot.judge.quads import Quad, SideVersions, changed_quads
from consistency_bot.judge.versions import Half, Version
from consistency_bot.model import Finding, Place, Twins, Verdict
from consistency_bot.syntax import Definition, Terms


class BodiesJudge:
    """Judges one pair of sides."""

    def __init__(self, twins: Twins, a: SideVersions, b: SideVersions) -> None:
        self.twins = twins
        self.a, self.b = a, b
        self.one_name = {name: group[0] for group in twins.same for name in group}
        self.quads, self.at_base, self.at_head = changed_quads(a, b, self.one_name)
        names = _paired_names(self.at_head.pairs, a, b)
        self.words_a = Translation({**_aliases(a), **self.one_name})
        self.words_b = Translation({**_aliases(b), **self.one_name, **names})

    def findings(self) -> list[Finding]:
        """The findings of this pair of sides; empty where the change keeps them in step."""
        parts = self._parts([{}] * len(self.quads))
        marks = [mark for part in parts for mark in marks_of(part)]
        if marks:
            parts = self._parts(self._learn())
            marks = [mark for part in parts for mark in marks_of(part)]
        marks = without_temporaries(marks)
        marks += self._lost_elsewhere(parts)
        marks = without_moves(marks, parts)
        marks = [mark for mark in marks if mark.is_gone or not self._is_caught_up(mark)]
        words = Words(*({side.name: _words(side, at) for side in (self.a, self.b)} for at in ("base", "head")))
        return [self._finding(cause) for cause in causes_of(marks, words)]

    def _parts(self, variables: Sequence[Mapping[str, str]]) -> list[Part]:
        out = []
        for number, (quad, local) in enumerate(zip(self.quads, variables, strict=True)):
            words_b = self.words_b.with_names({}, local) if local else self.words_b
            out.append(Part(number, _half(self.a, quad.a, self.words_a), _half(self.b, quad.b, words_b)))
        return out

    def _learn(self) -> list[Mapping[str, str]]:
        """Learns names from base: for all definitions into `words_b`, and the variables of each quad."""
        everywhere = Renames()
        local: list[Mapping[str, str]] = []
        for quad in self.quads:
            a, b = quad.a[0], quad.b[0]
            if a is None or b is None:
                local.append({})
                continue
            here = Renames()
            for votes in (everywhere, here):
                votes.watch(a.statements, b.statements, (self.words_a, self.words_b))
            local.append(here.settled(_names_in(quad.a), _names_in(quad.b)))
        left, right = (_words(side, "base") | _words(side, "head") for side in (self.a, self.b))
        names = everywhere.settled({word.decode() for word in left}, {word.decode() for word in right})
        self.words_b = self.words_b.with_names(names, {})
        return local

    def _lost_elsewhere(self, parts: Sequence[Part]) -> list[Mark]:
        """Units lost here whose only likeness stands in another function of the other side, and still does."""
        out: list[Mark] = []
        for part in parts:
            for half, other in ((part.a, part.b), (part.b, part.a)):
                if half.base is half.head or half.head.definition is None:
                    continue
                for terms, places in half.base.places.items():
                    lost = len(places) - half.head.count(terms)
                    if lost <= 0 or len(places) <= other.base.count(terms):
                        continue
                    index = places[-1]
                    raw = half.base.statements[half.base.units[index].statement].raw
                    spot = self._pools[other.side.name].find(terms, raw)
                    if spot is not None and spot.version.definition is not other.base.definition:
                        mark = self._mark_at(half, other.side, index, spot)
                        if mark is not None:
                            out.append(mark)
        return out

    def _mark_at(self, half: Half, side: SideVersions, index: int, spot: Spot) -> Mark | None:
        base = spot.version.definition
        head = side.own.pairs.get(base) if base is not None else None
        if head is None:
            return None
        words = self.words_a if side is self.a else self.words_b
        opposite = Half(side, (base, head), words, words)
        terms = half.base.keys[index]
        if not opposite.head.count(terms):
            return None
        mark = Mark(Part(-1 - len(half.base.units), half, opposite), half, opposite, index, True, "missed")
        mark.partner = opposite.head.places[terms][0]
        return mark

    def _is_caught_up(self, mark: Mark) -> bool:
        """Whether the other side says it elsewhere, unanswered so far: then this change catches up."""
        if self._pools[mark.half.side.name].has(mark.terms) and weight(mark.terms) > 3:
            return True
        raw = mark.half.head.statements[mark.unit.statement].raw
        if self._pools[mark.other.side.name].find(mark.terms, raw) is not None:
            return True
        other, mine = mark.other.base, mark.half.base
        unanswered = [key for key in other.places if other.count(key) > mine.count(key)]
        slot = slot_of(mark.terms)
        if slot and any(key[: len(slot)] == slot for key in unanswered):
            return True
        return says_it_otherwise(mark.terms, unanswered)

    @cached_property
    def _pools(self) -> dict[str, Pool]:
        """What each side said at base without partner."""
        versions_a = {each: Version(each, self.words_a) for each in self.a.base}
        versions_b = {each: Version(each, self.words_b) for each in self.b.base}
        pairs, back = self.at_base.pairs, self.at_base.back
        return {
            self.a.name: Pool((mine, versions_b.get(pairs.get(each))) for each, mine in versions_a.items()),  # type: ignore[arg-type]
            self.b.name: Pool((mine, versions_a.get(back.get(each))) for each, mine in versions_b.items()),  # type: ignore[arg-type]
        }

    def _finding(self, cause: Cause) -> Finding:
        mark = cause.lead
        verdict = cause.verdict
        changed, counterpart = _place(mark), _counterpart(mark)
        message = _sentence(mark, changed, counterpart, len(cause.marks))
        blocks = self.twins.mode == "block" and verdict in ("missed", "diverged", "unknown")
        text = repr((self.twins.id, verdict, mark.unit.concept, mark.terms, changed.function, changed.side))
        return Finding(
            rule="bodies",
            twins=self.twins.id,
            verdict=verdict,
            blocks=blocks,
            fingerprint=hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16],
            concept=mark.unit.concept,
            message=message,
            changed=changed,
            counterpart=counterpart,
        )


def _half(side: SideVersions, pair: tuple[Definition | None, Definition | None], words: Translation) -> Half:
    """One side of a quad; a local variable that only got another name at head keeps the one it had."""
    base, head = pair
    if base is None or head is None or base is head or base.kind != "function":
        return Half(side, pair, words, words)
    names = renamed_variables(base.statements, head.statements)
    return Half(side, pair, words, words.renaming(names) if names else words)


def _place(mark: Mark) -> Place:
    half = mark.half
    definition = half.definition
    assert definition is not None
    name = definition.qualname or None
    side, path, head = half.side.name, definition.path, half.head
    if not mark.is_gone:
        return Place(side, path, mark.unit.line, mark.unit.end_line, name)
    hunk = mark.hunk
    if head.definition is None or hunk is None:
        return Place(side, path, definition.line, definition.line - 1, name)
    if hunk.high1 > hunk.low1:
        return Place(side, path, head.units[hunk.low1].line, head.units[hunk.high1 - 1].end_line, name)
    after = head.units[hunk.low1 - 1].end_line if hunk.low1 else definition.line
    return Place(side, path, after + 1, after, name)


def _counterpart(mark: Mark) -> Place | None:
    other = mark.other
    definition = other.definition
    if definition is None:
        return None
    name = definition.qualname or None
    side, path, head = other.side.name, definition.path, other.head
    if mark.partner is not None:
        unit = head.units[mark.partner]
        return Place(side, path, unit.line, unit.end_line, name)
    hunk = mark.hunk
    if hunk is not None and not mark.is_gone:
        for index in range(hunk.low1 - 1, -1, -1):
            there = mark.part.opposite(mark.half, index)
            if there is not None:
                line = head.units[there].end_line
                return Place(side, path, line + 1, line, name)
    return Place(side, path, definition.line + 1, definition.line, name)


def _sentence(mark: Mark, changed: Place, counterpart: Place | None, count: int) -> str:
    source = (mark.half.base if mark.is_gone else mark.half.head).definition
    assert source is not None
    line = source.source.lines[mark.unit.line - 1].strip()[:100]
    does = "no longer says" if mark.is_gone else "now says"
    there = f"{counterpart.path}:{counterpart.line}" if counterpart else "nowhere"
    more = f" (and {count - 1} more units)" if count > 1 else ""
    return f"{changed.side} {does} `{line}` in {changed.function} ({changed.path}:{changed.line}){more}; counterpart {there}"


def _sources(side: SideVersions, at: str) -> list[object]:
    definitions = side.base if at == "base" else side.head
    return list({id(each.source): each.source for each in definitions}.values())


def _words(side: SideVersions, at: str) -> frozenset[bytes]:
    return frozenset().union(*(source.words for source in _sources(side, at)))  # type: ignore[attr-defined]


def _aliases(side: SideVersions) -> dict[str, str]:
    out: dict[str, str] = {}
    for at in ("base", "head"):
        for source in _sources(side, at):
            out.update(source.imports[0])  # type: ignore[attr-defined]
    return out


def _paired_names(pairs: Mapping[Definition, Definition], a: SideVersions, b: SideVersions) -> dict[str, str]:
    names_a = {each.name for side in (a.base, a.head) for each in side}
    names_b = {each.name for side in (b.base, b.head) for each in side}
    out: dict[str, str] = {}
    for left, right in pairs.items():
        if left.kind == "module":
            stem_a, stem_b = _stem(left.path), _stem(right.path)
            if stem_a != stem_b and len(stem_b) > 4:
                out[stem_b] = stem_a
        elif left.name != right.name and right.name not in names_a and left.name not in names_b:
            out[right.name] = left.name
    return out


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]


def _names_in(pair: Sequence[Definition | None]) -> set[str]:
    out: set[str] = set()
    for definition in pair:
        for statement in definition.statements if definition is not None else ():
            for unit in statement.units:
                out.update(core(token) for token in flat(unit.terms))
    return out


__all__ = ["BodiesJudge", "Quad", "Verdict"]
