"""What has been read already: base and head have most files in common, and so have twins and patches."""

from collections.abc import Iterable

from consistency_bot.judge.twins import Judged
from consistency_bot.locks.values import Said
from consistency_bot.syntax import Readings, Source, Undecodable
from consistency_bot.syntax.mentions import Mention, Wanted, find_mentions


class Known:
    """Files by what they hold. One is made per change, and serves both of its trees."""

    def __init__(self, judged: Iterable[Judged] = ()) -> None:
        """`judged` are twins whose files have been parsed."""
        self._sources: dict[tuple[str, bytes], Source | str] = {
            (source.path, source.data): source for each in judged for source in each.sources if not source.symbols
        }
        self.said: dict[tuple[str, str, bytes], tuple[Said, ...]] = {}
        """What a lock file says of a package, for `locks_around`."""
        self._mentions: dict[tuple[str, bytes, Wanted], list[Mention]] = {}

    def source(self, path: str, data: bytes) -> Source | str:
        """The file parsed, or why it cannot be."""
        key = (path, data)
        if key not in self._sources:
            try:
                self._sources[key] = Source(path, data, Readings())
            except Undecodable as error:
                self._sources[key] = str(error)
        return self._sources[key]

    def mentions(self, path: str, data: bytes, wanted: Wanted) -> list[Mention]:
        """What the file says of a function; nothing where it cannot be parsed."""
        key = (path, data, wanted)
        if key not in self._mentions:
            source = self.source(path, data)
            self._mentions[key] = find_mentions(source, wanted) if isinstance(source, Source) else []
        return self._mentions[key]
