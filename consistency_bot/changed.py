"""What a change touches, looked up by path."""

from bisect import bisect_left
from collections.abc import Iterator

from consistency_bot.model import Change
from consistency_bot.paths import compile_pattern, is_glob, literal_prefix


class Changed:
    """The paths in which base and head differ, and the names under which renamed files go on. Made once per change."""

    __slots__ = ("_ordered", "before", "now", "paths")

    def __init__(self, change: Change) -> None:
        self.paths = frozenset(path for each in change.paths for path in (each.old, each.new) if path is not None)
        self.now = {each.old: each.new for each in change.paths if each.old and each.new and each.old != each.new}
        self.before = {new: old for old, new in self.now.items()}
        self._ordered: list[str] | None = None

    def has(self, pattern: str) -> bool:
        """Whether a path that matches the pattern is among them."""
        if not is_glob(pattern):
            return pattern in self.paths
        return any(map(compile_pattern(pattern), self._beginning_with(literal_prefix(pattern))))

    def _beginning_with(self, prefix: str) -> Iterator[str]:
        """The paths that begin so, found by bisection: there may be thousands of patterns and of paths."""
        if self._ordered is None:
            self._ordered = sorted(self.paths)
        for at in range(bisect_left(self._ordered, prefix), len(self._ordered)):
            if not self._ordered[at].startswith(prefix):
                return
            yield self._ordered[at]
