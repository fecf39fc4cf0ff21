"""Which findings somebody asks for, by the first digits of their fingerprints."""

import re
from collections.abc import Sequence

from consistency_bot.acknowledgements import FEWEST_DIGITS
from consistency_bot.errors import UsageError
from consistency_bot.model import Finding, Report

_DIGITS = re.compile(rf"[0-9a-fA-F]{{{FEWEST_DIGITS},16}}")


def is_portable(finding: Finding) -> bool:
    """Whether a port is to be looked for: what a side missed, and nobody has acknowledged."""
    return finding.verdict == "missed" and finding.rule == "bodies" and finding.waived is None


def asked_for(report: Report, given: Sequence[str]) -> tuple[Finding, ...]:
    """The findings with these fingerprints, of which eight digits or more are given, each once and in this order.

    Raises UsageError for every one that is none, fits several, or cannot be ported, with what there is.
    """
    problems, found = [], list[Finding]()
    for digits in given:
        matches = [each for each in report.findings if each.fingerprint.startswith(digits.lower())]
        problem = _problem(digits, matches)
        if problem:
            problems.append(f"{digits}: {problem}")
        else:
            found.append(matches[0])
    if problems:
        able = [each.fingerprint for each in report.findings if is_portable(each)]
        there = f"there are: {', '.join(able)}" if able else "there is nothing to port"
        raise UsageError("\n".join([*problems, there]))
    return tuple({each.fingerprint: each for each in found}.values())


def _problem(digits: str, matches: Sequence[Finding]) -> str:
    if not _DIGITS.fullmatch(digits):
        return f"expected the first digits of a fingerprint, {FEWEST_DIGITS} at least"
    if not matches:
        return "no finding has that fingerprint now"
    if len({each.fingerprint for each in matches}) > 1:
        return "it fits several findings: give more digits"
    if matches[0].waived is not None:
        return "the finding is acknowledged: nothing is owed"
    if not is_portable(matches[0]):
        return f"the finding is `{matches[0].verdict.replace('_', '-')}`; only what a side missed is ported"
    return ""
