"""Files of the working tree as `git add` would store them, and nothing that lies outside of it."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager

from consistency_bot.errors import GitError
from consistency_bot.git.command import Git
from consistency_bot.git.programs import without_programs
from consistency_bot.model import Files

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC


class Disk:
    """The files that lie in the working tree (the protocol `model.Files`).

    A checkout may rewrite line ends, encodings and `$Id$`, and git takes that back for us. Not so what a filter did:
    filters are programs, and none is run.
    """

    __slots__ = ("_base", "_git", "_quiet")

    def __init__(self, git: Git, base: Files) -> None:
        """`git` stands at the working tree's root. What `base`, the files before, has too no checkout put in."""
        self._git = git
        self._quiet: Git | None = None
        self._base = base

    def read(self, path: str) -> bytes | None:
        """The file's bytes; None where no regular file stands, or only behind a symbolic link.

        Raises GitError where it cannot be read.
        """
        try:
            data = read_below(self._git.repo, path)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise GitError(
                f"{path}: expected a file that can be read in the working tree, found: {error.strerror};"
                " make it readable, or check a commit with --head REV"
            ) from None
        if data is None or not (signs := _signs_of_rewriting(data)):
            return data
        before = self._base.read(path)
        if before is not None and signs <= _signs_of_rewriting(before):
            return data
        return self._as_stored(path, data)

    def _as_stored(self, path: str, data: bytes) -> bytes:
        """What git would store for the file; it is asked to store it in a folder that is thrown away.

        The data itself where git would refuse it, for instance as not being in the encoding that its attributes name.
        """
        import tempfile  # 5 ms, and needed on few machines
        import zlib

        if self._quiet is None:
            self._quiet = without_programs(self._git)
        with tempfile.TemporaryDirectory() as folder:
            # Without alternates git stores the object even if the repository has it.
            apart = self._quiet.with_env(GIT_OBJECT_DIRECTORY=folder, GIT_ALTERNATE_OBJECT_DIRECTORIES="")
            name = b"--path=" + path.encode("utf-8", "surrogateescape")
            ask = ("-c", "core.safecrlf=false", "hash-object", "-w", "--stdin", name)
            status, output, _ = apart.ask(*ask, stdin=data)
            if status:
                return data
            oid = output.decode("ascii").strip()
            with open(os.path.join(folder, oid[:2], oid[2:]), "rb") as file:
                return zlib.decompress(file.read()).partition(b"\0")[2]


class CheckedOut:
    """The working tree's files with those that a sparse checkout leaves out (the protocol `model.Files`).

    `head` is the index or the working tree, which has them.
    """

    __slots__ = ("_disk", "_git", "_head")

    def __init__(self, git: Git, disk: Disk, head: Files) -> None:
        self._git = git
        self._disk = disk
        self._head = head

    def read(self, path: str) -> bytes | None:
        """The file's bytes; None where no regular file stands. Raises GitError where it cannot be read."""
        found = self._disk.read(path)
        if found is None and (left_out := self._head.read(path)) is not None:
            listed = self._git.output("ls-files", "-z", "-t", "--", f":(top,literal){path}")
            return left_out if listed.startswith(b"S ") else None
        return found


def mode_of(top: str, path: str) -> int | None:
    """What kind of thing stands at a path (as `stat` has it), links not followed; None where nothing does."""
    try:
        with folder_of(top, path) as (folder, name):
            return os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode
    except OSError:
        return None


def read_below(top: str, path: str) -> bytes | None:
    """A file's bytes, no symbolic link followed on the way from `top`; None where it is no regular file."""
    with folder_of(top, path) as (folder, name):
        if not stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            return None
        with open(os.open(name, _FILE, dir_fd=folder), "rb") as file:
            return file.read()


@contextmanager
def folder_of(top: str, path: str) -> Iterator[tuple[int, bytes]]:
    """The folder of a path, open until the `with` ends, and the name in it. Raises OSError where there is none.

    Folders are opened one in the other, so that a link which takes a folder's place meanwhile leads nowhere.
    """
    *folders, name = path.encode("utf-8", "surrogateescape").split(b"/")
    place = os.open(top, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for folder in folders:
            inner = os.open(folder, _FOLDER, dir_fd=place)
            os.close(place)
            place = inner
        yield place, name
    finally:
        os.close(place)


def _signs_of_rewriting(data: bytes) -> frozenset[str]:
    """What a checkout can have put into a file: CRLF, another encoding than UTF-8, the id of the content."""
    signs = {sign for sign, mark in (("crlf", b"\r\n"), ("zero", b"\0"), ("id", b"$Id:")) if mark in data}
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        signs.add("encoding")
    return frozenset(signs)
