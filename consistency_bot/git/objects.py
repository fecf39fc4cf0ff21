"""Reads objects through one long-lived `git cat-file --batch`: no process per question, no option to inject."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Self

import msgspec

from consistency_bot.errors import GitError
from consistency_bot.git.command import Git
from consistency_bot.model import Entry


class Object(msgspec.Struct, frozen=True):
    """An object's full id, its kind (`commit`, `tree`, `blob`, `tag`) and its bytes."""

    id: str
    kind: str
    data: bytes


class ObjectReader:
    """Answers by object id or revision. Close it, or use it in a `with`, so that the child ends."""

    __slots__ = ("_child", "_folders", "_git", "_in", "_out")

    def __init__(self, git: Git) -> None:
        self._git = git
        self._child = git.start("cat-file", "--batch")
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._in = self._child.stdin
        self._out = self._child.stdout
        self._folders: dict[str, dict[str, Entry]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """End the child. Further questions raise GitError."""
        for pipe in (self._in, self._out):
            with suppress(BrokenPipeError):  # the child may have died with bytes left to send
                pipe.close()
        self._child.wait()

    def find(self, name: str) -> Object | None:
        """The object that a revision or an id names; None where this repository has no such object.

        Raises GitError where git itself stops answering: no repository, another owner, a remote out of reach.
        """
        found = self._ask(name)
        return found if isinstance(found, Object) else None

    def is_ambiguous(self, name: str) -> bool:
        """Whether the name is the beginning of several objects' ids. Raises GitError as `find` does."""
        return self._ask(name) == "ambiguous"

    def _ask(self, name: str) -> Object | str:
        """The object of that name, or git's word for why there is none: `missing`, `ambiguous`, `submodule`."""
        if not name or "\n" in name or "\0" in name:
            return "missing"
        try:
            self._in.write(name.encode("utf-8", "surrogateescape") + b"\n")
            self._in.flush()
            header = self._out.readline()
        except (BrokenPipeError, ValueError):
            header = b""
        if not header:
            raise self._stopped(name)
        words = header.decode("utf-8", "surrogateescape").split()
        if not words[-1].isdigit():  # such a word after the name as it was asked
            return words[-1]
        oid, kind, size = words
        data = self._out.read(int(size) + 1)
        if len(data) != int(size) + 1:
            raise self._stopped(name)
        return Object(oid, kind, data[:-1])

    def blob(self, oid: str, path: str) -> bytes:
        """The bytes of a file that is known to exist. Raises GitError where the object is not there after all."""
        return self._expect(oid, path).data

    def folder(self, oid: str, path: str) -> dict[str, Entry]:
        """What a folder holds, by name. Raises GitError where the object is not there."""
        entries = self._folders.get(oid)
        if entries is None:
            entries = self._folders[oid] = _parse_folder(self._expect(oid, path).data, len(oid) // 2)
        return entries

    def files_holding(self, words: Sequence[str], tree: str, pattern: str) -> list[str]:
        """Paths in a tree object of files that match the pattern and hold one of the words, at least one.

        Raises GitError where git fails, for instance in a partial clone whose remote is out of reach.
        """
        # Configuration can add columns and colours, and make a word an expression; a folder we stand in narrows.
        options = ("-a", "-l", "-z", "-w", "-F", "--full-name", "--no-color", "--no-column", "--no-textconv")
        wanted = [option for word in words for option in ("-e", word)]
        status, output, message = self._git.ask("grep", *options, *wanted, tree, "--", f":(top,glob){pattern}")
        if status > 1:
            raise self._git.failure(f"`git grep` for {', '.join(words)}", message)
        prefix = len(tree) + 1
        return [each[prefix:].decode("utf-8", "surrogateescape") for each in output.split(b"\0") if each]

    def _expect(self, oid: str, path: str) -> Object:
        """An object that git's own data names. Raises GitError where it is missing."""
        found = self.find(oid)
        if found is None:
            _, _, message = self._git.ask("cat-file", "-t", oid)
            raise self._git.failure(f"for {path or 'the root folder'} (object {oid})", message or "it is missing")
        return found

    def _stopped(self, name: str) -> GitError:
        """The error for a child that ended. Its messages were dropped, so one command asks again for the reason."""
        status, _, message = self._git.ask("cat-file", "--batch", stdin=name.encode("utf-8", "surrogateescape"))
        return self._git.failure(f"for {name!r}", message or f"`git cat-file` ended early (then with status {status})")


def _parse_folder(data: bytes, width: int) -> dict[str, Entry]:
    """A tree object's entries; `width` is the length of a binary object id (20 for SHA-1, 32 for SHA-256)."""
    entries: dict[str, Entry] = {}
    start = 0
    while start < len(data):
        space = data.index(b" ", start)
        end = data.index(b"\0", space)
        name = data[space + 1 : end].decode("utf-8", "surrogateescape")
        mode = data[start:space].decode("ascii").lstrip("0")  # some old tools wrote 040000
        start = end + 1 + width
        entries[name] = Entry(mode, data[end + 1 : start].hex())
    return entries
