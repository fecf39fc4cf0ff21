"""The whole pipeline without I/O: rules and a change in, a report out."""

from consistency_bot import __version__
from consistency_bot.captures import pairs_of
from consistency_bot.changed import Changed
from consistency_bot.model import Change, Conclusion, Finding, Report, Rules, Twins, TwinsChecked
from consistency_bot.paths import compile_pattern, split_symbol


def check_change(rules: Rules, change: Change, show_standing: bool = False) -> Report:
    """Judges every twins that the change touches.

    Returns a report whose findings are empty where all is in step. Twins that the change does not touch are not in it.
    """
    findings: list[Finding] = []
    checked: list[TwinsChecked] = []
    changed = Changed(change)
    for twins in rules.twins:
        for pair in pairs_of(twins, change, changed) if twins.mode != "off" else ():
            if not _is_touched(pair, changed.paths):
                continue
            # Only now: a change that touches no twins never loads the grammar.
            from consistency_bot.judge.twins import judge_twins, judge_twins_whole

            judge = judge_twins_whole if show_standing else judge_twins
            judged = judge(pair, change, changed)
            if judged is not None:
                findings.extend(judged[0])
                checked.append(judged[1])
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


def _is_touched(twins: Twins, changed: frozenset[str]) -> bool:
    for side in twins.sides:
        for pattern in side.patterns:
            matches = compile_pattern(split_symbol(pattern)[0])
            if any(matches(path) for path in changed):
                return True
    return False
