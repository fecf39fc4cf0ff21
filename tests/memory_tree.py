"""Trees that are dictionaries: changes for tests without git, and the rules that they are judged by."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from consistency_bot.git.trees import has_word
from consistency_bot.model import PLAIN_FILE, Change, ChangedPath, Entry, Rules
from consistency_bot.paths import compile_pattern
from consistency_bot.rules import RulesText, load_rules

Files = Mapping[str, bytes]


class MemoryTree:
    """A `Tree` of files held in memory."""

    def __init__(self, files: Files) -> None:
        self._files = dict(files)

    def read(self, path: str) -> bytes | None:
        return self._files.get(path)

    def find(self, patterns: Sequence[str]) -> list[str]:
        matchers = [compile_pattern(pattern) for pattern in patterns]
        return sorted(path for path in self._files if any(matches(path) for matches in matchers))

    def holding(self, words: Sequence[str], pattern: str) -> list[str]:
        return [path for path in self.find([pattern]) if has_word(self._files[path], words)]

    def entry(self, path: str) -> Entry | None:
        return Entry(PLAIN_FILE, str(hash(self._files[path]))) if path in self._files else None


def files_in(folder: Path) -> dict[str, bytes]:
    """What all files below a folder hold, by their path from there."""
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in folder.rglob("*") if each.is_file()}


def change_between(base: Files, head: Files) -> Change:
    """The change from one set of files to another; a path that went and one that came are two paths, not a rename."""
    paths = tuple(
        ChangedPath(path if path in base else None, path if path in head else None)
        for path in sorted({*base, *head})
        if base.get(path) != head.get(path)
    )
    return Change("0" * 40, "1" * 40, MemoryTree(base), MemoryTree(head), paths)


def rules_from(text: str) -> Rules:
    """The rules of a text, whatever the change."""
    return load_rules(change_between({}, {}), RulesText("rules.yaml", text.encode()))
