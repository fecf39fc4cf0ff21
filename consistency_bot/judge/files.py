"""Which files make up a side at base and at head, renamed ones followed both ways."""

from collections.abc import Iterator

from consistency_bot.changed import Changed
from consistency_bot.model import Change, Side, Tree, Twins
from consistency_bot.paths import compile_pattern, is_glob, split_symbol


class SideFile:
    """One file of a side at one revision: its path there, the path it has at head, and the symbols that count in it.

    No `symbols` means the whole file.
    """

    __slots__ = ("name", "path", "symbols")

    def __init__(self, path: str, name: str, symbols: tuple[str, ...]) -> None:
        self.path = path
        self.name = name
        self.symbols = symbols


def side_files(twins: Twins, side: Side, change: Change, changed: Changed) -> tuple[list[SideFile], list[SideFile]]:
    """(files at base, files at head), the first declared one first; a file at base may be one that head alone has.

    Rules name the head's paths or, where the base's rules count, the base's: a file that was renamed is the same file.
    """
    head = selected_files(side, change.head)
    base = selected_files(side, change.base)
    for path, symbols in base.items():
        goes_on = changed.now.get(path)
        if goes_on is not None and path not in head and _is_named(side, path) and not _owners(twins, goes_on):
            head[goes_on] = symbols
    first = split_symbol(side.patterns[0])[0]
    main = first if first in head else changed.now.get(first, first)
    at_head = [SideFile(path, path, symbols) for path, symbols in _main_first(main, head)]
    at_base = [SideFile(_before(twins, each.path, changed), each.path, each.symbols) for each in at_head]
    known = {each.path for each in at_base}
    for path, symbols in _main_first(first, base):
        has_left = path in changed.now and not _crosses(twins, path, changed.now[path])
        if path not in known and not has_left:
            at_base.append(SideFile(path, path, symbols))
    return at_base, at_head


def _before(twins: Twins, path: str, changed: Changed) -> str:
    """The path at base of a file that stands at `path` at head."""
    before = changed.before.get(path, path)
    return path if before != path and _crosses(twins, before, path) else before


def selected_files(side: Side, tree: Tree) -> dict[str, tuple[str, ...]]:
    """{path: symbols} of the files that the side's patterns match; a file that is named as a whole counts as a whole."""
    found: dict[str, tuple[str, ...]] = {}
    for pattern in side.patterns:
        path, symbol = split_symbol(pattern)
        for each in tree.find((path,)):
            known = found.get(each)
            if known is None or not symbol:
                found[each] = (symbol,) if symbol else ()
            elif known and symbol not in known:
                found[each] = (*known, symbol)
    return found


def _main_first(main: str, found: dict[str, tuple[str, ...]]) -> Iterator[tuple[str, tuple[str, ...]]]:
    yield from sorted(found.items(), key=lambda item: (item[0] != main, item[0]))


def _is_named(side: Side, path: str) -> bool:
    """Whether the side names this very file; what left the reach of a wildcard has left the side."""
    return any(split_symbol(pattern)[0] == path for pattern in side.patterns)


def _crosses(twins: Twins, old: str, new: str) -> bool:
    """Whether a file that was renamed went from one side to another: then it is no longer what it was."""
    owners = _owners(twins, old)
    return bool(owners) and bool(found := _owners(twins, new)) and not owners & found


def _owners(twins: Twins, path: str) -> set[str]:
    """The sides that the path belongs to under its own name."""
    return {
        side.name
        for side in twins.sides
        if any(compile_pattern(split_symbol(pattern)[0])(path) for pattern in side.patterns)
    }


def named_paths(side: Side) -> Iterator[tuple[str, str]]:
    """(path, symbol) of every pattern without a wildcard: what the side says has to be there."""
    for pattern in side.patterns:
        path, symbol = split_symbol(pattern)
        if not is_glob(path):
            yield path, symbol
