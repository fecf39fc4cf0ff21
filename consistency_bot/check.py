"""The whole pipeline without I/O: rules and a change in, a report out."""

from datetime import date
from typing import TYPE_CHECKING

from consistency_bot import __version__
from consistency_bot.model import DRIFT, Change, Conclusion, Finding, Report, RuleChecked, Rules, Twins
from consistency_bot.paths import compile_pattern

if TYPE_CHECKING:
    from consistency_bot.judge.twins import Judged


def check_change(rules: Rules, change: Change, show_standing: bool = False, today: date | None = None) -> Report:
    """Judges every twins that the change touches.

    Returns a report whose findings are empty where all is in step. Twins that the change does not touch are not in it.
    What has an `expires` has expired once `today` is a later day; without `today` nothing has.
    """
    judged: list[Judged] = []
    changed = {path for each in change.paths for path in (each.old, each.new) if path is not None}
    for twins in rules.twins:
        if twins.mode == "off" or not _is_touched(twins, changed):
            continue
        # Only now: a change that touches no twins never loads the grammar.
        from consistency_bot.judge.twins import judge_twins, judge_twins_whole

        judge = judge_twins_whole if show_standing else judge_twins
        judged.append(judge(twins, change, changed))
    twins_checked = tuple(each.checked for each in judged)
    rules_checked: tuple[RuleChecked, ...] = ()
    if rules.declared and (judged or show_standing):
        from consistency_bot.judge.rules import Declared, DeclaredWhole

        declared = (DeclaredWhole if show_standing else Declared)(rules, change, changed, today, judged)
        judged, rules_checked = declared.judged, tuple(declared.checked)
    findings = [finding for each in judged for finding in each.findings]
    if judged and (findings or rules.waivers or show_standing):
        from consistency_bot.judge.waivers import waive, waive_whole

        findings = (waive_whole if show_standing else waive)(rules, change, judged, today)
    return Report(
        version=1,
        tool=f"consistency-bot {__version__}",
        base=change.base_name,
        head=change.head_name,
        rules=rules.source,
        conclusion=_conclusion(findings),
        findings=tuple(findings),
        twins_checked=twins_checked,
        rules_checked=rules_checked,
    )


def _conclusion(findings: list[Finding]) -> Conclusion:
    if any(each.blocks and each.verdict in DRIFT for each in findings):
        return "drift"
    return "unknown" if any(each.verdict == "unknown" and each.waived is None for each in findings) else "in_step"


def _is_touched(twins: Twins, changed: set[str]) -> bool:
    for side in twins.sides:
        for pattern in side.patterns:
            if pattern in changed:
                return True
            matches = compile_pattern(pattern)
            if any(matches(path) for path in changed):
                return True
    return False
