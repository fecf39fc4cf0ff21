"""Acknowledgements: a person's reason why sides may differ, bound to a finding's fingerprint.

They lapse when what the finding says changes, and survive a rebase, because the fingerprint does. Whether somebody may
acknowledge is not decided here.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

from consistency_bot.check import conclusion_of
from consistency_bot.errors import UsageError
from consistency_bot.model import Finding, NotTaken, Report, Waived

FEWEST_DIGITS = 8
_SAID = re.compile(r"([0-9a-fA-F]{8,16})[ \t:,-]+(\S.*)")


class Acknowledgement(msgspec.Struct, frozen=True):
    """`finding` are a fingerprint's first digits, eight at least. `by` is empty where nobody is named.

    `path` and `line` are where it stands in a file; None for one in a comment or in a commit's message.
    """

    finding: str
    reason: str
    source: Literal["comment", "trailer"]
    by: str
    path: str | None = None
    line: int | None = None


def not_taken(given: Acknowledgement, why: str) -> NotTaken:
    """An acknowledgement that counts for nothing."""
    return NotTaken(given.finding, given.source, given.by, given.reason, why, given.path, given.line)


def refused(finding: Finding, why: str) -> NotTaken:
    """The same of a waiver that a finding had."""
    assert finding.waived is not None
    said = finding.waived
    return NotTaken(finding.fingerprint, said.source, said.by, said.reason, why, said.path, said.line)


def read_acknowledgement(said: str, source: Literal["comment", "trailer"], by: str) -> Acknowledgement | None:
    """What `FINGERPRINT reason` says; None where it says something else, or gives no reason."""
    found = _SAID.fullmatch(said.strip())
    if found is None or not any(char.isalnum() for char in found[2]):
        return None
    return Acknowledgement(found[1].lower(), found[2].strip(), source, by)


def read_acknowledgements(text: str, path: str) -> list[Acknowledgement]:
    """The lines of a file, one acknowledgement each; `#` begins a line that is none, and so does nothing.

    Raises UsageError with every line that is neither.
    """
    found, problems = [], []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        read = read_acknowledgement(line, "comment", "")
        if read is None:
            problems.append(
                f"--acks {path}:{number}: expected `FINGERPRINT reason` with eight digits of the fingerprint"
            )
        else:
            found.append(replace(read, path=path, line=number))
    if problems:
        raise UsageError("\n".join(problems))
    return found


def acknowledge(report: Report, given: Iterable[Acknowledgement]) -> tuple[Report, tuple[NotTaken, ...]]:
    """The report with what is acknowledged marked so, and the acknowledgements that match nothing or too much.

    The latter are not in the report yet: `with_not_taken` puts them there, together with those that others refuse.
    """
    taken: dict[str, Acknowledgement] = {}
    untaken = []
    for each in given:
        found = {finding.fingerprint for finding in report.findings if _is_meant(finding, each)}
        if len(found) == 1:
            taken.setdefault(found.pop(), each)
        else:
            why = "it fits several findings: give more digits" if found else "no finding has that fingerprint now"
            untaken.append(not_taken(each, why))
    findings = tuple(
        _waived(finding, taken[finding.fingerprint])
        if finding.waived is None and finding.fingerprint in taken
        else finding
        for finding in report.findings
    )
    return replace(report, findings=findings, conclusion=conclusion_of(findings)), tuple(untaken)


def without_proposed(report: Report) -> tuple[Report, tuple[Finding, ...]]:
    """The report as it is without the waivers that the change itself brings along, and the findings as those had them."""
    proposed = tuple(each for each in report.findings if each.waived is not None and each.waived.added_by_head)
    findings = tuple(
        replace(each, blocks=each.waived.would_block, waived=None)
        if each.waived is not None and each.waived.added_by_head
        else each
        for each in report.findings
    )
    return replace(report, findings=findings, conclusion=conclusion_of(findings)), proposed


def with_not_taken(report: Report, those: Iterable[NotTaken]) -> Report:
    """The report with the acknowledgements that do not count."""
    return replace(report, acknowledgements_not_taken=tuple(those))


def valid_fingerprints(report: Report) -> Sequence[str]:
    """The fingerprints that can be acknowledged, those of findings that block first."""
    able = [each for each in report.findings if each.waived is None and each.verdict not in _NOTHING_TO_SAY]
    return tuple(dict.fromkeys(each.fingerprint for each in sorted(able, key=lambda each: not each.blocks)))


_NOTHING_TO_SAY = ("repaired", "standing")


def _is_meant(finding: Finding, given: Acknowledgement) -> bool:
    return finding.fingerprint.startswith(given.finding) and finding.verdict not in _NOTHING_TO_SAY


def _waived(finding: Finding, given: Acknowledgement) -> Finding:
    waived = Waived(given.source, given.by, given.reason, given.path, given.line, would_block=finding.blocks)
    return replace(finding, blocks=False, waived=waived)
