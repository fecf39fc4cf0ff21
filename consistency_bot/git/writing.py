"""Files of the working tree, replaced: the one thing that is ever written there, and only where somebody asks for it."""

import os
import stat
from collections.abc import Iterable, Mapping
from contextlib import suppress

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.git.change import find_working_folder, read_change
from consistency_bot.git.disk import folder_of, read_below

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class Replacement(msgspec.Struct, frozen=True):
    """What a file holds, and what it is to hold."""

    old: bytes
    new: bytes


class WorkingTree:
    """The files on the disk as they are, whatever git would store for them. Raises GitError in a bare repository."""

    def __init__(self, folder: str) -> None:
        """`folder` is any folder of a clone."""
        self._top = find_working_folder(folder)

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
        """Writes all of the files, or none where one is not as expected any more or cannot be written; modes stay.

        A file is there as a whole at any time, the old one or the new one. Raises UsageError where nothing was written.
        """
        beside: dict[str, bytes] = {}
        moved: list[str] = []
        path = ""
        try:
            for number, (path, file) in enumerate(files.items()):
                self._refuse_changed(path, file)
                beside[path] = b".%d-%d.consistency-bot.tmp" % (os.getpid(), number)
                self._write_beside(path, beside[path], file.new)
            for path, file in files.items():
                self._refuse_changed(path, file)  # the others took their time
                moved.append(path)
                self._move(path, beside[path])
                del beside[path]
        except BaseException as error:  # whatever comes, Ctrl-C too, must not leave half of a change
            self._undo(files, moved, beside)
            if isinstance(error, OSError):
                raise UsageError(
                    f"{path}: expected a file that can be written, found: {error.strerror}; nothing was written"
                ) from None
            raise

    def _refuse_changed(self, path: str, file: Replacement) -> None:
        if self.read(path) != file.old:
            raise UsageError(f"{path}: the file changed while it was judged; nothing was written, run again")

    def _undo(self, files: Mapping[str, Replacement], moved: Iterable[str], beside: Mapping[str, bytes]) -> None:
        """Puts back what may have been moved, and away what was not. Raises UsageError with the files that stay as they are."""
        for path, unfinished in beside.items():
            with suppress(OSError), folder_of(self._top, path) as (folder, _):
                os.unlink(unfinished, dir_fd=folder)
        stuck = []
        for path in moved:
            try:
                if self.read(path) == files[path].new:  # what somebody has written since is theirs
                    self._write_beside(path, _BACK, files[path].old)
                    self._move(path, _BACK)
            except (OSError, UsageError):
                stuck.append(path)
        if stuck:
            raise UsageError(f"{', '.join(stuck)}: written, and could not be put back; the others are as they were")

    def _write_beside(self, path: str, unfinished: bytes, data: bytes) -> None:
        """The file that is to take the place of the one at `path`, in its folder and with its mode."""
        with folder_of(self._top, path) as (folder, name):
            mode = stat.S_IMODE(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)
            handle = os.open(unfinished, _NEW, mode, dir_fd=folder)
            try:
                with open(handle, "wb") as file:
                    os.fchmod(file.fileno(), mode)
                    file.write(data)
            except OSError:
                os.unlink(unfinished, dir_fd=folder)
                raise

    def _move(self, path: str, unfinished: bytes) -> None:
        with folder_of(self._top, path) as (folder, name):
            os.replace(unfinished, name, src_dir_fd=folder, dst_dir_fd=folder)


_BACK = b".%d-back.consistency-bot.tmp" % os.getpid()
