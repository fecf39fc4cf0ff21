"""The sides of one twins, read at base and head, and what could not be read."""

from collections.abc import Iterator, Sequence

from consistency_bot.changed import Changed
from consistency_bot.judge.files import SideFile, named_paths, side_files
from consistency_bot.judge.quads import SideVersions
from consistency_bot.model import Change, Side, Tree, Twins
from consistency_bot.paths import split_symbol
from consistency_bot.syntax import Definition, Source, Undecodable


class Unread:
    """A file or function about which nothing can be said: where, and why."""

    __slots__ = ("function", "line", "path", "reason")

    def __init__(self, path: str, line: int, reason: str, function: str | None = None) -> None:
        self.path = path
        self.line = line
        self.reason = reason
        self.function = function


class SideRead:
    """One side: its versions, its files at head, whether the change touches it, and why it cannot be judged, if so.

    `was` and `exists` say whether there is anything of it at base and at head. `lacking` are the paths and symbols that
    it names and that are in neither.
    """

    __slots__ = ("exists", "is_modified", "lacking", "paths", "side", "sources", "unread", "versions", "was")

    def __init__(self, side: Side, versions: SideVersions, paths: tuple[str, ...], is_modified: bool) -> None:
        self.side = side
        self.sources: Sequence[Source] = ()
        self.versions = versions
        self.paths = paths
        self.is_modified = is_modified
        self.was = bool(versions.base)
        self.exists = bool(versions.head)
        self.unread: Unread | None = None
        self.lacking: tuple[tuple[str, str], ...] = ()


class _Loader:
    """Reads the files of one side; a file with the same name and bytes at both revisions is read once."""

    def __init__(self, shared: dict[frozenset[str], object]) -> None:
        self._shared = shared
        self._sources: dict[tuple[str, bytes], Source] = {}
        self.unread: Unread | None = None

    def load(self, tree: Tree, files: Sequence[SideFile]) -> list[Source]:
        """What can be read of the files that are there, each under the name that it has at head."""
        out: list[Source] = []
        for number, file in enumerate(files):
            raw = tree.read(file.path)
            if raw is None:
                continue
            try:
                source = self._sources.get((file.name, raw))
                if source is None:
                    source = Source(file.name, raw, self._shared, number == 0, file.symbols)
                    self._sources[file.name, raw] = source
                assert source.definitions is not None  # read here, where what goes wrong has a name
                out.append(source)
            except Undecodable as error:
                self.unread = Unread(file.name, 1, str(error))
            except RecursionError:
                self.unread = Unread(file.name, 1, "nested too deeply to be read")
        return out


def read_sides(twins: Twins, change: Change, changed: Changed) -> list[SideRead]:
    """All sides of the twins."""
    shared: dict[frozenset[str], object] = {}
    return [_read_side(twins, side, change, changed, _Loader(shared)) for side in twins.sides]


def _read_side(twins: Twins, side: Side, change: Change, changed: Changed, loader: _Loader) -> SideRead:
    base_files, head_files = side_files(twins, side, change, changed)
    base, head = loader.load(change.base, base_files), loader.load(change.head, head_files)
    versions = SideVersions(side.name, _definitions(base), _definitions(head))
    touched = {file.name for file in (*base_files, *head_files) if {file.path, file.name} & changed.paths}
    out = SideRead(side, versions, tuple(file.path for file in head_files), _is_modified(touched, versions, head_files))
    out.sources = base + head
    out.unread = loader.unread or _newly_broken(base, head)
    out.lacking = tuple(_lacking(side, base_files + head_files, base + head))
    return out


def _definitions(sources: Sequence[Source]) -> list[Definition]:
    return [each for source in sources for each in source.definitions]


def _is_modified(touched: set[str], versions: SideVersions, files: Sequence[SideFile]) -> bool:
    """Whether the change touches the side: any of its files, but of a file with symbols these alone."""
    partly = {file.name for file in files if file.symbols}
    if touched - partly:
        return True
    if not touched:
        return False
    return any(versions.has_changed(was, now) for was, now in versions.versions())


def _lacking(side: Side, files: Sequence[SideFile], sources: Sequence[Source]) -> Iterator[tuple[str, str]]:
    """(path, symbol) of what the side names and neither revision has; a whole side that is not there names itself."""
    if not files and not any(True for _ in named_paths(side)):
        yield split_symbol(side.patterns[0])
    found = {(source.path, each.qualname) for source in sources for each in source.definitions if source.symbols}
    for path, symbol in named_paths(side):
        names = [file.name for file in files if file.path == path]
        if not names or (symbol and not any((name, symbol) in found for name in names)):
            yield path, symbol


def _newly_broken(base: Sequence[Source], head: Sequence[Source]) -> Unread | None:
    """The first file that the grammar read at base and cannot read at head; None where all is read.

    Where symbols alone count, errors elsewhere in the file do not, unless a symbol is not to be found for them.
    """
    readable = {each.path for each in base if not each.root.has_error}
    for each in head:
        if each.root.has_error and each.path in readable:
            found = [one for one in each.definitions if one.qualname in each.symbols]
            is_spared = each.symbols and len({one.qualname for one in found}) == len(each.symbols)
            if not is_spared or any(one.is_broken for one in found):
                return Unread(each.path, each.first_error_line, "syntax error")
    return None
