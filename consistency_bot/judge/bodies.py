"""The rule `bodies`: what two sides say, unit by unit, at base and at head (docs/verdicts.md)."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from consistency_bot.judge.awaits import unawaited_in
from consistency_bot.judge.catching_up import without_catch_up
from consistency_bot.judge.causes import Cause, causes_of
from consistency_bot.judge.elsewhere import Elsewhere
from consistency_bot.judge.event_loop import without_shields
from consistency_bot.judge.extractions import Extractions
from consistency_bot.judge.fingerprint import fingerprint
from consistency_bot.judge.imports import rehomed_of
from consistency_bot.judge.inlining import without_temporaries
from consistency_bot.judge.like_edits import without_like_edits
from consistency_bot.judge.losses import Losses
from consistency_bot.judge.marks import Mark, Part, marks_of, own_ways_in
from consistency_bot.judge.modules import moved_modules_in
from consistency_bot.judge.moves import Books
from consistency_bot.judge.nesting import displaced_in
from consistency_bot.judge.notices import Notice, notices_of
from consistency_bot.judge.order import reordered_in
from consistency_bot.judge.own_pieces import without_own_pieces
from consistency_bot.judge.passing import repassed_in
from consistency_bot.judge.places import place_of
from consistency_bot.judge.predicates import without_predicates
from consistency_bot.judge.quads import SideVersions, one_names, pair_sides
from consistency_bot.judge.renamed import renamed_of
from consistency_bot.judge.restructured import restructured_of
from consistency_bot.judge.rewordings import without_rewordings
from consistency_bot.judge.sentences import Account, concept_of
from consistency_bot.judge.speech import Speech
from consistency_bot.judge.words import Words, without_own_names
from consistency_bot.model import BLOCKING, Finding, Place, Twins, Verdict


class BodiesJudge:
    """Judges one pair of sides: marks, then what explains them away, then causes.

    `excused` are units (by identity) whose marks a third side explains. Afterwards `left_behind` holds those marks,
    `marked` what each finding of a cause is made of, by its fingerprint, and `parts` all that was looked at. `quads` are
    what changed and is to be judged.
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
        self.quads = pairing.changed(a, b)
        self._at_base = pairing.at_base
        self._one_name = one_name
        self._speech = Speech(a, b, one_name, pairing.at_head.pairs)

    def findings(self) -> Iterator[Finding]:
        """The findings, most telling first; empty where the change keeps the sides in step."""
        self._speech = self._speech.learning_from(self.quads)
        parts = self._speech.parts(self.quads)
        self.parts = parts
        marks = without_temporaries([mark for part in parts for mark in marks_of(part)])
        marks = without_predicates(marks, parts)
        extractions = Extractions(parts, self._speech)
        books = Books(parts, extractions)
        elsewhere = self._elsewhere = Elsewhere(self._a, self._b, self._at_base, self._speech)
        marks += [*elsewhere.lost(parts), *elsewhere.came(parts)]
        marks += Losses(parts, elsewhere, self._speech).beyond(marks)
        marks = books.without_moves(extractions.without_extracted(marks))
        marks = without_own_pieces(without_like_edits(without_shields(without_rewordings(marks))))
        marks = without_catch_up(elsewhere.without_caught_up(marks))
        words = Words(self._a, self._b)
        marks = without_own_names(marks, words)
        self.left_behind = [mark for mark in marks if id(mark.unit) in self._excused]
        marks = [mark for mark in marks if id(mark.unit) not in self._excused]
        restructured, marks = restructured_of(marks)
        seen: dict[str, int] = {}
        yield from (self._of_notice(each, seen) for each in restructured)
        own, marks = own_ways_in(marks)
        for cause in (*causes_of(marks, words, elsewhere), *causes_of(own, words, elsewhere)):
            yield self._of_cause(cause, seen)
        yield from (self._of_notice(each, seen) for each in self._noticed(parts))
        blamed = frozenset(mark.part.number for mark in marks)
        yield from (self._of_notice(each, seen) for each in notices_of(parts, books, blamed))

    def _noticed(self, parts: Sequence[Part]) -> Iterator[Notice]:
        """What differs though units say the same: where names come from and what is called how, then part by part."""
        yield from rehomed_of(self._a, self._b, self._at_base.pairs)
        for part in parts:
            yield from displaced_in(part)
        yield from renamed_of(self._a, self._b, self._at_base.pairs, self._one_name)
        for part in parts:
            for noticing in (unawaited_in, moved_modules_in, repassed_in, reordered_in):
                yield from noticing(part)

    def _of_notice(self, notice: Notice, seen: dict[str, int]) -> Finding:
        return self._finding(
            notice.verdict, notice.concept, notice.terms, notice.changed, notice.counterpart, notice.message, seen
        )

    def _of_cause(self, cause: Cause, seen: dict[str, int]) -> Finding:
        mark, verdict = cause.lead, cause.verdict
        account = Account(cause.marks, mark, verdict, self._elsewhere.place_of(mark))
        message, changed, counterpart = account.message, account.changed, account.counterpart
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
        if verdict == "missed" and len(cause.marks) > 1:
            also = dict.fromkeys(place_of(each) for each in cause.marks)
            also.pop(changed, None)
            finding = replace(finding, also=tuple(also)) if also else finding
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
