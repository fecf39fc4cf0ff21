"""Reads the change that is to be judged."""

import os
from collections.abc import Iterator
from contextlib import contextmanager

from consistency_bot.errors import GitError, UsageError
from consistency_bot.git import diff, revisions
from consistency_bot.git.command import Git, environment
from consistency_bot.git.objects import ObjectReader
from consistency_bot.git.revisions import Commit
from consistency_bot.git.trees import ChangedTree, CommitTree
from consistency_bot.model import Change

WORKTREE = "WORKTREE"
INDEX = "INDEX"


@contextmanager
def read_change(repo: str, base: str | None, head: str | None, staged: bool = False) -> Iterator[Change]:
    """The change from the merge base of base and head to head; its trees can be read until the `with` ends.

    `repo` is any folder of a clone, a worktree or a bare repository. Without `base` it is the default branch; without
    `head` head is the working tree with its uncommitted and untracked files, or the index if `staged`, and the merge
    base is HEAD's. Either way the rules of such a head are the working tree's (docs/rules-file.md), so that
    `working_tree` is there for `--staged` too: whoever edits the rules sees their effect before they are staged.

    A change without paths means that head is as base. Paths in it may be symbolic links or submodules, which read as
    None. Raises GitError where git cannot answer, UsageError for `head` together with `staged`.
    """
    if head is not None and staged:
        raise UsageError("--staged checks the index and --head a commit: leave one of them out")
    git = Git(_absolute(repo), environment())
    with ObjectReader(git) as objects:
        tip = revisions.find_commit(git, objects, "HEAD" if head is None else head)
        names = revisions.default_branches(git, objects) if base is None else (base,)
        bases = tuple(revisions.find_commit(git, objects, name) for name in names)
        start = revisions.merge_base(git, objects, bases, tip)
        if head is not None:
            yield _to_commit(git, objects, start, tip)
        elif staged:
            yield _to_files(git, objects, start, INDEX)
        else:
            yield _to_files(git, objects, start, WORKTREE)


def find_working_folder(repo: str) -> str:
    """The root of the working tree that a folder lies in. Raises GitError where it lies in none."""
    from consistency_bot.git.working_tree import opened

    return opened(Git(_absolute(repo), environment())).repo


def _absolute(folder: str) -> str:
    """The folder's absolute path, so that messages say where."""
    try:
        return os.path.abspath(folder)
    except FileNotFoundError:
        raise GitError(
            f"--repo {folder}: expected a folder that exists, found that the current one was deleted; go to another"
        ) from None


def _to_commit(git: Git, objects: ObjectReader, start: Commit, tip: Commit) -> Change:
    """The change from one commit to another."""
    differences = [] if tip.id == start.id else diff.between_commits(git, start.id, tip.id)
    base = CommitTree(objects, start.tree)
    head = ChangedTree(base, diff.laid_over(differences), objects, None)
    message = tip.message if tip.parents == (start.id,) else None
    return Change(start.id, tip.id, base, head, tuple(difference.path for difference in differences), message=message)


def _to_files(git: Git, objects: ObjectReader, start: Commit, name: str) -> Change:
    """The change from a commit to what is not committed: the index or the working tree, by its name."""
    from consistency_bot.git import working_tree  # a change from commit to commit never looks at the disk
    from consistency_bot.git.disk import CheckedOut, Disk

    git = working_tree.opened(git)
    find = working_tree.staged_differences if name == INDEX else working_tree.working_differences
    differences = find(git, start.id)
    base = CommitTree(objects, start.tree)
    disk = Disk(git, base)
    head = ChangedTree(base, diff.laid_over(differences), objects, disk)
    paths = tuple(difference.path for difference in differences)
    return Change(start.id, name, base, head, paths, CheckedOut(git, disk, head))
