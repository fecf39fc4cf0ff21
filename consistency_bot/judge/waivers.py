"""Which findings somebody has waived, and what is to be said about the waivers themselves.

A waiver stands in the rules file or in the code. A waived finding stays in the report and does not block. A waiver that
cannot be taken, has expired or (with `--all`) matches nothing is a finding of the rule `waivers`.
"""

from collections.abc import Iterator, Sequence
from datetime import date

from msgspec.structs import replace

from consistency_bot.judge.code_waivers import CodeWaiver, CodeWaivers, known_names
from consistency_bot.judge.twins import Judged
from consistency_bot.judge.waiver_matching import covers, is_in, names_finding, stands_in
from consistency_bot.judge.waiver_notes import WaiverNotes
from consistency_bot.model import Change, Finding, Rules, Waived, Waiver


def waive(rules: Rules, change: Change, judged: Sequence[Judged], today: date | None) -> list[Finding]:
    """All findings, those that are waived marked as such, and then those about waivers that do not count."""
    return Waiving(rules, change, judged, today).told()


class Waiving:
    """One report's findings against all waivers.

    `valid` are the rules file's waivers that have not expired; `used` are the waivers that match something, or about
    which something was said.
    """

    def __init__(self, rules: Rules, change: Change, judged: Sequence[Judged], today: date | None) -> None:
        self.rules = rules
        self.judged = judged
        self.notes = WaiverNotes(rules.source)
        self.valid = [each for each in rules.waivers if not _has_expired(each, today)]
        self.used: set[Waiver | CodeWaiver] = set()
        self._has_expired = [each for each in rules.waivers if _has_expired(each, today)]
        self._change = change
        self._known = known_names(rules)
        self._files: dict[str, CodeWaivers] = {}
        self._left: list[Finding] = []
        self._fingerprints = {finding.fingerprint for each in judged for finding in each.findings}

    def told(self) -> list[Finding]:
        """What `waive` returns; once only, for what is used is known afterwards."""
        return [*self.findings(), *self.expired(), *self.not_taken()]

    def findings(self) -> Iterator[Finding]:
        """Every finding, waived where a waiver matches; of several the first counts, the base's before the head's."""
        for judged in self.judged:
            for finding in judged.findings:
                matching = list(self._matching(finding)) if finding.verdict != "repaired" else []
                self.used.update(matching)
                if matching:
                    first = min(matching, key=lambda each: each.added_by_head)
                    yield replace(finding, blocks=False, waived=self._waived(first, finding.blocks))
                else:
                    self._left.append(finding)
                    yield finding

    def _waived(self, waiver: Waiver | CodeWaiver, would_block: bool) -> Waived:
        if isinstance(waiver, CodeWaiver):
            return Waived("code", "", waiver.reason, waiver.path, waiver.line, waiver.added_by_head, would_block)
        path = self.rules.source.path
        return Waived("rules", waiver.by, waiver.reason, path, waiver.line, waiver.added_by_head, would_block)

    def _matching(self, finding: Finding) -> Iterator[Waiver | CodeWaiver]:
        yield from (each for each in self.valid if each.finding and self._is_meant(each, finding))
        if finding.verdict == "unknown":
            return  # nobody can say in advance what a file holds that cannot be read: only its fingerprint waives that
        for waiver in self.valid:
            is_named = waiver.name and names_finding(frozenset({waiver.name}), finding)
            if is_named and any(stands_in(waiver, place) for place in finding.places):
                yield waiver
        for place in finding.places:  # a waiver may stand at either
            file = self.file(place.path)
            for each in file.all:
                if not each.problem and names_finding(each.names, finding) and covers(each, place, file):
                    yield each

    def _is_meant(self, waiver: Waiver, finding: Finding) -> bool:
        return _begins(waiver, finding) and len(self.begun_by(waiver)) == 1

    def begun_by(self, waiver: Waiver) -> list[str]:
        """The report's fingerprints that begin with the waiver's digits."""
        return sorted(each for each in self._fingerprints if each.startswith(waiver.finding))

    def file(self, path: str) -> CodeWaivers:
        """The waivers in a file at head, which is read once."""
        if path not in self._files:
            self._files[path] = CodeWaivers(path, self._change, self._known)
        return self._files[path]

    def owner_of(self, path: str) -> tuple[str | None, str]:
        """The twins and the side that a file belongs to: the first ones."""
        for judged in self.judged:
            for side, paths in judged.checked.sides.items():
                if path in paths:
                    return judged.twins.id or None, side
        return None, ""

    def expired(self) -> Iterator[Finding]:
        """One for each waiver of the rules file whose day has passed, where it concerns twins that were checked."""
        for waiver in self._has_expired:
            if waiver.finding:
                found = [each for each in self.judged if any(_begins(waiver, finding) for finding in each.findings)]
                # What it was for may be merged, or in step again: then nobody knows whose it was.
                concerned = found or self.judged
            else:
                concerned = [each for each in self.judged if is_in(waiver, each)]
            if concerned:
                twins = (concerned[0].twins.id or None) if len(concerned) == 1 else None
                yield self.notes.expired(waiver, twins, any(each.twins.mode == "block" for each in concerned))

    def not_taken(self) -> Iterator[Finding]:
        """Waivers that count for nothing because of how they are written, where that matters to this change."""
        for waiver in self.valid:
            found = self.begun_by(waiver) if waiver.finding else []
            if len(found) > 1:
                self.used.add(waiver)
                yield self.notes.ambiguous(waiver, found)
        for file in list(self._files.values()):
            for each in file.all:
                if each not in self.used:
                    yield from self._about(each, file)

    def _about(self, waiver: CodeWaiver, file: CodeWaivers) -> Iterator[Finding]:
        """What is to be said about a waiver in the code that nothing matches, if it was to match something."""
        near = [each for each in self._left if any(covers(waiver, place, file) for place in each.places)]
        blocking = [each for each in near if each.blocks]
        if waiver.problem and (near or waiver.added_by_head):
            self.used.add(waiver)
            yield self.notes.not_taken(waiver, *self.owner_of(waiver.path))
        elif blocking and waiver.added_by_head:  # an older one may be about what differed before
            self.used.add(waiver)
            yield self.notes.misses(waiver, *self.owner_of(waiver.path), blocking[0])


def _has_expired(waiver: Waiver, today: date | None) -> bool:
    return waiver.expires is not None and today is not None and today > waiver.expires


def _begins(waiver: Waiver, finding: Finding) -> bool:
    return finding.fingerprint.startswith(waiver.finding)
