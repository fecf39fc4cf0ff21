"""The whole pipeline without I/O: rules and a change in, a report out."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date
from typing import TYPE_CHECKING

from consistency_bot import __version__
from consistency_bot.changed import Changed
from consistency_bot.errors import RulesError
from consistency_bot.model import DRIFT, Change, Conclusion, Finding, Patch, Report, Rules, SmokeRequest, Twins
from consistency_bot.paths import is_glob, split_symbol
from consistency_bot.visible import visible

if TYPE_CHECKING:
    from consistency_bot.judge.rules import Declared
    from consistency_bot.judge.twins import Judged


def check_change(
    rules: Rules,
    change: Change,
    show_standing: bool = False,
    today: date | None = None,
    labels: Collection[str] = (),
) -> Report:
    """Judges every twins that the change touches, with `show_standing` all others, too; tells which smoke jobs it asks for.

    Returns a report whose findings are empty where all is in step.
    What has an `expires` has expired once `today` is a later day; without `today` nothing has. `labels` are those of the
    pull request, which smoke jobs may wait for. Raises RulesError where patterns put a file on two sides.
    """
    judged: list[Judged] = []
    changed = Changed(change)
    declared: Declared | None = None
    has_new_rules = rules.source.from_ in ("worktree", "head") and rules.source.path in changed.paths
    for twins in rules.twins:
        day = today
        for pair in pairs_in(twins, change, changed) if twins.mode != "off" else ():
            if not (show_standing or _is_touched(pair, changed) or (has_new_rules and _names_nothing(pair, change))):
                continue
            _refuse_shared_files(pair, rules, change)
            # Only now: a change that touches no twins never loads the grammar.
            from consistency_bot.judge.twins import judge_twins, judge_twins_whole

            if declared is None and rules.declared:
                declared = _declared(rules, change, changed, today)
            judge = judge_twins_whole if show_standing else judge_twins
            found = judge(pair, change, changed, day, declared)
            if found is not None:
                judged.append(found if rules.patches else found.without_sources())
                day = None  # that an entry has expired is told once, however many pairs it makes
    twins_checked = tuple(each.checked for each in judged)
    smoke = _smoke(rules, change, changed, judged, labels)
    patches = _patches(rules, change, changed, show_standing)
    if patches:
        from consistency_bot.patches.judging import judge_patches, judge_patches_whole

        judge_all = judge_patches_whole if show_standing else judge_patches
        judged.append(judge_all(patches, rules, change, changed, today, judged))
    findings = [finding for each in judged for finding in each.findings]
    if judged and show_standing:
        from consistency_bot.judge.unused_waivers import waive_whole

        findings = waive_whole(rules, change, judged, today)
    elif judged and (rules.waivers or _may_be_waived(findings, change)):
        from consistency_bot.judge.waivers import waive

        findings = waive(rules, change, judged, today)
    return Report(
        version=1,
        tool=f"consistency-bot {__version__}",
        base=change.base_name,
        head=change.head_name,
        rules=rules.source,
        conclusion=conclusion_of(findings),
        findings=tuple(findings),
        twins_checked=twins_checked,
        smoke=smoke,
        rules_checked=tuple(rule for each in judged for rule in each.rules),
    )


def _may_be_waived(findings: Sequence[Finding], change: Change) -> bool:
    """Whether code at head says anything to this tool where there is a finding."""
    if not findings:
        return False
    from consistency_bot.judge.hints import may_waive

    paths = dict.fromkeys(place.path for each in findings for place in each.places)
    return any(may_waive(change.head.read(path) or b"") for path in paths)


def _smoke(
    rules: Rules, change: Change, changed: Changed, judged: "Sequence[Judged]", labels: Collection[str]
) -> tuple[SmokeRequest, ...]:
    if not rules.jobs:
        return ()
    from consistency_bot.planning import requested_jobs  # only rules files with jobs pay for it

    return requested_jobs(
        rules, change, changed, {each.twins.entry for each in judged if each.checked.modified}, labels
    )


def conclusion_of(findings: Sequence[Finding]) -> Conclusion:
    """What findings come to all in all; `in_step` for none."""
    if any(each.blocks and each.verdict in DRIFT for each in findings):
        return "drift"
    return "unknown" if any(each.verdict == "unknown" and each.waived is None for each in findings) else "in_step"


def _patches(rules: Rules, change: Change, changed: Changed, show_standing: bool) -> list[Patch]:
    """The patches about which there may be something to say."""
    if not rules.patches:
        return []
    from consistency_bot.patches.touched import active_patches, touched_patches

    return active_patches(rules) if show_standing else touched_patches(rules, change, changed)


def _declared(rules: Rules, change: Change, changed: Changed, today: date | None) -> "Declared":
    from consistency_bot.judge.rules import Declared  # only rules files with rules pay for it

    return Declared(rules, change, changed, today)


def pairs_in(twins: Twins, change: Change, changed: Changed) -> Iterable[Twins]:
    """The pairs that an entry with captures stands for in this change; the entry itself where it has none."""
    if not any("{" in pattern for side in twins.sides for pattern in side.patterns):
        return (twins,)
    from consistency_bot.captures import pairs_of

    return pairs_of(twins, change, changed)


def _refuse_shared_files(twins: Twins, rules: Rules, change: Change) -> None:
    """Raises RulesError where a file is on two sides: they would agree there whatever it says."""
    if twins.captured or any(is_glob(pattern) for side in twins.sides for pattern in side.patterns):
        from consistency_bot.judge.shared_files import shared_files

        where = f"{visible(rules.source.path)}:{twins.line}: twins {visible(twins.id)}"
        problems = tuple(f"{where}: {each}" for each in shared_files(twins, change.head))
        if problems:
            raise RulesError(problems)


def _names_nothing(twins: Twins, change: Change) -> bool:
    """Whether a path of an entry matches no file, before the change and behind it: a slip, if the entry is new."""
    return any(not change.head.find([path]) and not change.base.find([path]) for _, path in _named_by(twins))


def never_there(rules: Rules, change: Change) -> Iterator[str]:
    """A sentence for each path of a side that stands for itself and is neither at base nor at head: no change touches it."""
    for twins in rules.twins:
        for side, path in _named_by(twins) if twins.mode != "off" else ():
            if is_glob(path) or "{" in path:
                continue
            if change.head.entry(path) is None and change.base.entry(path) is None:
                yield (
                    f"twins {visible(twins.id)}: {visible(side)} names {visible(path)}, which is neither at base"
                    " nor at head: nothing is held against it"
                )


def _named_by(twins: Twins) -> Iterable[tuple[str, str]]:
    """(side, path) of all that stands in an entry, but for a side that is retired; each once."""
    sides = (side for side in twins.sides if side.name != twins.retired)
    return dict.fromkeys((side.name, split_symbol(pattern)[0]) for side in sides for pattern in side.patterns)


def _is_touched(twins: Twins, changed: Changed) -> bool:
    paths = (split_symbol(pattern)[0] for side in twins.sides for pattern in side.patterns)
    return any(map(changed.has, paths))
