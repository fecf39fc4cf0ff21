"""The sides of one twins, read at base and head, and what could not be read."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial

from consistency_bot.attempts import Failure, attempt
from consistency_bot.changed import Changed
from consistency_bot.judge.files import SideFile, named_paths, side_files
from consistency_bot.judge.loading import LineLoader, Loaded, Loader
from consistency_bot.judge.quads import SideVersions
from consistency_bot.model import Change, Entry, Side, Twins
from consistency_bot.paths import compile_pattern, is_python, split_symbol
from consistency_bot.syntax import Readings, Source


class Unread:
    """A file or function about which nothing can be said: where, and why. `failed_at` is a line of this program."""

    __slots__ = ("failed_at", "function", "line", "path", "reason")

    def __init__(self, path: str, line: int, reason: str, function: str | None = None, failed_at: str = "") -> None:
        self.path = path
        self.line = line
        self.reason = reason
        self.function = function
        self.failed_at = failed_at


class Opaque:
    """A thing that nobody can look into, a binary file or a pointer to a commit: at base and at head, None for nothing.

    `concept` is `file` or `commit`.
    """

    __slots__ = ("base", "concept", "head", "path")

    def __init__(self, path: str, concept: str, base: object | None, head: object | None) -> None:
        self.path = path
        self.concept = concept
        self.base = base
        self.head = head


class SideRead:
    """One side: its versions, its files at head, whether the change touches it, and why it cannot be judged, if so.

    `cured` is what could not be read at base and can be at head.
    `as_lines` are its versions line by line, where another side is no Python. `opaque` is what cannot be looked into.
    `lacking` are the paths and symbols that it names and that are neither at base nor at head. `strays` are its paths at
    head to which a rename led, and which it does not name.
    """

    def __init__(self, side: Side, versions: SideVersions, paths: tuple[str, ...], is_modified: bool) -> None:
        self.side = side
        self.sources: Sequence[Source] = ()
        self.versions = versions
        self.as_lines: SideVersions | None = None
        self.paths = paths
        self.is_modified = is_modified
        self.opaque: tuple[Opaque, ...] = ()
        self.unread: Unread | None = None
        self.cured: Unread | None = None
        self.lacking: tuple[tuple[str, str], ...] = ()
        self.strays: tuple[str, ...] = ()

    @property
    def was(self) -> bool:
        """Whether there is anything of it at base."""
        return bool(self.versions.base) or any(each.base is not None for each in self.opaque)

    @property
    def exists(self) -> bool:
        """Whether there is anything of it at head."""
        return bool(self.versions.head) or any(each.head is not None for each in self.opaque)

    @property
    def is_whole(self) -> bool:
        """Whether all that it names is there, at base and at head, and can be read; nothing else is to be said then."""
        return self.was and self.exists and not (self.lacking or self.strays) and self.cured is None

    @property
    def is_python(self) -> bool:
        """Whether its main file is Python; true where it has none that can be read."""
        first = next(iter((*self.versions.head, *self.versions.base)), None)
        return first is None or is_python(first.path)

    def forget(self) -> None:
        """Lets go of what was read, which refers to itself; nothing more can be asked of it then."""
        versions = [each for each in (self.versions, self.as_lines) if each is not None]
        known = {each.source for version in versions for each in (*version.base, *version.head)}
        for source in known.union(self.sources):
            source.forget()


def is_pair(twins: Twins, sides: Sequence[SideRead]) -> bool:
    """A name that only one side ever had makes no pair; what the rules file names without captures always does."""
    return not twins.captured or sum(side.was or side.exists for side in sides) >= 2


class _Reading:
    """The sides of one twins in the making."""

    def __init__(self, twins: Twins, change: Change, changed: Changed) -> None:
        self._twins = twins
        self._change = change
        self._changed = changed
        self._readings = Readings()
        self._files = {side.name: side_files(twins, side, change, changed) for side in twins.sides}

    def side(self, side: Side) -> SideRead:
        """One side; nothing of it can be judged where reading it fails as a whole."""
        read = attempt(partial(self._side, side))
        if isinstance(read, Failure):
            failed = SideRead(side, SideVersions(side.name, (), ()), (), is_modified=True)
            failed.unread = Unread(split_symbol(side.patterns[0])[0], 1, read.reason, None, read.where)
            return failed
        return read

    def _side(self, side: Side) -> SideRead:
        base_files, head_files = self._files[side.name]
        base, head = self._load(side, Loader(self._twins.comments, self._readings))
        versions = _versions(side, base, head)
        every = (*base_files, *head_files)
        touched = {file.name for file in every if {file.path, file.name} & self._changed.paths}
        is_modified = _is_modified(touched, versions, head_files)
        out = SideRead(side, versions, tuple(file.path for file in head_files), is_modified)
        out.sources = base.sources + head.sources
        out.opaque = (*_binaries(base, head), *self._pointers(side))
        out.is_modified |= any(each.path in self._changed.paths for each in out.opaque)
        out.unread = _failed(base, head) or _no_longer_text(base, head) or _newly_broken(base.sources, head.sources)
        out.cured = _no_longer_text(head, base)
        out.paths += tuple(each.path for each in out.opaque if each.concept == "commit" and each.head is not None)
        out.strays = _strays(side, base_files, head_files)
        known = {each.path for each in out.opaque}
        out.lacking = tuple(each for each in _lacking(side, every, out.sources) if each[0] not in known)
        return out

    def as_lines(self, side: Side) -> SideVersions:
        """The same side's versions line by line."""
        return _versions(side, *self._load(side, LineLoader(self._twins.comments, self._readings)))

    def _load(self, side: Side, loader: Loader) -> tuple[Loaded, Loaded]:
        base_files, head_files = self._files[side.name]
        return loader.load(self._change.base, base_files), loader.load(self._change.head, head_files)

    def _pointers(self, side: Side) -> Iterator[Opaque]:
        """The submodules that the side names."""
        for path, symbol in named_paths(side):
            is_file = any(file.path == path for files in self._files[side.name] for file in files)
            if not symbol and not is_file:
                base, head = (_pointer(tree.entry(path)) for tree in (self._change.base, self._change.head))
                if base is not None or head is not None:
                    yield Opaque(path, "commit", base, head)


@contextmanager
def read_sides(twins: Twins, change: Change, changed: Changed) -> Iterator[list[SideRead]]:
    """All sides of the twins, until the `with` ends."""
    reading = _Reading(twins, change, changed)
    sides = [reading.side(side) for side in twins.sides]
    if not all(side.is_python for side in sides):
        for side in sides:
            side.as_lines = reading.as_lines(side.side) if side.is_python else side.versions
    try:
        yield sides
    finally:
        for side in sides:
            side.forget()


def _pointer(entry: Entry | None) -> str | None:
    return entry.id if entry is not None and entry.is_submodule else None


def _strays(side: Side, base: Sequence[SideFile], head: Sequence[SideFile]) -> tuple[str, ...]:
    before = {file.path for file in base}
    followed = [file.path for file in head if file.path not in before]
    matches = [compile_pattern(split_symbol(pattern)[0]) for pattern in side.patterns] if followed else []
    return tuple(path for path in followed if not any(matching(path) for matching in matches))


def _versions(side: Side, base: Loaded, head: Loaded) -> SideVersions:
    """What can be compared: not a file that can be read at one revision and not at the other."""
    names = frozenset(source.path for source in (*base.sources, *head.sources))
    names = names - base.unreadable.keys() - head.unreadable.keys()
    return SideVersions(side.name, list(base.definitions(names)), list(head.definitions(names)))


def _is_modified(touched: set[str], versions: SideVersions, files: Sequence[SideFile]) -> bool:
    """Whether the change touches the side: any of its files, but of a file with symbols these alone."""
    partly = {file.name for file in files if file.symbols}
    if touched - partly:
        return True
    if not touched:
        return False
    return any(versions.has_changed(was, now) for was, now in versions.versions())


def _binaries(base: Loaded, head: Loaded) -> Iterator[Opaque]:
    """The files that are no text, neither at base nor at head."""
    texts = {source.path for source in (*base.sources, *head.sources)}
    for name in dict.fromkeys((*base.unreadable, *head.unreadable)):
        if name not in texts:
            before, after = base.unreadable.get(name), head.unreadable.get(name)
            yield Opaque(name, "file", before.raw if before else None, after.raw if after else None)


def _failed(base: Loaded, head: Loaded) -> Unread | None:
    """The first file that could not be read for a fault of this program; None where there is none."""
    for name, why in (base.failed | head.failed).items():
        return Unread(name, 1, why.reason, None, why.where)
    return None


def _no_longer_text(text: Loaded, other: Loaded) -> Unread | None:
    """The first file that is text in one and not in the other; None where there is none."""
    texts = {source.path for source in text.sources}
    for name, unreadable in other.unreadable.items():
        if name in texts:
            return Unread(name, 1, unreadable.reason)
    return None


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
    readable = {each.path for each in base if not each.is_broken}
    for each in head:
        if each.is_broken and each.path in readable:
            found = [one for one in each.definitions if one.qualname in each.symbols]
            is_spared = each.symbols and len({one.qualname for one in found}) == len(each.symbols)
            if not is_spared or any(one.is_broken for one in found):
                return Unread(each.path, each.first_error_line, "syntax error")
    return None
