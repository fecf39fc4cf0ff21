"""Which paths differ between a commit and a head: one `git diff --raw -z -M`, parsed."""

from collections.abc import Iterator

import msgspec

from consistency_bot.git.command import Git
from consistency_bot.model import ChangedPath, Entry

OPTIONS = ("--raw", "-z", "-M", "-l1000", "--no-abbrev", "--ignore-submodules=dirty")
"""Explicit wherever a user's configuration would speak otherwise.

`-l1000` is git's own default: beyond a thousand by a thousand files only exact renames are followed. Submodules differ
by their commit; looking into their working trees would run git there.
"""

NO_FILE = "000000"


class Difference(msgspec.Struct, frozen=True):
    """One line of the raw diff. `status` is git's letter; `entry` is the new side, None where it is gone.

    An entry without an id is content that only the working tree has.
    """

    status: str
    old: str
    new: str
    entry: Entry | None

    @property
    def path(self) -> ChangedPath:
        """The path as the layers above see it."""
        return ChangedPath(old=None if self.status == "A" else self.old, new=None if self.status == "D" else self.new)


def between_commits(git: Git, base: str, head: str) -> list[Difference]:
    """How one commit differs from another; both are full ids."""
    return list(_parse(git.output("diff-tree", "-r", *OPTIONS, base, head)))


def in_index(git: Git, base: str) -> list[Difference]:
    """How the index differs from a commit. Status `U` marks paths with an unresolved conflict.

    A path that `git add --intent-to-add` announced is not in it: the next commit would not have it.
    """
    return list(_parse(git.output("diff-index", "--cached", "--ita-invisible-in-index", *OPTIONS, base)))


def in_working_tree(git: Git, base: str) -> list[Difference]:
    """How the tracked files on the disk differ from a commit. `git` must run no programs (`programs`).

    `git diff` and not `git diff-index`, because the latter takes every file for changed whose time stamp moved. It is
    the only command here that reads a user's diff settings: those which touch a raw diff are set back.
    """
    plain = ("--no-ext-diff", "--no-textconv", "--no-color", "-O/dev/null")
    return list(_parse(git.output("diff", *plain, *OPTIONS, base)))


def laid_over(differences: list[Difference]) -> dict[str, Entry | None]:
    """The new side of every path that is touched, None where it is gone; the other half of `trees.ChangedTree`."""
    changed: dict[str, Entry | None] = {difference.old: None for difference in differences}
    changed.update((difference.new, difference.entry) for difference in differences)
    return changed


def _parse(output: bytes) -> Iterator[Difference]:
    """The differences in git's order. A record is `:modes ids status NUL path NUL`, with two paths for a rename."""
    fields = iter(output.decode("utf-8", "surrogateescape").split("\0")[:-1])
    for header in fields:
        _, new_mode, _, new_id, status = header.split(" ")
        old = next(fields)
        new = next(fields) if status[0] in "RC" else old
        entry = None if new_mode == NO_FILE else Entry(new_mode, new_id if new_id.strip("0") else "")
        yield Difference(status[0], old, new, entry)
