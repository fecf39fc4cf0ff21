"""What git knows of a change: which paths differ, and what base and head hold. Read only, plain `git` underneath.

`read_change` is the door; everything else in this package serves it.
"""

from consistency_bot.git.change import INDEX, WORKTREE, read_change

__all__ = ["INDEX", "WORKTREE", "read_change"]
