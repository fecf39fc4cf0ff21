"""Brings two commits and the history between them into a clone that may be shallow, there without the files' contents.

Contents come one by one when they are read: a partial clone asks its remote for them. A clone that has everything stays
one that has everything.
"""

import os

from consistency_bot.errors import GitError
from consistency_bot.git.command import Git, environment

BASE, HEAD = "refs/consistency-bot/base", "refs/consistency-bot/head"
"""Where the fetched commits are kept, out of the way of the clone's own names."""

DEPTHS = (50, 500, 5000)


def fetch_change(repo: str, remote: str, base: str, head: str, commit: str) -> None:
    """Fetch `base` and `head`, each a full ref name or a commit id, from a remote; then BASE names the former.

    History is deepened in steps until the merge base of BASE and `commit` is sure: until nothing between them is cut
    off. Raises GitError.
    """
    git = Git(os.path.abspath(repo), environment())
    specs = (f"+{base}:{BASE}", f"+{head}:{HEAD}")
    options: tuple[str, ...] = ("--no-tags", "--no-recurse-submodules", "--quiet")
    if not git.is_shallow():
        git.output("fetch", *options, "--", remote, *specs)
        return
    options += ("--filter=blob:none",)
    for depth in DEPTHS:
        git.output("fetch", *options, f"--depth={depth}", "--", remote, *specs)
        if _is_whole(git, commit):
            return
    if git.is_shallow():
        git.output("fetch", *options, "--unshallow", "--", remote, *specs)


def _is_whole(git: Git, commit: str) -> bool:
    """Whether base and commit have a common ancestor here, and no commit between them has lost its parents.

    A common ancestor alone is not enough: where history is cut off, a nearer one may be hidden behind the cut.
    """
    if git.ask("merge-base", BASE, commit)[0] != 0:
        return False
    between = set(git.output("rev-list", f"{BASE}...{commit}", "--").split())
    return not between & set(_cuts(git))


def _cuts(git: Git) -> list[bytes]:
    """The commits whose parents are not here; empty in a clone that is whole."""
    path = os.path.join(git.repo, os.fsdecode(git.output("rev-parse", "--git-path", "shallow").rstrip(b"\n")))
    try:
        with open(path, "rb") as file:
            return file.read().split()
    except FileNotFoundError:
        return []
    except OSError as error:
        raise GitError(f"{path}: expected a file that can be read, found: {error.strerror}") from None
