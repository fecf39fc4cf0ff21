"""What base and head hold. Base is read from its commit; head is base with the changed paths laid over it.

A head that is laid over base costs nothing where nothing changed, reads unchanged files as the very same bytes, and is
right where the disk would mislead: files left out by a sparse checkout, line ends that a checkout rewrites, ignored
files.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain

from consistency_bot.git.objects import ObjectReader
from consistency_bot.model import FOLDER, Entry, Files
from consistency_bot.paths import compile_pattern, is_glob


def has_word(data: bytes, words: Sequence[str]) -> bool:
    """Whether a file holds one of the words, with no other word's letters next to it."""
    any_of = b"|".join(re.escape(word.encode("utf-8", "surrogateescape")) for word in words)
    return re.search(rb"(?<!\w)(?:" + any_of + rb")(?!\w)", data) is not None


class CommitTree:
    """The files of one commit (the protocol `model.Tree`). What was read once is kept."""

    __slots__ = ("_files", "_held", "_listings", "_matches", "_objects", "_root")

    def __init__(self, objects: ObjectReader, root: str) -> None:
        """`root` is the id of the commit's tree object."""
        self._objects = objects
        self._root = Entry(FOLDER, root)
        self._files: dict[str, bytes | None] = {}
        self._matches: dict[str, list[str]] = {}
        self._listings: dict[str, dict[str, list[str]]] = {}
        self._held: dict[tuple[tuple[str, ...], str], list[str]] = {}

    def read(self, path: str) -> bytes | None:
        """The file's bytes; None where no regular file stands. Raises GitError where its object cannot be had."""
        if path not in self._files:
            entry = self.entry(path)
            self._files[path] = self._objects.blob(entry.id, path) if entry and entry.is_file else None
        return self._files[path]

    def find(self, patterns: Sequence[str]) -> list[str]:
        """Sorted paths of regular files that match any pattern. Lists only folders that can hold a match."""
        found: set[str] = set()
        for pattern in patterns:
            if is_glob(pattern):
                if pattern not in self._matches:
                    self._matches[pattern] = list(self._matching("", self._root, pattern.split("/")))
                found.update(self._matches[pattern])
            elif (entry := self.entry(pattern)) and entry.is_file:
                found.add(pattern)
        return sorted(found)

    def entry(self, path: str) -> Entry | None:
        """What stands at a path; None where nothing does."""
        entry: Entry | None = self._root
        for name in path.split("/"):
            if entry is None or not entry.is_folder:
                return None
            entry = self._objects.folder(entry.id, path).get(name)
        return entry

    def holding(self, words: Sequence[str], pattern: str) -> list[str]:
        """Sorted paths of regular files that match the pattern and hold one of the words. git searches, once."""
        key = (tuple(words), pattern)
        if key not in self._held:
            found = self._objects.files_holding(words, self._root.id, pattern) if words else []
            self._held[key] = sorted(path for path in found if (entry := self.entry(path)) and entry.is_file)
        return self._held[key]

    def _matching(self, prefix: str, folder: Entry, segments: Sequence[str]) -> Iterator[str]:
        """The regular files in a folder, whose path with a `/` is `prefix`, that match a pattern's last segments."""
        segment, rest = segments[0], segments[1:]
        if "**" in segment:  # from here on a match can lie at any depth
            matches = compile_pattern("/".join(segments))
            named = self._listing(folder)
            paths = chain.from_iterable(named.values()) if is_glob(segments[-1]) else named.get(segments[-1], ())
            yield from (prefix + path for path in paths if matches(path))
            return
        entries = self._objects.folder(folder.id, prefix)
        matches = compile_pattern(segment)
        for name in filter(matches, entries) if is_glob(segment) else entries.keys() & {segment}:
            entry = entries[name]
            if not rest and entry.is_file:
                yield prefix + name
            elif rest and entry.is_folder:
                yield from self._matching(f"{prefix}{name}/", entry, rest)

    def _listing(self, folder: Entry) -> dict[str, list[str]]:
        """All regular files below a folder, by their last name, so that a pattern ending in one looks at few of them."""
        listing = self._listings.get(folder.id)
        if listing is None:
            listing = self._listings[folder.id] = {}
            for path in self._below("", folder):
                listing.setdefault(path.rpartition("/")[2], []).append(path)
        return listing

    def _below(self, prefix: str, folder: Entry) -> Iterator[str]:
        """Every regular file in a folder and the folders in it."""
        waiting = [(prefix, folder)]  # no recursion: a tree may be nested as deeply as anybody likes
        while waiting:
            prefix, folder = waiting.pop()
            for name, entry in self._objects.folder(folder.id, prefix).items():
                if entry.is_file:
                    yield prefix + name
                elif entry.is_folder:
                    waiting.append((f"{prefix}{name}/", entry))


class ChangedTree:
    """A commit's files with changed paths laid over them (the protocol `model.Tree`).

    `changed` has an entry for each path that is not as in `under`: None where it is gone, an entry without an id where
    the content lies on the `disk` (None where no such entry is).
    """

    __slots__ = ("_changed", "_disk", "_files", "_objects", "_under")

    def __init__(
        self, under: CommitTree, changed: Mapping[str, Entry | None], objects: ObjectReader, disk: Files | None
    ) -> None:
        self._under = under
        self._changed = changed
        self._objects = objects
        self._disk = disk
        self._files: dict[str, bytes | None] = {}

    def read(self, path: str) -> bytes | None:
        """The file's bytes; None where no regular file stands. Raises GitError where they cannot be read."""
        if path not in self._changed:
            return self._under.read(path)
        if path not in self._files:
            self._files[path] = self._read_changed(path, self._changed[path])
        return self._files[path]

    def find(self, patterns: Sequence[str]) -> list[str]:
        """Sorted paths of regular files that match any pattern."""
        found = {path for path in self._under.find(patterns) if path not in self._changed}
        matches = [compile_pattern(pattern) for pattern in patterns if is_glob(pattern)]
        touched = self._changed if matches else self._changed.keys() & set(patterns)
        for path in touched:
            entry = self._changed[path]
            if entry and entry.is_file and (path in patterns or any(match(path) for match in matches)):
                found.add(path)
        return sorted(found)

    def entry(self, path: str) -> Entry | None:
        """What stands at a path; None where nothing does. A folder that was one at base is one, emptied or not."""
        if path in self._changed:
            return self._changed[path]
        found = self._under.entry(path)
        is_new_folder = found is None and any(each.startswith(path + "/") for each in self._changed)
        return Entry(FOLDER, "") if is_new_folder else found

    def holding(self, words: Sequence[str], pattern: str) -> list[str]:
        """Sorted paths of regular files that match the pattern and hold one of the words."""
        found = {path for path in self._under.holding(words, pattern) if path not in self._changed}
        matches = compile_pattern(pattern)
        for path in filter(matches, self._changed):
            data = self.read(path)
            if words and data is not None and has_word(data, words):
                found.add(path)
        return sorted(found)

    def _read_changed(self, path: str, entry: Entry | None) -> bytes | None:
        if entry is None or not entry.is_file:
            return None
        if entry.id:
            return self._objects.blob(entry.id, path)
        return self._disk.read(path) if self._disk else None
