"""What a change touches, looked up by path."""

from consistency_bot.model import Change


class Changed:
    """The paths in which base and head differ, and the names under which renamed files go on. Made once per change."""

    __slots__ = ("before", "now", "paths")

    def __init__(self, change: Change) -> None:
        self.paths = frozenset(path for each in change.paths for path in (each.old, each.new) if path is not None)
        self.now = {each.old: each.new for each in change.paths if each.old and each.new and each.old != each.new}
        self.before = {new: old for old, new in self.now.items()}
