"""All sides of one twins: read at base and head, then judged pair by pair."""

import hashlib

from consistency_bot.judge.bodies import judge_bodies
from consistency_bot.judge.quads import SideVersions
from consistency_bot.model import Change, Finding, Place, Side, Tree, Twins, TwinsChecked
from consistency_bot.syntax import Definition, Source, Undecodable


def judge_twins(twins: Twins, change: Change, changed: set[str]) -> tuple[list[Finding], TwinsChecked]:
    """The findings for one twins, and what was looked at. `changed` holds every path that differs, old names included."""
    renamed = {each.new: each.old for each in change.paths if each.new and each.old}
    shared: dict[frozenset[str], object] = {}
    sides: list[SideVersions] = []
    unread: dict[str, tuple[str, int, str]] = {}
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
            name: str = side.name,
        ) -> list[Definition]:
            out: list[Definition] = []
            for number, path in enumerate(found):
                raw = tree.read(path)
                if raw is None:
                    continue
                known = names.get(path, path)
                source = sources.get((known, raw))
                if source is None:
                    try:
                        source = sources[known, raw] = Source(known, raw, shared, number == 0)
                    except Undecodable as error:
                        unread[name] = (known, 1, str(error))
                        continue
                out.extend(source.definitions)
            return out

        back = {old: new for new, old in renamed.items()}
        versions = SideVersions(side.name, load(change.base, base_paths, back), load(change.head, head_paths, {}))
        broken = _newly_broken(versions)
        if broken is not None:
            unread.setdefault(side.name, broken)
        versions.is_modified = any(path in changed for path in head_paths + base_paths)
        sides.append(versions)
        paths[side.name] = tuple(head_paths)
    findings = [_unknown(twins, name, *why) for name, why in unread.items()]
    for i, a in enumerate(sides):
        for b in sides[i + 1 :]:
            if (a.is_modified or b.is_modified) and a.name not in unread and b.name not in unread:
                findings.extend(judge_bodies(twins, a, b))
    return findings, TwinsChecked(twins.id, paths, tuple(each.name for each in sides if each.is_modified))


def _newly_broken(side: SideVersions) -> tuple[str, int, str] | None:
    """(path, line, reason) of the first file that the grammar read at base and cannot read at head; None where all is read."""
    readable = {each.path for each in side.base if each.kind == "module" and not each.is_broken}
    for each in side.head:
        if each.kind == "module" and each.is_broken and each.path in readable:
            return each.path, each.source.first_error_line, "syntax error"
    return None


def _unknown(twins: Twins, side: str, path: str, line: int, reason: str) -> Finding:
    """The finding for a side that could not be read: nobody can say whether it is in step."""
    digest = hashlib.sha256(repr(("unknown", twins.id, side, path, reason)).encode("utf-8", "surrogatepass"))
    return Finding(
        rule="bodies",
        twins=twins.id,
        verdict="unknown",
        blocks=twins.mode == "block",
        fingerprint=digest.hexdigest()[:16],
        concept="file",
        message=f"{side} cannot be read at head ({path}:{line}): {reason}; nothing can be said about these twins.",
        changed=Place(side, path, line, line),
        counterpart=None,
    )


def _find(side: Side, tree: Tree) -> list[str]:
    found = tree.find(side.patterns)
    first = side.patterns[0]
    return sorted(found, key=lambda path: (path != first, path))
