"""Files of the working tree, replaced: the one thing that is ever written there, and only where somebody asks for it."""

import os
import stat
from collections.abc import Mapping
from contextlib import suppress

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.git.change import read_change
from consistency_bot.git.command import Git, environment
from consistency_bot.git.disk import folder_of, read_below
from consistency_bot.git.working_tree import opened

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Replacement(msgspec.Struct, frozen=True):
    """What a file holds, and what it is to hold."""

    old: bytes
    new: bytes


class WorkingTree:
    """The files on the disk as they are, whatever git would store for them. Raises GitError in a bare repository."""

    def __init__(self, folder: str) -> None:
        """`folder` is any folder of a clone."""
        self._top = opened(Git(os.path.abspath(folder), environment())).repo

    def read(self, path: str) -> bytes:
        """The file's bytes. Raises UsageError where no regular file can be read there."""
        try:
            data = read_below(self._top, path)
        except OSError as error:
            raise UsageError(f"{path}: expected a file that can be read, found: {error.strerror}") from None
        if data is None:
            raise UsageError(f"{path}: expected a regular file, found something else")
        return data

    def uncommitted(self) -> frozenset[str]:
        """The paths that are not as HEAD has them, untracked ones among them."""
        with read_change(self._top, "HEAD", None) as change:
            return frozenset(path for each in change.paths for path in (each.old, each.new) if path is not None)

    def replace(self, files: Mapping[str, Replacement]) -> None:
        """Writes all of the files, or none where one of them is not as expected any more; each keeps its mode.

        Raises UsageError where that cannot be done.
        """
        for path, file in files.items():
            if self.read(path) != file.old:
                raise UsageError(f"{path}: the file changed while it was judged; nothing was written, run again")
        for path, file in files.items():
            try:
                self._write(path, file.new)
            except OSError as error:
                raise UsageError(f"{path}: expected a file that can be written, found: {error.strerror}") from None

    def _write(self, path: str, data: bytes) -> None:
        """The file is there as a whole at any time, the old one or the new one."""
        with folder_of(self._top, path) as (folder, name):
            unfinished = b".%d.consistency-bot.tmp" % os.getpid()
            mode = stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
            try:
                with open(os.open(unfinished, _NEW, mode, dir_fd=folder), "wb") as file:
                    os.fchmod(file.fileno(), mode)
                    file.write(data)
                os.replace(unfinished, name, src_dir_fd=folder, dst_dir_fd=folder)
            except OSError:
                with suppress(FileNotFoundError):
                    os.unlink(unfinished, dir_fd=folder)
                raise
