"""The whole pipeline without I/O: rules and a change in, a report out."""

from consistency_bot import __version__
from consistency_bot.model import Change, Conclusion, Finding, Report, Rules, Twins, TwinsChecked
from consistency_bot.paths import compile_pattern, is_glob


def check_change(rules: Rules, change: Change, show_standing: bool = False) -> Report:
    """Judges every twins that the change touches.

    Returns a report whose findings are empty where all is in step. Twins that the change does not touch are not in it.
    """
    findings: list[Finding] = []
    checked: list[TwinsChecked] = []
    changed = {path for each in change.paths for path in (each.old, each.new) if path is not None}
    for twins in rules.twins:
        if twins.mode == "off" or not _is_touched(twins, changed):
            continue
        # Only now: a change that touches no twins never loads the grammar.
        from consistency_bot.judge.twins import judge_twins, judge_twins_whole

        judge = judge_twins_whole if show_standing else judge_twins
        found, record = judge(twins, change, changed)
        findings.extend(found)
        checked.append(record)
    conclusion: Conclusion = "in_step"
    if any(each.blocks and each.verdict in ("missed", "diverged", "broken") for each in findings):
        conclusion = "drift"
    elif any(each.verdict == "unknown" for each in findings):
        conclusion = "unknown"
    return Report(
        version=1,
        tool=f"consistency-bot {__version__}",
        base=change.base_name,
        head=change.head_name,
        rules=rules.source,
        conclusion=conclusion,
        findings=tuple(findings),
        twins_checked=tuple(checked),
    )


def _is_touched(twins: Twins, changed: set[str]) -> bool:
    for side in twins.sides:
        for pattern in side.patterns:
            if pattern in changed:
                return True
            if is_glob(pattern) and any(map(compile_pattern(pattern), changed)):
                return True
    return False
