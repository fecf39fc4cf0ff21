"""What is to be judged: a change, the trees before and behind it, and what stands at a path in them."""

from collections.abc import Sequence
from typing import Protocol

import msgspec

PLAIN_FILE = "100644"
FILES = frozenset({PLAIN_FILE, "100755", "100664"})
"""Modes of regular files; 100664 was written by the first versions of git."""

FOLDER = "40000"
SYMBOLIC_LINK = "120000"
SUBMODULE = "160000"


class Entry(msgspec.Struct, frozen=True):
    """What stands at a path: git's mode, and the object's id ("" where only the working tree has the content)."""

    mode: str
    id: str

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file: no folder, no symbolic link, no submodule."""
        return self.mode in FILES

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of this repository."""
        return self.mode == FOLDER

    @property
    def is_submodule(self) -> bool:
        """Whether it points to a commit of another repository, which `id` names."""
        return self.mode == SUBMODULE


class Files(Protocol):
    """Files by their path. Read only; nothing in them is ever executed."""

    def read(self, path: str) -> bytes | None:
        """The file's bytes; None where there is no regular file at that path (a folder, a submodule, nothing)."""


class Tree(Files, Protocol):
    """What a revision, the index or the working tree holds."""

    def holding(self, words: Sequence[str], pattern: str) -> list[str]:
        """Sorted paths of regular files that match the pattern and hold one of the words, each a word of its own."""

    def find(self, patterns: Sequence[str]) -> list[str]:
        """Sorted paths of regular files that match any pattern; a pattern without a wildcard matches itself alone."""

    def entry(self, path: str) -> Entry | None:
        """What stands at the path, whatever it is: a file, a folder, a symbolic link, a submodule; None for nothing."""


class ChangedPath(msgspec.Struct, frozen=True):
    """One path that differs between base and head. `old` or `new` is None where the file is added or deleted."""

    old: str | None
    new: str | None


class Change(msgspec.Struct, frozen=True):
    """What is to be judged: the merge base, the head, and the paths in which they differ (renames followed).

    `base_name` is a full commit id. `head_name` is one too, or `WORKTREE`, or `INDEX`. `working_tree` holds the files
    on the disk, ignored ones among them, where head is not a commit: the rules of such a head are read there.
    `message` is that of the one commit that the change is; None where it is several, none, or not known.
    """

    base_name: str
    head_name: str
    base: Tree
    head: Tree
    paths: tuple[ChangedPath, ...]
    working_tree: Files | None = None
    message: bytes | None = None
