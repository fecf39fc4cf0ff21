"""The ports of a report: for each `missed` finding the other side's edit, or why none can be made.

Drafted from the alignment of the sides, judged again in memory, and told apart by whether somebody should look first.
"""

import gc
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from consistency_bot.changed import Changed
from consistency_bot.check import pairs_in
from consistency_bot.errors import UsageError
from consistency_bot.model import Change, Finding, Port, Report, Rules
from consistency_bot.port import Half
from consistency_bot.porting.again import Again
from consistency_bot.porting.asked import asked_for, is_portable
from consistency_bot.porting.diffs import unified_diff
from consistency_bot.porting.drafts import Draft, Drafts, ported_text
from consistency_bot.porting.rewriting import Unwritable, rewritten
from consistency_bot.porting.soundness import fault_of
from consistency_bot.syntax.text import utf8

__all__ = ["Made", "Ports", "Written", "asked_for", "is_portable", "patch_of", "with_made", "with_ports"]


class Made(msgspec.Struct, frozen=True):
    """What came of one finding: its draft, and its port; None where it is declined, and `declined` says why."""

    finding: Finding
    draft: Draft
    port: Port | None
    declined: str = ""


_FEW = 2
"""So many unsure ports of one twins are judged each for itself; only more are first judged all at once."""

_MOST_ALONE = 50
"""So many ports are judged each for itself, as each takes as long as the check of its twins, and twins with many are long."""

_TOGETHER = f"judged together with the others only: there are more than {_MOST_ALONE}, ask for fewer at once"
_NOT_JUDGED = f"not judged: there are more than {_MOST_ALONE}, and together they are no cure; ask for fewer at once"


class Written(msgspec.Struct, frozen=True):
    """One file with all the ports that it gets: its text and bytes at head, and what they become."""

    path: str
    old: bytes
    new: bytes
    text: str


def with_ports(report: Report, rules: Rules, change: Change) -> Report:
    """The report with a port, or why there is none, in each `missed` finding that nobody has acknowledged.

    `rules` and `change` are those that the report is of, and their trees can still be read.
    """
    able = [each for each in report.findings if is_portable(each)]
    if not able:
        return report
    gc.enable()  # a check leaves its cycles to the end of the process; twenty checks one after the other must not
    able, later = able[:MOST_IN_REPORTS], able[MOST_IN_REPORTS:]
    return with_made(
        report, [*Ports(report, rules, change).of(able), *(Made(each, Draft(), None, _LATER) for each in later)]
    )


def with_made(report: Report, made: Iterable[Made]) -> Report:
    """The report with what came of some of its findings."""
    ported = {each.finding.fingerprint: each for each in made}
    return replace(report, findings=tuple(_with_port(each, ported.get(each.fingerprint)) for each in report.findings))


MOST_IN_REPORTS = 20
"""So many ports are made for one report: each is judged again, which takes as long as the check of its twins."""

_LATER = f"a report has {MOST_IN_REPORTS} at most; the command `port` makes it"


def _with_port(finding: Finding, made: Made | None) -> Finding:
    if made is None:
        return finding
    return replace(finding, port=made.port) if made.port else replace(finding, port_declined=made.declined)


class Ports:
    """The ports of one report, made when they are asked for."""

    def __init__(self, report: Report, rules: Rules, change: Change) -> None:
        self._change = change
        self._changed = Changed(change)
        self._drafts = Drafts(change, self._changed)
        self._again = Again(rules, change, report.findings)
        self._pairs = {pair.id: pair for twins in rules.twins for pair in pairs_in(twins, change, self._changed)}

    def of(self, findings: Iterable[Finding]) -> list[Made]:
        """What comes of each of the findings, for all of which `is_portable` holds."""
        drafted = [self._drafted(each) for each in findings]
        quiet = self._quiet(drafted)
        doubted = [each for each in drafted if each.draft.doubts and each.finding.twins not in quiet]
        alone = [*(each for each in drafted if each.port is not None and not each.draft.doubts), *doubted][:_MOST_ALONE]
        known = {each.finding.fingerprint for each in alone}
        return [self._judged(each) if each.finding.fingerprint in known else _unjudged(each, quiet) for each in drafted]

    def _drafted(self, finding: Finding) -> Made:
        """The finding with what would be written, as a port that nobody has judged yet."""
        pair = self._pairs.get(finding.twins or "")
        if pair is None:
            return Made(finding, Draft(), None, "its twins are not in these rules")
        draft = self._drafts.draft(pair, finding)
        if draft.declined:
            return Made(finding, draft, None, draft.declined)
        try:
            (file,) = self._written({draft.path: [draft]})
        except Unwritable as error:
            return Made(finding, draft, None, str(error))
        if file.new == file.old:
            return Made(finding, draft, None, "the other side says all of that already")
        return Made(finding, draft, Port(draft.path, patch_of([file]), "needs_review"))

    def _quiet(self, made: Sequence[Made]) -> set[str | None]:
        """The twins of which all ports together are a cure, so that those which are unsure anyway need no look each."""
        out: set[str | None] = set()
        for twins in dict.fromkeys(each.finding.twins for each in made if each.port is not None):
            several = [each for each in made if each.finding.twins == twins and each.port is not None]
            if sum(bool(each.draft.doubts) for each in several) > _FEW or len(several) > _MOST_ALONE:
                try:
                    files = {each.path: each.new for each in self.written(several)}
                except UsageError:
                    continue
                outcome = self._again.judge(self._pairs[twins or ""], [each.finding for each in several], files)
                out |= {twins} if not outcome.against else set()
        return out

    def _judged(self, made: Made) -> Made:
        """The same with its safety; declined where it would not put the sides in step."""
        if made.port is None:
            return made
        files = {each.path: each.new for each in self.written([made])}
        outcome = self._again.judge(self._pairs[made.finding.twins or ""], [made.finding], files)
        if not outcome.is_cure:
            return replace(made, port=None, declined=f"what can be written is no cure: {outcome.against}")
        return _weighed(made, outcome.against)

    def written(self, made: Iterable[Made]) -> list[Written]:
        """The files with all of these ports together, by path; where two want one place, the first has it.

        Raises UsageError where they make no whole together.
        """
        drafts: dict[str, list[Draft]] = {}
        for each in made:
            if each.port is not None:
                drafts.setdefault(each.draft.path, []).append(each.draft)
        try:
            files = self._written(drafts)
        except Unwritable as error:
            raise UsageError(f"the ports cannot be made together ({error}): ask for fewer at once") from None
        for file in files:
            fault = _fault_of(file) if len(drafts[file.path]) > 1 else ""
            if fault:
                raise UsageError(f"{file.path}: the ports cannot be made together ({fault}): ask for fewer at once")
        return files

    def _written(self, drafts: Mapping[str, Sequence[Draft]]) -> list[Written]:
        out = []
        for path, several in sorted(drafts.items()):
            old = self._change.head.read(path) or b""
            text = ported_text(utf8(old).decode("utf-8"), several)
            out.append(Written(path, old, rewritten(old, text), text))
        return out


def _unjudged(made: Made, quiet: Collection[str | None]) -> Made:
    """The same with what is known where it was not judged by itself; `quiet` are the twins of which all are a cure."""
    if made.port is None:
        return made
    if made.finding.twins not in quiet:
        return replace(made, port=None, declined=_NOT_JUDGED)
    return _weighed(made, "" if made.draft.doubts else _TOGETHER)


def _weighed(made: Made, against: str) -> Made:
    assert made.port is not None
    why = "; ".join(dict.fromkeys(filter(None, [against, *made.draft.doubts])))
    return replace(made, port=replace(made.port, safety="needs_review" if why else "safe", why=why))


def _fault_of(file: Written) -> str:
    old = Half(file.path, file.old)
    return fault_of(old, Half(file.path, file.new, like=old))


def patch_of(files: Iterable[Written]) -> str:
    """The unified diff of these files against head; bytes that are not UTF-8 are surrogate escapes."""
    return "".join(unified_diff(each.path, each.old, each.new) for each in files)
