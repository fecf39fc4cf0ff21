"""Which smoke jobs a change needs, and why: told from the rules, the paths that changed and what they lock.

The jobs are those of the rules that judge the change, so those of the base commit for a pull request.
"""

from collections.abc import Collection, Iterator

from consistency_bot.changed import Changed
from consistency_bot.jobs import Job
from consistency_bot.model import Change, Patch, Rules, SmokeRequest, Tree
from consistency_bot.paths import compile_pattern

_OF_PATCHES = frozenset({"patch", "operators"})
"""Probes that judge patches: any change to a patch asks for them."""


def requested_jobs(
    rules: Rules, change: Change, changed: Changed, twins: Collection[str], labels: Collection[str]
) -> tuple[SmokeRequest, ...]:
    """The jobs that a change asks for, in the order of the rules file, each once with all of its reasons.

    `twins` are the entries whose sides the change modifies, `labels` those of the pull request.
    """
    versions = list(_versions(change, changed))
    requests = []
    for job in rules.jobs:
        reasons = [
            *_by_rules(job, rules, twins),
            *_by_patches(job, rules, changed),
            *versions,
            *_by_itself(job, rules, changed, labels),
        ]
        if reasons:
            requests.append(SmokeRequest(job.name, "; ".join(dict.fromkeys(reasons))))
    return tuple(requests)


def _by_rules(job: Job, rules: Rules, twins: Collection[str]) -> Iterator[str]:
    for rule in rules.declared:
        if job.name not in rule.smoke or rule.mode == "off":
            continue
        if rule.twins in twins:
            yield f"{rule.id}: twins {rule.twins} changed"
        if f"rule {rule.id}" in rules.edited:
            yield f"{rule.id}: the rule changed"


def _by_patches(job: Job, rules: Rules, changed: Changed) -> Iterator[str]:
    for patch in rules.patches:
        if patch.mode == "off" or not (job.name in patch.smoke or job.probe in _OF_PATCHES):
            continue
        if _is_touched(patch, changed):
            yield f"patch {patch.id}: {patch.path} changed"
        if f"patch {patch.id}" in rules.edited:
            yield f"patch {patch.id}: its entry changed"


def _is_touched(patch: Patch, changed: Changed) -> bool:
    return patch.path in changed.paths or changed.before.get(patch.path) in changed.paths


def _by_itself(job: Job, rules: Rules, changed: Changed, labels: Collection[str]) -> Iterator[str]:
    if f"smoke job {job.name}" in rules.edited:
        yield "the job itself changed"
    for pattern in job.when.paths:
        matches = compile_pattern(pattern)
        path = next((path for path in sorted(changed.paths) if matches(path)), None)
        if path is not None:
            yield f"when: {path} changed"
            break
    if job.when.label and job.when.label in labels:
        yield f"when: label {job.when.label}"
    if job.when.always:
        yield "when: always"


def _versions(change: Change, changed: Changed) -> Iterator[str]:
    """How the locked version of torch changed, one sentence for each file that locks it; nothing where it did not."""
    from consistency_bot.locks.names import may_lock

    for path in sorted(filter(may_lock, changed.paths)):
        before, after = _locked(change.base, path), _locked(change.head, path)
        if before != after:
            yield f"torch {before or 'unlocked'} became {after or 'unlocked'} ({path})"


def _locked(tree: Tree, path: str) -> str:
    """The versions of torch that the code beside a file meets, as one text: what is locked, else what is allowed."""
    from consistency_bot.locks.search import locks_around

    locks = locks_around(tree, path, "torch")
    locked = sorted({each.version for each in locks.locked})
    return ", ".join(locked or sorted({each.specifier for each in locks.bounds}))
