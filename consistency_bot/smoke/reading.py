"""Files that the code of a job may have written, or put anything else in the place of."""

import errno
import os
import stat

LARGEST_PIECE = 8_000_000
"""Bytes that are read at once."""


def read_piece(path: str, start: int, size: int = LARGEST_PIECE) -> bytes:
    """So many bytes of a regular file from a place on, which counts from the end where it is negative.

    A pipe that nobody writes to would be waited for without end: raises OSError for all that is no regular file.
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(errno.EINVAL, "not a regular file")
        file.seek(start if start >= 0 else max(0, found.st_size + start))
        return file.read(size)
