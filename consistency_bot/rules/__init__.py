"""The rules file: where it is, what it may say, and which of a change's two versions counts."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date

import msgspec

from consistency_bot.errors import RulesError
from consistency_bot.jobs import Job
from consistency_bot.model import Change, Files, NamedAtom, Patch, Rule, Rules, RulesSource, Side, Twins, Waiver
from consistency_bot.rules.find import find_rules, no_rules
from consistency_bot.rules.places import Spot
from consistency_bot.rules.read import read_rules_file
from consistency_bot.rules.schema import AnyRule, RulesFile, Status, TwinsEntry
from consistency_bot.rules.schema import Waiver as WaiverEntry

__all__ = ["RulesText", "load_rules"]

_NOT_COMMITTED = ("WORKTREE", "INDEX")

_Other = RulesFile | RulesError | None
"""The other version of a rules file, to compare with: None where its tree has none, or two."""


class RulesText(msgspec.Struct, frozen=True):
    """A rules file that was named on the command line: its path as given, and its bytes."""

    path: str
    data: bytes


def load_rules(change: Change, given: RulesText | None) -> Rules:
    """The rules that judge a change: those `given`, else the base commit's, else (it has none) the head commit's.

    A change may not soften the rules that judge it, so a committed head is judged by the base's file; `notes` then say
    what the head's own would change. What nobody has committed, the working tree or the index, is judged by the file
    in the working tree: whoever runs the check may edit it. Raises RulesError with all mistakes, or where there are no rules at all.
    """
    if given is not None:
        decoded, top = read_rules_file(given.data, given.path)
        return _rules(decoded, top, RulesSource(given.path, "file"))
    base_name = f"the base commit {change.base_name[:12]}"
    if change.head_name in _NOT_COMMITTED:
        return _own_rules(change)
    base = find_rules(change.base, base_name)
    if base is None:
        return _head_rules(change, base_name)
    path, data = base
    decoded, top = read_rules_file(data, path)
    head = _find_quietly(change.head, "the head commit")
    if head == base:
        return _rules(decoded, top, RulesSource(path, "base"))
    other = _read_quietly(head)
    source, notes = RulesSource(path, "base", changed_by_head=True), _effect(decoded, path, other)
    return _rules(decoded, top, source, notes, left=_patches_of(other), edited=_edited(decoded, other))


def _own_rules(change: Change) -> Rules:
    """The working tree's rules, for a head that nobody has committed."""
    files = change.working_tree or change.head
    found = find_rules(files, "the working tree")
    if found is None:
        raise no_rules((("the working tree", files),))
    decoded, top = read_rules_file(found[1], found[0])
    before = _find_quietly(change.base, "")
    if found == before:
        return _rules(decoded, top, RulesSource(found[0], "worktree"))
    # To read it takes as long as to read the one that counts.
    other = _read_quietly(before) if decoded.waivers or decoded.smoke else None
    source = RulesSource(found[0], "worktree", changed_by_head=True)
    return _rules(decoded, top, source, known=_waivers_of(other), edited=_edited(decoded, other))


def _head_rules(change: Change, base_name: str) -> Rules:
    """The rules of a committed head whose base has none, which is how a team begins."""
    head_name = f"the head commit {change.head_name[:12]}"
    found = find_rules(change.head, head_name)
    if found is None:
        raise no_rules(((base_name, change.base), (head_name, change.head)))
    decoded, top = read_rules_file(found[1], found[0])
    notes = [f"{base_name} has no rules file: used {found[0]} of {head_name}"]
    if decoded.smoke:  # they are run, so they must have been merged by somebody
        notes.append(f"smoke jobs of {head_name} are left out: they count once they are merged")
        decoded = msgspec.structs.replace(decoded, smoke={})
    return _rules(decoded, top, RulesSource(found[0], "head", changed_by_head=True), tuple(notes), known=())


def _find_quietly(tree: Files, where: str) -> tuple[str, bytes] | None:
    """A tree's rules file for comparison only: two of them are as good as none."""
    try:
        return find_rules(tree, where)
    except RulesError:
        return None


def _read_quietly(found: tuple[str, bytes] | None) -> _Other:
    try:
        return read_rules_file(found[1], found[0])[0] if found is not None else None
    except RulesError as error:
        return error


def _effect(used: RulesFile, path: str, head: _Other) -> tuple[str, ...]:
    """What the head's rules file would change once merged, in sentences."""
    if head is None:
        return (f"used the base's {path}; the head takes it away or has two: after the merge nothing would be checked",)
    if isinstance(head, RulesError):
        mistakes = "\n  ".join(head.problems)
        return (f"used the base's {path}; the head's has mistakes that would stop every later check:\n  {mistakes}",)
    twins, rules = (_by_id(used.twins), _by_id(head.twins)), (_by_id(used.rules), _by_id(head.rules))
    said = [f"{verb} twins {', '.join(names)}" for verb, names in _differences(*twins)] or ["changes no twins"]
    said += [f"{verb} rule{'s' * (len(names) != 1)} {', '.join(names)}" for verb, names in _differences(*rules)]
    patches = [each for each in _differences(used.patches, head.patches) if each[0] != "changes"]
    said += [f"{verb} patch{'es' * (len(names) != 1)} {', '.join(names)}" for verb, names in patches]
    said += [f"changes {each}" for each in sorted(_edited(used, head)) if each.startswith("smoke job ")]
    for verb, more, less in (("adds", head, used), ("removes", used, head)):
        count = sum(waiver not in less.waivers for waiver in more.waivers)
        said += [f"{verb} {count} waiver{'s' * (count != 1)}"] * bool(count)
    return (f"used the base's {path}; the head's {'; '.join(said)}, which counts once it is merged",)


def _by_id(entries: Iterable[TwinsEntry | AnyRule]) -> dict[str, object]:
    return {entry.id: entry for entry in entries}


def _differences(old: Mapping[str, object], new: Mapping[str, object]) -> Iterator[tuple[str, list[str]]]:
    """What a version adds, removes and changes: a verb, and names; nothing for a verb without names."""
    parts = (
        ("adds", [name for name in new if name not in old]),
        ("removes", [name for name in old if name not in new]),
        ("changes", [name for name in new if name in old and new[name] != old[name]]),
    )
    return (each for each in parts if each[1])


def _edited(used: RulesFile, other: _Other) -> frozenset[str]:
    """The entries that the other version of the file changes or does not have; none where it has mistakes.

    They tell which smoke jobs to ask for: none either where the file has no job.
    """
    if not used.smoke or isinstance(other, RulesError):
        return frozenset()
    rules = {each.id: each for each in other.rules} if other is not None else {}
    patches = other.patches if other is not None else {}
    jobs = other.smoke if other is not None else {}
    return frozenset(
        [f"rule {each.id}" for each in used.rules if rules.get(each.id) != each]
        + [f"patch {name}" for name, entry in used.patches.items() if patches.get(name) != entry]
        + [f"smoke job {name}" for name, entry in used.smoke.items() if jobs.get(name) != entry]
    )


def _waivers_of(other: _Other) -> tuple[WaiverEntry, ...]:
    """The waivers of another version of the file; none where it has mistakes."""
    return other.waivers if isinstance(other, RulesFile) else ()


def _rules(
    decoded: RulesFile,
    top: Spot,
    source: RulesSource,
    notes: tuple[str, ...] = (),
    *,
    known: tuple[WaiverEntry, ...] | None = None,
    left: frozenset[str] | None = None,
    edited: frozenset[str] = frozenset(),
) -> Rules:
    """The rules as values. `known` are the waivers that the change does not bring along (default: all of them).

    `left` are the ids of the patches that head's own file still has (default: all of them).
    """
    twins = tuple(_twins(entry, line) for entry, line in zip(decoded.twins, _lines(top, "twins"), strict=True))
    waivers = tuple(
        _waiver(entry, line, known is not None and entry not in known)
        for entry, line in zip(decoded.waivers, _lines(top, "waivers"), strict=True)
    )
    patches = _patches(decoded, top, left)
    declared = _declared(decoded, top)
    return Rules(twins, source, notes, waivers, declared, patches, _jobs(decoded, top), edited, _atoms(decoded, top))


def _jobs(decoded: RulesFile, top: Spot) -> tuple[Job, ...]:
    if not decoded.smoke:
        return ()
    from consistency_bot.rules.smoke_jobs import jobs_of  # only files with jobs pay for it

    return jobs_of(decoded, top)


def _patches(decoded: RulesFile, top: Spot, left: frozenset[str] | None) -> tuple[Patch, ...]:
    if not decoded.patches:
        return ()
    from consistency_bot.rules.patches import patches_of  # only files with patches pay for it

    return tuple(patches_of(decoded, top, left))


def _patches_of(other: _Other) -> frozenset[str] | None:
    """The ids of another version's patches; None where it has mistakes, for nobody knows what it means."""
    if isinstance(other, RulesError):
        return None
    return frozenset(other.patches) if other is not None else frozenset()


def _atoms(decoded: RulesFile, top: Spot) -> tuple[NamedAtom, ...]:
    return tuple(
        NamedAtom(name, (given,) if isinstance(given, str) else given, top.get("atoms").get(name).line)
        for name, given in decoded.atoms.items()
    )


def _declared(decoded: RulesFile, top: Spot) -> tuple[Rule, ...]:
    if not decoded.rules:
        return ()
    from consistency_bot.rules.declared import declared_rules  # only files with rules pay for it

    return declared_rules(decoded, top)


def _lines(top: Spot, section: str) -> list[int]:
    return [spot.line for spot in top.get(section).items]


def _waiver(entry: WaiverEntry, line: int, added_by_head: bool) -> Waiver:
    return Waiver(
        reason=entry.reason,
        finding=(entry.finding or "").lower(),
        name=entry.rule or "",
        where=entry.where or "",
        by=entry.by or "",
        expires=date.fromisoformat(entry.expires) if entry.expires is not None else None,
        line=line,
        added_by_head=added_by_head,
    )


def _twins(entry: TwinsEntry, line: int) -> Twins:
    sides = (Side(name, (files,) if isinstance(files, str) else files) for name, files in entry.sides.items())
    status = entry.status if isinstance(entry.status, Status) else Status()
    return Twins(
        entry.id,
        tuple(sides),
        entry.why,
        entry.same,
        entry.mode,
        line,
        entry.comments,
        date.fromisoformat(entry.expires) if entry.expires is not None else None,
        frozen=status.frozen or "",
        retired=status.retired or "",
    )
