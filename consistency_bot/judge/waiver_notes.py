"""Findings about waivers themselves: the rule `waivers`, which is always on."""

from consistency_bot.judge.code_waivers import TAKES, CodeWaiver
from consistency_bot.judge.fingerprint import fingerprint
from consistency_bot.judge.rules_place import place_in_rules
from consistency_bot.model import Finding, Place, RulesSource, Verdict, Waiver

RULE = "waivers"


class WaiverNotes:
    """Makes the findings of one report; it knows those that it has made, for no two may have one fingerprint."""

    def __init__(self, source: RulesSource) -> None:
        self._source = source
        self._seen: dict[str, int] = {}

    def expired(self, waiver: Waiver, twins: str | None, blocks: bool) -> Finding:
        """The waiver's day has passed: what it waived is told again, and so is the waiver, by the mode of its twins."""
        message = f"{self._entry(waiver)} expired after {waiver.expires} and waives nothing any more."
        return self._of_rules("broken", blocks, waiver, twins, message, ("expired", str(waiver.expires)))

    def ambiguous(self, waiver: Waiver, found: list[str]) -> Finding:
        """More than one fingerprint begins with the digits that it gives."""
        message = (
            f"{self._entry(waiver)} is not taken: {len(found)} findings begin with these digits: {', '.join(found)}."
        )
        return self._of_rules("undecided", False, waiver, None, message, ("ambiguous",))

    def unused(self, waiver: Waiver) -> Finding:
        """It matches nothing."""
        message = f"{self._entry(waiver)} matches nothing: no finding of this change, and no difference from before it."
        return self._of_rules("standing", False, waiver, None, message, ("unused",))

    def not_taken(self, waiver: CodeWaiver, twins: str | None, side: str) -> Finding:
        """It is written in a way that waives nothing."""
        message = f"{_comment(waiver)} is not taken: {waiver.problem}; it takes: {TAKES}."
        return self._of_code("undecided", waiver, twins, side, message)

    def misses(self, waiver: CodeWaiver, twins: str | None, side: str, finding: Finding) -> Finding:
        """It names something else than what it stands at."""
        of = f"`{finding.concept}` (rule `{finding.rule}`" + (f", twins `{finding.twins}`)" if finding.twins else ")")
        message = f"{_comment(waiver)} waives nothing: it names something else than {of}, which is found at its place."
        return self._of_code("undecided", waiver, twins, side, message)

    def unused_code(self, waiver: CodeWaiver, twins: str | None, side: str) -> Finding:
        """It stands where nothing differs of what it names."""
        message = f"{_comment(waiver)} matches nothing: the sides do not differ there in what it names."
        return self._of_code("standing", waiver, twins, side, message)

    def _entry(self, waiver: Waiver) -> str:
        what = f"finding {waiver.finding}" if waiver.finding else f"`{waiver.name}` in {waiver.where}"
        by = f" by {waiver.by}" if waiver.by else ""
        return f"The waiver{by} of {what} ({self._source.path}:{waiver.line})"

    def _of_rules(
        self, verdict: Verdict, blocks: bool, waiver: Waiver, twins: str | None, message: str, kind: tuple[str, ...]
    ) -> Finding:
        said = repr((*kind, waiver.finding, waiver.name, waiver.where, waiver.reason))
        return self._finding(verdict, blocks, twins, said, message, place_in_rules(self._source, waiver.line))

    def _of_code(self, verdict: Verdict, waiver: CodeWaiver, twins: str | None, side: str, message: str) -> Finding:
        said = repr((verdict, twins, side, waiver.said, waiver.problem))
        place = Place(side, waiver.path, waiver.line, waiver.line)
        return self._finding(verdict, False, twins, said, message, place)

    def _finding(
        self, verdict: Verdict, blocks: bool, twins: str | None, said: str, message: str, place: Place | None
    ) -> Finding:
        self._seen[said] = ordinal = self._seen.get(said, 0) + 1
        name = fingerprint(f"{RULE} {said}#{ordinal}")
        return Finding(RULE, twins, verdict, blocks, name, "waiver", message, place, None)


def _comment(waiver: CodeWaiver) -> str:
    return f"The waiver `{waiver.said}` ({waiver.path}:{waiver.line})"
