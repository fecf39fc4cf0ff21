"""Reads files of one side: by the grammar of Python where they are Python, line by line where they are not."""

from collections.abc import Iterator, Sequence

from consistency_bot.judge.files import SideFile
from consistency_bot.model import Comments, Tree
from consistency_bot.paths import is_python
from consistency_bot.syntax import Definition, Lines, Source, Undecodable


class Unreadable:
    """A file that is there and is no text that can be read: its bytes, and why not."""

    __slots__ = ("raw", "reason")

    def __init__(self, raw: bytes, reason: str) -> None:
        self.raw = raw
        self.reason = reason


class Loaded:
    """The files of one side at one revision, each under the name that it has at head."""

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.unreadable: dict[str, Unreadable] = {}

    def definitions(self, names: frozenset[str]) -> Iterator[Definition]:
        """What is defined in the files of these names."""
        for source in self.sources:
            if source.path in names:
                yield from source.definitions


class Loader:
    """Reads the files of one side; a file with the same name and bytes at both revisions is read once."""

    def __init__(self, comments: Comments, shared: dict[frozenset[str], object]) -> None:
        self._comments: Comments = comments
        self._shared = shared
        self._sources: dict[tuple[str, bytes], Source] = {}

    def load(self, tree: Tree, files: Sequence[SideFile]) -> Loaded:
        """Those of the files that are there."""
        out = Loaded()
        for number, file in enumerate(files):
            raw = tree.read(file.path)
            if raw is None:
                continue
            try:
                source = self._sources.get((file.name, raw))
                if source is None:
                    source = self._sources[file.name, raw] = self._read(file, raw, number == 0)
                assert source.definitions is not None  # read here, where what goes wrong has a name
                out.sources.append(source)
            except Undecodable as error:
                out.unreadable[file.name] = Unreadable(raw, str(error))
            except RecursionError:
                out.unreadable[file.name] = Unreadable(raw, "nested too deeply to be read")
        return out

    def _read(self, file: SideFile, raw: bytes, is_main: bool) -> Source:
        if is_python(file.name):
            return Source(file.name, raw, self._shared, is_main, file.symbols, self._comments)
        return Lines(file.name, raw, is_main, self._comments)


class LineLoader(Loader):
    """The same, line by line whatever it is: how a Python file is held against one of another kind."""

    def _read(self, file: SideFile, raw: bytes, is_main: bool) -> Source:
        return Lines(file.name, raw, is_main, self._comments)
