"""The ports of a report: for each `missed` finding the other side's edit, or why none can be made.

Drafted from the alignment of the sides, judged again in memory, and told apart by whether somebody should look first.
"""

from collections.abc import Iterable, Mapping, Sequence

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

__all__ = ["Made", "Ports", "Written", "asked_for", "is_portable", "patch_of", "with_ports"]


class Made(msgspec.Struct, frozen=True):
    """What came of one finding: its draft, and its port; None where it is declined, and `declined` says why."""

    finding: Finding
    draft: Draft
    port: Port | None
    declined: str = ""


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
    if not any(is_portable(each) for each in report.findings):
        return report
    ports = Ports(report, rules, change)
    return replace(report, findings=tuple(_with_port(each, ports) for each in report.findings))


def _with_port(finding: Finding, ports: "Ports") -> Finding:
    if not is_portable(finding):
        return finding
    made = ports.of(finding)
    return replace(finding, port=made.port) if made.port else replace(finding, port_declined=made.declined)


class Ports:
    """The ports of one report, made when they are asked for."""

    def __init__(self, report: Report, rules: Rules, change: Change) -> None:
        self._change = change
        self._changed = Changed(change)
        self._drafts = Drafts(change, self._changed)
        self._again = Again(rules, change, report.findings)
        self._pairs = {pair.id: pair for twins in rules.twins for pair in pairs_in(twins, change, self._changed)}

    def of(self, finding: Finding) -> Made:
        """What comes of a finding for which `is_portable` holds."""
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
            return Made(finding, draft, None, "the other side says this already")
        doubts = [*filter(None, [self._again.doubt(pair, finding, {file.path: file.new})]), *draft.doubts]
        port = Port(
            draft.path, patch_of([file]), "needs_review" if doubts else "safe", "; ".join(dict.fromkeys(doubts))
        )
        return Made(finding, draft, port)

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
            fault = fault_of(Half(file.path, file.old), Half(file.path, file.new)) if len(drafts[file.path]) > 1 else ""
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


def patch_of(files: Iterable[Written]) -> str:
    """The unified diff of these files against head; bytes that are not UTF-8 are surrogate escapes."""
    return "".join(unified_diff(each.path, each.old, each.new) for each in files)
