"""The whole pipeline without I/O: rules and a change in, a report out."""

from consistency_bot import __version__
from consistency_bot.judge.bodies import judge_bodies
from consistency_bot.judge.quads import SideVersions
from consistency_bot.model import Change, Conclusion, Finding, Report, Rules, Side, Tree, Twins, TwinsChecked
from consistency_bot.paths import compile_pattern
from consistency_bot.syntax import Definition, Source


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
        found, record = _check_twins(twins, change, changed)
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
            matches = compile_pattern(pattern)
            if any(matches(path) for path in changed):
                return True
    return False


def _check_twins(twins: Twins, change: Change, changed: set[str]) -> tuple[list[Finding], TwinsChecked]:
    renamed = {each.new: each.old for each in change.paths if each.new and each.old}
    shared: dict[frozenset[str], object] = {}
    sides: list[SideVersions] = []
    paths: dict[str, tuple[str, ...]] = {}
    for side in twins.sides:
        head_paths = _find(side, change.head)
        base_paths = [renamed.get(path, path) for path in head_paths]
        base_paths += [path for path in _find(side, change.base) if path not in base_paths]
        sources: dict[tuple[str, bytes], Source] = {}

        def load(
            tree: Tree,
            found: list[str],
            names: dict[str, str],
            sources: dict[tuple[str, bytes], Source] = sources,
        ) -> list[Definition]:
            out: list[Definition] = []
            for number, path in enumerate(found):
                raw = tree.read(path)
                if raw is None:
                    continue
                known = names.get(path, path)
                source = sources.get((known, raw))
                if source is None:
                    source = sources[known, raw] = Source(known, raw, shared, number == 0)
                out.extend(source.definitions)
            return out

        back = {old: new for new, old in renamed.items()}
        versions = SideVersions(side.name, load(change.base, base_paths, back), load(change.head, head_paths, {}))
        versions.is_modified = any(path in changed for path in head_paths + base_paths)
        sides.append(versions)
        paths[side.name] = tuple(head_paths)
    findings: list[Finding] = []
    for i, a in enumerate(sides):
        for b in sides[i + 1 :]:
            if a.is_modified or b.is_modified:
                findings.extend(judge_bodies(twins, a, b))
    return findings, TwinsChecked(twins.id, paths, tuple(each.name for each in sides if each.is_modified))


def _find(side: Side, tree: Tree) -> list[str]:
    found = tree.find(side.patterns)
    first = side.patterns[0]
    return sorted(found, key=lambda path: (path != first, path))
