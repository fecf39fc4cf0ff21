"""Which side of which twins a file belongs to, by its name in the rules file."""

from collections.abc import Sequence

from consistency_bot.model import Tree, Twins
from consistency_bot.paths import captures_as_wildcards, compile_pattern, is_python, split_symbol


class Sides:
    """Names of sides by path. A file of several is on the first; one of none has no name."""

    def __init__(self, twins: Sequence[Twins]) -> None:
        patterns = [
            (captures_as_wildcards(split_symbol(pattern)[0]), side.name)
            for each in twins
            for side in each.sides
            for pattern in side.patterns
        ]
        self._known = [(compile_pattern(pattern), name) for pattern, name in patterns]
        self._patterns = [pattern for pattern, _ in patterns]

    def of(self, path: str) -> str:
        """The side's name; empty for a file of no twins."""
        return next((name for matches, name in self._known if matches(path)), "")

    def files(self, tree: Tree) -> list[str]:
        """The Python files of all sides in a tree."""
        return [path for path in tree.find(self._patterns) if is_python(path)]
