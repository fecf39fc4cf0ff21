"""Reads the change that is to be judged."""

from collections.abc import Iterator
from contextlib import contextmanager

from consistency_bot.errors import UsageError
from consistency_bot.git import diff, revisions, working_tree
from consistency_bot.git.command import Git, environment
from consistency_bot.git.diff import Difference
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
    base is HEAD's. A change without paths means that head is as base. Paths in it may be symbolic links or submodules,
    which read as None. Raises GitError where git cannot answer, UsageError for `head` together with `staged`.
    """
    if head is not None and staged:
        raise UsageError("--staged checks the index and --head a commit: leave one of them out")
    git = Git(repo, environment())
    with ObjectReader(git) as objects:
        tip = revisions.find_commit(git, objects, "HEAD" if head is None else head)
        against = revisions.default_branch(git, objects) if base is None else base
        start = revisions.merge_base(git, objects, revisions.find_commit(git, objects, against), tip)
        under = CommitTree(objects, start.tree)
        name, top, differences = _head(git, start, None if head is None else tip, staged)
        over = ChangedTree(under, diff.laid_over(differences), objects, top)
        paths = tuple(difference.path for difference in differences)
        yield Change(base_name=start.id, head_name=name, base=under, head=over, paths=paths)


def _head(git: Git, start: Commit, tip: Commit | None, staged: bool) -> tuple[str, str, list[Difference]]:
    """Head's name, the working tree's root ("" where no file is read from it), and how head differs from `start`."""
    if tip is not None:
        same = tip.id == start.id
        return tip.id, "", [] if same else diff.between_commits(git, start.id, tip.id)
    git = working_tree.opened(git)
    if staged:
        return INDEX, "", working_tree.staged_differences(git, start.id)
    return WORKTREE, git.repo, working_tree.working_differences(git, start.id)
