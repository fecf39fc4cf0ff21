"""The patches of a change, judged by the end-state table of declared rules (docs/verdicts.md)."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date

from msgspec.structs import replace

from consistency_bot.changed import Changed
from consistency_bot.judge.fingerprint import fingerprint
from consistency_bot.judge.twins import Judged
from consistency_bot.model import (
    BLOCKING,
    Change,
    Finding,
    Mode,
    Patch,
    Place,
    RuleChecked,
    Rules,
    Twins,
    TwinsChecked,
    Verdict,
)
from consistency_bot.patches.faults import Fault
from consistency_bot.patches.known import Known
from consistency_bot.patches.registry import PatchState, Registry
from consistency_bot.patches.sides import Sides

_Key = tuple[str, ...]


def judge_patches(
    patches: Sequence[Patch],
    rules: Rules,
    change: Change,
    changed: Changed,
    today: date | None,
    judged: Sequence[Judged],
) -> Judged:
    """What is new about some patches of the rules, of no twins. The files of `judged`, the change's twins, are known."""
    judge = PatchJudge(rules, change, changed, today, Known(judged))
    return _judged(patches, judge, [finding for patch in patches for finding in judge.findings(patch)])


def judge_patches_whole(
    patches: Sequence[Patch],
    rules: Rules,
    change: Change,
    changed: Changed,
    today: date | None,
    judged: Sequence[Judged],
) -> Judged:
    """The same, with what was wrong before the change already (`--all`)."""
    judge = PatchJudge(rules, change, changed, today, Known(judged))
    found = [finding for patch in patches for finding in (*judge.findings(patch), *judge.standing(patch))]
    return _judged(patches, judge, found)


def _judged(patches: Sequence[Patch], judge: "PatchJudge", findings: Sequence[Finding]) -> Judged:
    mode: Mode = "block" if any(patch.mode == "block" for patch in patches) else "warn"
    paths = tuple(sorted({patch.path for patch in patches}))
    checked = tuple(judge.checked(patch) for patch in patches)
    return Judged(Twins("", (), mode=mode), tuple(findings), TwinsChecked("", {"patch": paths}, ()), rules=checked)


class PatchJudge:
    """Judges patches by what is wrong with them at base and at head."""

    def __init__(self, rules: Rules, change: Change, changed: Changed, today: date | None, known: Known) -> None:
        sides = Sides(rules.twins)
        self._base = Registry(change.base, rules.patches, sides, known)
        self._head = Registry(change.head, rules.patches, sides, known)
        self._known: dict[str, tuple[PatchState, PatchState]] = {}
        self._source = rules.source
        self._changed = changed
        self._today = today

    def findings(self, patch: Patch) -> Iterator[Finding]:
        """What the change does to one patch: new faults, and those that are gone."""
        base, head = self._states(patch)
        yield from self._expired(patch)
        if head.state == "gone" and patch.dropped_by_head:
            if base.state == "not_needed":
                yield _finding(patch, "repaired", _removed(patch))
            return
        before, now = _faults(base), _faults(head)
        yield from (
            _finding(patch, "undecided" if each.doubt else "broken", each)
            for key, each in now.items()
            if key not in before
        )
        if head.line:
            yield from (
                _finding(patch, "repaired", _repaired(patch, head, each))
                for key, each in before.items()
                if key not in now
                and not each.doubt
                and _is_asked(each, head)
                and not any(other.said[0] == each.said[0] for other in now.values())
            )

    def standing(self, patch: Patch) -> Iterator[Finding]:
        """What was wrong before the change already, in the same way (`--all`)."""
        base, head = self._states(patch)
        before = _faults(base)
        for key, each in _faults(head).items():
            if key in before and not (head.state == "gone" and patch.dropped_by_head):
                yield _finding(patch, "undecided" if each.doubt else "standing", each)

    def checked(self, patch: Patch) -> RuleChecked:
        """The patch as a rule that was asked, with how much was wrong before."""
        verdicts = [each.verdict for each in self.standing(patch)]
        standing, undecided = verdicts.count("standing"), verdicts.count("undecided")
        return RuleChecked(patch.id, None, "patch", "", patch.mode, standing, undecided)

    def _states(self, patch: Patch) -> tuple[PatchState, PatchState]:
        """The patch at base and at head."""
        if patch.id not in self._known:
            old = self._changed.before.get(patch.path)
            before = replace(patch, path=old) if old is not None else patch
            self._known[patch.id] = self._base.state(before), self._head.state(patch)
        return self._known[patch.id]

    def _expired(self, patch: Patch) -> Iterator[Finding]:
        if patch.expires is not None and self._today is not None and self._today > patch.expires:
            message = (
                f"the patch {patch.id} ({self._source.path}:{patch.line}) expired: its last day was {patch.expires}. Take"
                " the function and its entry out, or give it a later day."
            )
            place = Place("rules", self._source.path, patch.line, patch.line)
            yield _finding(patch, "broken", Fault(("expired", str(patch.expires)), message, place))


def _faults(state: PatchState) -> Mapping[_Key, Fault]:
    return {each.said: each for each in state.faults}


def _removed(patch: Patch) -> Fault:
    message = f"the patch {patch.id} is gone ({patch.path}:1), as it was no longer needed."
    return Fault(("not needed",), message, Place("patch", patch.path, 1, 0, patch.symbol))


def _is_asked(fault: Fault, head: PatchState) -> bool:
    """Whether head could have the fault: nobody asks who calls a patch that is not needed, so it is not repaired."""
    return head.state == "needed" or fault.said[0] not in _OF_NEEDED


_OF_NEEDED = frozenset({"uncalled", "not needed"})
"""Faults of which only a patch that is needed is known to be free."""


def _repaired(patch: Patch, head: PatchState, fault: Fault) -> Fault:
    again = "is in order again" if not head.faults else "has one fault less"
    message = f"`{patch.symbol}` ({patch.path}:{head.line}) {again}: {_GONE[fault.said[0]]}."
    return Fault(fault.said, message, Place("patch", patch.path, head.line, head.line, patch.symbol))


_GONE = {
    "gone": "the function is there",
    "unreadable": "it can be read",
    "undecided": "it is decided whether it is needed",
    "not needed": "the locked version needs it",
    "uncalled": "it is called",
    "contradicts": "its version check goes with what it is needed for",
    "trips": "its version check lets the locked version pass",
    "swallows": "it hides its failure no more",
    "claims": "it tells success no more where nothing was done",
    "call swallowed": "a call hides its failure no more",
}
"""What is told when a fault is gone, by the first word of what tells it from others."""


def _finding(patch: Patch, verdict: Verdict, fault: Fault) -> Finding:
    return Finding(
        rule=patch.id,
        twins=None,
        verdict=verdict,
        blocks=patch.mode == "block" and verdict in BLOCKING,
        fingerprint=fingerprint(repr((patch.id, patch.path, patch.symbol, fault.said))),
        concept="expires" if fault.said[0] == "expired" else "patch",
        message=fault.message,
        changed=fault.place,
        counterpart=fault.other if verdict != "repaired" else None,
    )
