"""What git knows of a change: which paths differ, and what base and head hold. Plain `git` underneath, read only.

`read_change` is the door; everything else in this package serves it, but for `writing`, which `port --apply` uses, and
`history` and `fetching`, which what runs inside GitHub uses.
"""

from consistency_bot.git.change import INDEX, WORKTREE, find_working_folder, read_change
from consistency_bot.git.trailers import ACKNOWLEDGEMENT, Trailer, read_subjects, read_trailers

__all__ = [
    "ACKNOWLEDGEMENT",
    "INDEX",
    "WORKTREE",
    "Trailer",
    "find_working_folder",
    "read_change",
    "read_subjects",
    "read_trailers",
]
