"""Which patches a change can have to do with: told without reading what it does not touch."""

from consistency_bot.changed import Changed
from consistency_bot.locks.names import may_lock
from consistency_bot.model import Change, Patch, Rules


def active_patches(rules: Rules) -> list[Patch]:
    """Those that are not switched off."""
    return [patch for patch in rules.patches if patch.mode != "off"]


def touched_patches(rules: Rules, change: Change, changed: Changed) -> list[Patch]:
    """The patches about which the change can change anything: their file, a lock, the rules, a file that names them."""
    patches = active_patches(rules)
    if any(may_lock(path) or path == rules.source.path for path in changed.paths):
        return patches
    named = {path: _words(path, change) for path in changed.paths if path.endswith(".py")} if patches else {}
    return [
        patch
        for patch in patches
        if patch.path in changed.paths
        or changed.before.get(patch.path) in changed.paths
        or any(patch.symbol.rpartition(".")[2].encode() in text for texts in named.values() for text in texts)
    ]


def _words(path: str, change: Change) -> tuple[bytes, ...]:
    return tuple(data for tree in (change.base, change.head) if (data := tree.read(path)) is not None)
