"""Which versions of a package a repository locks, or allows: lock files, pins and bounds, read and never run.

`locks_around` is the door. One file per format: `blocks` for locks in TOML, `requirements` for pip's files, `projects`
for `pyproject.toml`. What cannot be read is data too (`Unreadable`), not an exception.
"""

from consistency_bot.locks.search import locks_around, may_lock
from consistency_bot.locks.values import Bound, Locked, Locks, Unreadable

__all__ = ["Bound", "Locked", "Locks", "Unreadable", "locks_around", "may_lock"]
