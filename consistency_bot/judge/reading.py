"""The sides of one twins, read at base and head, and what could not be read."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from consistency_bot.judge.quads import SideVersions
from consistency_bot.model import Change, Side, Tree, Twins
from consistency_bot.syntax import Definition, Readings, Source, Undecodable


class Unread:
    """A file or function about which nothing can be said: where, and why."""

    __slots__ = ("function", "line", "path", "reason")

    def __init__(self, path: str, line: int, reason: str, function: str | None = None) -> None:
        self.path = path
        self.line = line
        self.reason = reason
        self.function = function


class SideRead:
    """One side: its versions, its files at head, whether the change touches it, and why it cannot be judged, if so."""

    __slots__ = ("is_modified", "paths", "unread", "versions")

    def __init__(
        self, versions: SideVersions, paths: tuple[str, ...], is_modified: bool, unread: Unread | None
    ) -> None:
        self.versions = versions
        self.paths = paths
        self.is_modified = is_modified
        self.unread = unread


class _Loader:
    """Reads the files of one side; a file with the same name and bytes at both revisions is read once."""

    def __init__(self, readings: Readings) -> None:
        self._readings = readings
        self._sources: dict[tuple[str, bytes], Source] = {}
        self._latest: dict[str, Source] = {}
        self.unread: Unread | None = None

    def load(self, tree: Tree, paths: list[str], names: Mapping[str, str]) -> list[Definition]:
        """The definitions of all files. `names` gives files that were renamed the name they have at head."""
        out: list[Definition] = []
        for number, path in enumerate(paths):
            raw = tree.read(path)
            if raw is None:
                continue
            name = names.get(path, path)
            try:
                source = self._sources.get((name, raw))
                if source is None:
                    source = Source(name, raw, self._readings, number == 0, self._latest.get(name))
                    self._sources[name, raw] = self._latest[name] = source
                out.extend(source.definitions)
            except Undecodable as error:
                self.unread = Unread(name, 1, str(error))
            except RecursionError:
                self.unread = Unread(name, 1, "nested too deeply to be read")
        return out


@contextmanager
def read_sides(twins: Twins, change: Change, changed: set[str]) -> Iterator[list[SideRead]]:
    """All sides of the twins, until the `with` ends. `changed` holds every path that differs, old names included."""
    now = {each.old: each.new for each in change.paths if each.new and each.old}
    before = {new: old for old, new in now.items()}
    readings = Readings()
    out = []
    for side in twins.sides:
        head_paths = _find(side, change.head)
        base_paths = [before.get(path, path) for path in head_paths]
        base_paths += [path for path in _find(side, change.base) if path not in base_paths and path not in now]
        loader = _Loader(readings)
        base = loader.load(change.base, base_paths, now)
        head = loader.load(change.head, head_paths, {})
        versions = SideVersions(side.name, base, head)
        unread = loader.unread or _newly_broken(versions)
        if not head_paths:
            unread = Unread(side.patterns[0], 1, "there is no such file at head")
        is_modified = any(path in changed for path in head_paths + base_paths)
        out.append(SideRead(versions, tuple(head_paths), is_modified, unread))
    yield out
    for source in {each.source for side in out for each in (*side.versions.base, *side.versions.head)}:
        source.forget()


def _newly_broken(side: SideVersions) -> Unread | None:
    """The first file that the grammar read at base and cannot read at head; None where all is read."""
    readable = {each.path for each in side.base if each.kind == "module" and not each.is_broken}
    for each in side.head:
        if each.kind == "module" and each.is_broken and each.path in readable:
            return Unread(each.path, each.source.first_error_line, "syntax error")
    return None


def _find(side: Side, tree: Tree) -> list[str]:
    """The side's files, the first declared one first."""
    first = side.patterns[0]
    return sorted(tree.find(side.patterns), key=lambda path: (path != first, path))
