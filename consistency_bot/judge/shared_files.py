"""Files that patterns put on two sides of one twins: there a side would be held against itself, and always agree.

The same path told twice is seen in the rules file itself; what wildcards and captures match is known with the tree.
"""

from collections.abc import Iterator

from consistency_bot.judge.files import selected_files
from consistency_bot.model import Tree, Twins
from consistency_bot.visible import visible


def shared_files(twins: Twins, tree: Tree) -> Iterator[str]:
    """One sentence for each two sides that have a file, or a symbol in one, in common; nothing for sound twins."""
    known = [(side.name, selected_files(side, tree)) for side in twins.sides]
    for index, (name, files) in enumerate(known):
        for first, others in known[:index]:
            path = next((each for each in sorted(files) if _is_shared(files[each], others.get(each))), None)
            if path is not None:
                yield (
                    f"side `{visible(name)}` has `{visible(path)}`, which is on side `{visible(first)}` too;"
                    " it takes: files of its own for each side"
                )


def _is_shared(symbols: tuple[str, ...], others: tuple[str, ...] | None) -> bool:
    """Whether two sides have something of one file in common; no symbol is the whole file, None no file."""
    if others is None:
        return False
    both = [(one, other) for one in symbols for other in others]
    return not both or any(
        f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.") for one, other in both
    )
