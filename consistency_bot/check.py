"""The whole pipeline without I/O: rules and a change in, a report out."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import TYPE_CHECKING

from consistency_bot import __version__
from consistency_bot.changed import Changed
from consistency_bot.model import DRIFT, Change, Conclusion, Finding, Patch, Report, RuleChecked, Rules, Twins
from consistency_bot.paths import compile_pattern, is_glob, split_symbol

if TYPE_CHECKING:
    from consistency_bot.judge.twins import Judged


def check_change(rules: Rules, change: Change, show_standing: bool = False, today: date | None = None) -> Report:
    """Judges every twins that the change touches.

    Returns a report whose findings are empty where all is in step. Twins that the change does not touch are not in it.
    What has an `expires` has expired once `today` is a later day; without `today` nothing has.
    """
    changed = Changed(change)
    judged = list(_judged(rules, change, changed, show_standing, today))
    twins_checked = tuple(each.checked for each in judged)
    rules_checked: tuple[RuleChecked, ...] = ()
    if rules.declared and (judged or show_standing):
        from consistency_bot.judge.rules import Declared, DeclaredWhole

        declared = (DeclaredWhole if show_standing else Declared)(rules, change, changed, today, judged)
        judged, rules_checked = declared.judged, tuple(declared.checked)
    patches = _patches(rules, change, changed, show_standing)
    if patches:
        from consistency_bot.patches.judging import judge_patches, judge_patches_whole

        judge_all = judge_patches_whole if show_standing else judge_patches
        patched = judge_all(patches, rules, change, changed, today, judged)
        judged, rules_checked = [*judged, patched.judged], (*rules_checked, *patched.checked)
    judged = [each.without_sides() if each.sides else each for each in judged]
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


def _judged(
    rules: Rules, change: Change, changed: Changed, show_standing: bool, today: date | None
) -> Iterator["Judged"]:
    """What the bodies of all twins say that the change touches, with their sides where rules or patches ask on."""
    for twins in rules.twins:
        day = today
        for pair in _pairs(twins, change, changed) if twins.mode != "off" else ():
            if not _is_touched(pair, changed.paths):
                continue
            # Only now: a change that touches no twins never loads the grammar.
            from consistency_bot.judge.twins import judge_twins, judge_twins_whole

            found = (judge_twins_whole if show_standing else judge_twins)(pair, change, changed, day)
            if found is not None:
                yield found if rules.declared or rules.patches else found.without_sides()
                day = None  # that an entry has expired is told once, however many pairs it makes


def _patches(rules: Rules, change: Change, changed: Changed, show_standing: bool) -> list[Patch]:
    """The patches about which there may be something to say."""
    if not rules.patches:
        return []
    from consistency_bot.patches.touched import active_patches, touched_patches

    return active_patches(rules) if show_standing else touched_patches(rules, change, changed)


def _conclusion(findings: list[Finding]) -> Conclusion:
    if any(each.blocks and each.verdict in DRIFT for each in findings):
        return "drift"
    return "unknown" if any(each.verdict == "unknown" and each.waived is None for each in findings) else "in_step"


def _pairs(twins: Twins, change: Change, changed: Changed) -> Iterable[Twins]:
    """The pairs that an entry with captures stands for in this change; the entry itself where it has none."""
    if not any("{" in pattern for side in twins.sides for pattern in side.patterns):
        return (twins,)
    from consistency_bot.captures import pairs_of

    return pairs_of(twins, change, changed)


def _is_touched(twins: Twins, changed: frozenset[str]) -> bool:
    for side in twins.sides:
        for pattern in side.patterns:
            path = split_symbol(pattern)[0]
            if path in changed:
                return True
            if is_glob(path) and any(map(compile_pattern(path), changed)):
                return True
    return False
