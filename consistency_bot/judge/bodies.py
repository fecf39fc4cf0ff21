"""The rule `bodies`: what two sides say, unit by unit, at base and at head (DESIGN section 3)."""

from collections.abc import Iterator, Sequence
from functools import cached_property

from consistency_bot.judge.catching_up import without_catch_up
from consistency_bot.judge.causes import Cause, causes_of
from consistency_bot.judge.fingerprint import fingerprint
from consistency_bot.judge.imports import rehomed_of
from consistency_bot.judge.inlining import without_temporaries
from consistency_bot.judge.marks import Mark, Part, marks_of
from consistency_bot.judge.moves import Books
from consistency_bot.judge.notices import notices_of
from consistency_bot.judge.places import counterpart_of, place_of
from consistency_bot.judge.pools import Pool, Spot, says_it_otherwise, slot_of, weight
from consistency_bot.judge.quads import SideVersions, one_names, pair_sides
from consistency_bot.judge.restructured import restructured_of
from consistency_bot.judge.rewordings import without_rewordings
from consistency_bot.judge.sentences import concept_of, sentence
from consistency_bot.judge.speech import Speech
from consistency_bot.judge.versions import Half, Version
from consistency_bot.judge.words import Words, without_own_names
from consistency_bot.model import BLOCKING, Finding, Place, Twins, Verdict
from consistency_bot.syntax import UNPARSED, Terms


class BodiesJudge:
    """Judges one pair of sides: marks, then what explains them away, then causes.

    `excused` are units (by identity) whose marks a third side explains. Afterwards `left_behind` holds those marks,
    `marked` what each finding of a cause is made of, by its fingerprint, and `parts` all that was looked at.
    """

    def __init__(self, twins: Twins, a: SideVersions, b: SideVersions, excused: frozenset[int] = frozenset()) -> None:
        self._twins = twins
        self._excused = excused
        self.left_behind: list[Mark] = []
        self.marked: dict[str, Sequence[Mark]] = {}
        self.parts: Sequence[Part] = ()
        self._a, self._b = a, b
        one_name = one_names(twins)
        pairing = pair_sides(a, b, one_name)
        self._quads = pairing.changed(a, b)
        self._at_base = pairing.at_base
        self._speech = Speech(a, b, one_name, pairing.at_head.pairs)

    def findings(self) -> Iterator[Finding]:
        """The findings, most telling first; empty where the change keeps the sides in step."""
        self._speech = self._speech.learning_from(self._quads)
        parts = self._speech.parts(self._quads)
        self.parts = parts
        marks = without_temporaries([mark for part in parts for mark in marks_of(part)])
        books = Books(parts)
        marks = books.without_moves([*marks, *self._lost_elsewhere(parts)])
        marks = without_rewordings(marks)
        marks = without_catch_up([mark for mark in marks if mark.is_gone or not self._is_caught_up(mark)])
        words = Words(self._a, self._b)
        marks = without_own_names(marks, words)
        self.left_behind = [mark for mark in marks if id(mark.unit) in self._excused]
        marks = [mark for mark in marks if id(mark.unit) not in self._excused]
        restructured, marks = restructured_of(marks)
        seen: dict[str, int] = {}
        for each in restructured:
            yield self._finding("undecided", "function", each.terms, each.changed, each.counterpart, each.message, seen)
        for cause in causes_of(marks, words, self._elsewhere):
            yield self._of_cause(cause, seen)
        for moved in rehomed_of(self._a, self._b, self._at_base.pairs):
            yield self._finding("missed", "import", moved.terms, moved.changed, moved.counterpart, moved.message, seen)
        blamed = frozenset(mark.part.number for mark in marks)
        for notice in notices_of(parts, books, blamed):
            yield self._finding(
                notice.verdict, notice.concept, notice.terms, notice.changed, notice.counterpart, notice.message, seen
            )

    def _lost_elsewhere(self, parts: Sequence[Part]) -> Iterator[Mark]:
        """Units lost here whose only likeness stands in another function of the other side, and still does."""
        for part in parts:
            for half, other in ((part.a, part.b), (part.b, part.a)):
                if half.base is half.head or half.head.definition is None:
                    continue
                for terms, places in half.base.places.items():
                    if len(places) <= half.head.count(terms) or len(places) <= other.base.count(terms):
                        continue
                    index = places[-1]
                    spot = self._pools[other.side.name].find(terms, half.base.raw_of(index))
                    if spot is not None and spot.version.definition is not other.base.definition:
                        yield from self._mark_at(part, half, other.side, index, spot)

    def _mark_at(self, part: Part, half: Half, side: SideVersions, index: int, spot: Spot) -> Iterator[Mark]:
        base = spot.version.definition
        head = side.own.pairs.get(base) if base is not None else None
        if head is None:
            return
        opposite = self._speech.half(side, (base, head))
        places = opposite.head.places.get(half.base.keys[index])
        if places:
            apart = Part(-1 - part.number, half, opposite)  # never taken for the part it was lost from
            mark = Mark(apart, half, opposite, index, True, "missed")
            mark.partner = places[0]
            yield mark

    def _is_caught_up(self, mark: Mark) -> bool:
        """Whether the other side said it before in its own way or place, or this side always says it so."""
        if mark.unit.concept in UNPARSED:
            return self._is_elsewhere(mark)
        if _is_filled(mark):
            return True
        if _is_answered(mark):
            return False
        if self._pools[mark.half.side.name].has(mark.terms) and weight(mark.terms) > 3:
            return True
        return self._is_elsewhere(mark) or says_it_otherwise(mark.terms, mark.part.unanswered_by(mark.half))

    def _is_elsewhere(self, mark: Mark) -> bool:
        """Whether the other side said it before in another place."""
        return self._pools[mark.other.side.name].find(mark.terms, mark.half.head.raw_of(mark.index)) is not None

    def _elsewhere(self, mark: Mark, index: int) -> Spot | None:
        """Where the other side says it outside the counterpart."""
        head = mark.half.head
        return self._pools[mark.other.side.name].find(head.keys[index], head.raw_of(index))

    @cached_property
    def _pools(self) -> dict[str, Pool]:
        """What each side said at base without partner."""
        pairs, back = self._at_base.pairs, self._at_base.back
        left = {each: Version(each, self._speech.left) for each in self._a.base}
        right = {each: Version(each, self._speech.right) for each in self._b.base}
        return {
            self._a.name: Pool(
                (mine, right.get(pairs[each]) if each in pairs else None) for each, mine in left.items()
            ),
            self._b.name: Pool((mine, left.get(back[each]) if each in back else None) for each, mine in right.items()),
        }

    def _of_cause(self, cause: Cause, seen: dict[str, int]) -> Finding:
        mark, verdict = cause.lead, cause.verdict
        changed, counterpart = place_of(mark), counterpart_of(mark)
        message = sentence(cause.marks, mark, changed, counterpart, verdict)
        if verdict == "diverged" and counterpart is not None and changed.side != self._a.name:
            changed, counterpart = counterpart, changed  # both moved: the first declared side is named first
        # All of it, not the leading unit alone: who waives a cause has looked at every unit of it, and at no other.
        there = mark.other.head.keys[mark.partner] if mark.partner is not None else ()
        said = (
            mark.terms,
            there,
            sorted(repr((each.half.side.name, each.is_gone, each.terms)) for each in cause.marks),
        )
        finding = self._finding(verdict, concept_of(mark), said, changed, counterpart, message, seen)
        self.marked[finding.fingerprint] = cause.marks
        return finding

    def _finding(
        self,
        verdict: Verdict,
        concept: str,
        said: object,
        changed: Place,
        counterpart: Place | None,
        message: str,
        seen: dict[str, int],
    ) -> Finding:
        names = (changed.side, changed.function, counterpart and (counterpart.side, counterpart.function))
        text = repr(("bodies", self._twins.id, concept, names, said))
        seen[text] = ordinal = seen.get(text, 0) + 1
        return Finding(
            rule="bodies",
            twins=self._twins.id,
            verdict=verdict,
            blocks=self._twins.mode == "block" and verdict in BLOCKING,
            fingerprint=fingerprint(f"{text}#{ordinal}"),
            concept=concept,
            message=message,
            changed=changed,
            counterpart=counterpart,
        )


def _is_filled(mark: Mark) -> bool:
    """Whether the other side gave a value of its own before to what the unit gives one to.

    Not where this side gave it one before as well and does so once more now: then only the addition is new.
    """
    slot = slot_of(mark.terms)
    if not slot or not any(_gives(key, slot) for key in mark.part.unanswered_by(mark.half)):
        return False
    before = sum(1 for key in mark.half.base.keys if _gives(key, slot))
    return before == 0 or before >= sum(1 for key in mark.half.head.keys if _gives(key, slot))


def _gives(terms: Terms, slot: Terms) -> bool:
    return terms[: len(slot)] == slot


def _is_answered(mark: Mark) -> bool:
    """Whether the rest of its statement stands on the other side: nothing elsewhere can then say it in its place."""
    half = mark.half
    mates = [index for index in half.head.units_of(mark.unit.statement) if index not in half.at_head]
    return any(mark.part.opposite(half, index) is not None for index in mates)
