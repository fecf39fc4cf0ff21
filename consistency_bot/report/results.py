"""What came out rule by rule, and all in all: the words that formats for people share."""

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from consistency_bot.model import DRIFT, Finding, Mode, Report, RuleChecked, TwinsChecked
from consistency_bot.report.wording import MEANING

Outcome = Literal["fail", "undecided", "pass"]
ORDER: tuple[Outcome, ...] = ("fail", "undecided", "pass")
"""What a reader should see first."""


_Asked = tuple[str, str | None]
"""A rule, and the twins it was asked of."""


class Result(msgspec.Struct, frozen=True):
    """What came out for one rule and the twins it was asked of; a rule about no twins has None. `reason` is ours.

    `is_news` tells one about which the change brings a finding, or which could not be asked.
    """

    rule: str
    twins: str | None
    outcome: Outcome
    reason: str
    is_news: bool = True


def results_of(report: Report) -> list[Result]:
    """One row for each rule that was asked: `bodies` of all twins that the change touches, then the declared ones.

    Failures first, then what could not be decided; what is news before what was so already.
    """
    found: dict[_Asked, list[Finding]] = {("bodies", each.id): [] for each in report.twins_checked}
    found |= {(each.id, each.twins): [] for each in report.rules_checked}
    for finding in report.findings:
        found.setdefault((finding.rule, finding.twins), []).append(finding)
    modes: dict[_Asked, Mode] = {("bodies", each.id): each.mode for each in report.twins_checked}
    modes |= {(each.id, each.twins): each.mode for each in report.rules_checked}
    checked: dict[_Asked, RuleChecked] = {(each.id, each.twins): each for each in report.rules_checked}
    rows = [
        _result(asked, findings, modes.get(asked) == "warn", checked.get(asked)) for asked, findings in found.items()
    ]
    return sorted(rows, key=lambda row: (ORDER.index(row.outcome), not row.is_news))


def _result(asked: _Asked, findings: Sequence[Finding], is_warning: bool, checked: RuleChecked | None) -> Result:
    rule, twins = asked
    outcome = outcome_of(findings)
    reasons = [counted(findings) or ("holds" if checked is not None else "in step")]
    is_news = bool(findings)
    if checked is not None and not findings:
        reasons = _as_before(checked) or reasons
        outcome = "undecided" if checked.unasked or checked.undecided else outcome
        is_news = bool(checked.unasked)
    elif outcome != "pass" and not any(each.blocks for each in findings):
        reasons.append("does not block (mode: warn)" if is_warning and outcome == "fail" else "does not block")
    return Result(rule, twins, outcome, "; ".join(reasons), is_news)


def _as_before(checked: RuleChecked) -> list[str]:
    """What is to be said of a rule to which the change does nothing; empty where it holds."""
    if checked.unasked:
        return ["not asked: a side cannot be read"]
    before = {"standing": checked.standing, "undecided": checked.undecided}
    told = ", ".join(f"{count} {word}" for word, count in before.items() if count)
    return [f"as before: {told}"] if told else []


def outcome_of(findings: Iterable[Finding]) -> Outcome:
    """Fail where there is drift, blocking or not; undecided where something could not be decided or read."""
    verdicts = {each.verdict for each in findings if each.waived is None}
    if verdicts & DRIFT:
        return "fail"
    return "undecided" if verdicts & {"unknown", "undecided"} else "pass"


def pressing(report: Report) -> list[Finding]:
    """The findings that somebody should look at now: those that block, else the drift that only warns."""
    blocking = [each for each in report.findings if each.blocks]
    return blocking or [each for each in report.findings if each.verdict in DRIFT and each.waived is None]


def counted(findings: Sequence[Finding]) -> str:
    """How many findings of each verdict, as in `2 missed, 1 one-sided, 1 acknowledged`; empty for none."""
    words = ["acknowledged" if each.waived is not None else each.verdict.replace("_", "-") for each in findings]
    order = [*(verdict.replace("_", "-") for verdict in MEANING), "acknowledged"]
    return ", ".join(f"{words.count(word)} {word}" for word in order if word in words)


def headline(report: Report) -> str:
    """The verdict on the whole change in a few words, all of them ours."""
    blocking = [each for each in report.findings if each.blocks]
    if blocking:
        word = "Not judged" if all(each.verdict == "unknown" for each in blocking) else "Drift"
        return f"{word}: {len(blocking)} finding{'s block' if len(blocking) > 1 else ' blocks'}"
    outcome = outcome_of(report.findings)
    if outcome == "fail":
        return "Drift, but nothing blocks"
    if outcome == "undecided":
        return "In step, as far as could be decided"
    acknowledged = sum(each.waived is not None for each in report.findings)
    one_sided = sum(each.verdict == "one_sided" and each.waived is None for each in report.findings)
    if one_sided:
        also = f", {acknowledged} acknowledged" if acknowledged else ""
        return f"No drift; {one_sided} finding{'s are' if one_sided > 1 else ' is'} one-sided{also}"
    return f"In step but for {acknowledged} acknowledged" if acknowledged else "In step"


def change_of(twins: TwinsChecked, side: str) -> str:
    """What the change did to one side, in words of ours."""
    if side not in twins.modified:
        return "not modified"
    changes = twins.changes.get(side)
    if changes is None:
        return "modified"
    counts = {"added": changes.added, "changed": changes.changed, "removed": changes.removed}
    said = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    return f"modified: {said}" if said else "modified: no unit"
