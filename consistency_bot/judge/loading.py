"""Reads files of one side: by the grammar of Python where they are Python, line by line where they are not."""

from collections.abc import Iterator, Sequence
from functools import partial

from consistency_bot.attempts import Failure, attempt
from consistency_bot.judge.files import SideFile
from consistency_bot.model import Comments, Tree
from consistency_bot.paths import is_python
from consistency_bot.syntax import Definition, Readings, Source, Undecodable


class Unreadable:
    """A file that is there and is no text that can be read: its bytes, and why not."""

    __slots__ = ("raw", "reason")

    def __init__(self, raw: bytes, reason: str) -> None:
        self.raw = raw
        self.reason = reason


class Loaded:
    """The files of one side at one revision, each under the name that it has at head.

    `unreadable` are those that are no text, `failed` those that are and that reading has failed for.
    """

    def __init__(self) -> None:
        self.sources: list[Source] = []
        self.unreadable: dict[str, Unreadable] = {}
        self.failed: dict[str, Failure] = {}

    def definitions(self, names: frozenset[str]) -> Iterator[Definition]:
        """What is defined in the files of these names."""
        for source in self.sources:
            if source.path in names:
                yield from source.definitions


class Loader:
    """Reads the files of one side; a file with the same name and bytes at both revisions is read once."""

    def __init__(self, comments: Comments, readings: Readings) -> None:
        self._comments: Comments = comments
        self._readings = readings
        self._sources: dict[tuple[str, bytes], Source] = {}
        self._latest: dict[str, Source] = {}

    def load(self, tree: Tree, files: Sequence[SideFile]) -> Loaded:
        """Those of the files that are there."""
        out = Loaded()
        for number, file in enumerate(files):
            raw = tree.read(file.path)
            if raw is None:
                continue
            source = attempt(partial(self._source, file, raw, number == 0))
            if isinstance(source, Failure):
                out.failed[file.name] = source
            elif isinstance(source, Unreadable):
                out.unreadable[file.name] = source
            else:
                out.sources.append(source)
        return out

    def _source(self, file: SideFile, raw: bytes, is_main: bool) -> Source | Unreadable:
        source = self._sources.get((file.name, raw))
        try:
            if source is None:
                source = self._read(file, raw, is_main)
                self._sources[file.name, raw] = self._latest[file.name] = source
        except Undecodable as error:
            return Unreadable(raw, str(error))
        assert source.definitions is not None  # read here, where what goes wrong has a name
        return source

    def _read(self, file: SideFile, raw: bytes, is_main: bool) -> Source:
        if is_python(file.name):
            like = self._latest.get(file.name)
            return Source(file.name, raw, self._readings, is_main, file.symbols, self._comments, like)
        return _lines(file, raw, is_main, self._comments)


class LineLoader(Loader):
    """The same, line by line whatever it is: how a Python file is held against one of another kind."""

    def _read(self, file: SideFile, raw: bytes, is_main: bool) -> Source:
        return _lines(file, raw, is_main, self._comments)


def _lines(file: SideFile, raw: bytes, is_main: bool, comments: Comments) -> Source:
    from consistency_bot.syntax.lines import Lines  # only files that are no Python pay for it

    return Lines(file.name, raw, is_main, comments)
