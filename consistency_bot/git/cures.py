"""Errors for commits that cannot be had, each with the command that cures it.

Only asked once something is wrong: what a name may have meant, and which fetch brings the history that is missing.
"""

import re

from consistency_bot.errors import GitError
from consistency_bot.git.command import Git
from consistency_bot.git.objects import ObjectReader

_ACTIONS = "in GitHub Actions `fetch-depth: 0` at actions/checkout"


def unknown_commit(git: Git, objects: ObjectReader, revision: str) -> GitError:
    """The error for a revision that names no commit here."""
    if revision == "HEAD":
        _, told, _ = git.ask("rev-parse", "--verify", "--quiet", "HEAD")
        if oid := told.decode("ascii").strip():
            return git.failure(f"for HEAD (object {oid})", "fatal: bad object HEAD")
        return GitError(
            f"{git.repo}: expected a commit at HEAD, found a branch without any; make a first commit (from a hook:"
            " with `git commit --no-verify`), or name the commit to check with --head REV"
        )
    if objects.is_ambiguous(revision):
        _, _, message = git.ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        return GitError(
            f"{git.repo}: expected one commit called {revision!r}, found several; give more of its digits, or the"
            f" full name of a branch or tag\n{message}".rstrip()
        )
    other = objects.find(revision)
    found = f"a {other.kind} that leads to no commit" if other else "none"
    return GitError(
        f"{git.repo}: expected a commit called {revision!r}, found {found}; {_what_brings(git, objects, revision)}"
    )


def no_common_ancestor(git: Git, bases: tuple[str, ...], head: str) -> GitError:
    """The error for histories, of which these full ids are the ends, that have no commit in common here."""
    names = " or ".join(base[:12] for base in bases)
    found = f"{git.repo}: expected a common ancestor of {names} (base) and {head[:12]} (head), found none"
    if git.is_shallow():
        return GitError(
            f"{found}: this clone is shallow and its history is cut off before it; `git fetch --deepen=100` (repeat as"
            f" needed) or `git fetch --unshallow` brings it, {_ACTIONS}"
        )
    if _is_rewritten(git):
        return GitError(
            f"{found}: replacements or grafts change the history of this repository; `git replace --list` and"
            " .git/info/grafts show them, and with GIT_NO_REPLACE_OBJECTS=1 replacements do not count"
        )
    return GitError(f"{found}: their histories are unrelated; name another --base, one that head grew from")


def no_default_branch(git: Git, candidates: list[str]) -> GitError:
    """The error where no branch, or none of these full names alone, is the one to compare with."""
    names = [re.sub("^refs/(heads|remotes)/", "", name) for name in candidates]
    return GitError(
        f"{git.repo}: expected a default branch to compare with (origin's, or the one main or master),"
        f" found {' and '.join(names) or 'none'}; name it with --base REV, or let `git remote set-head origin --auto`"
        " ask the remote"
    )


def _what_brings(git: Git, objects: ObjectReader, revision: str) -> str:
    """What would make a commit of that name known here."""
    if ".." in revision:
        return "that is a range: name one commit, changes are judged from where it and head parted anyway"
    shallow = " --unshallow" if git.is_shallow() else ""
    remotes = git.output("remote").decode("utf-8", "surrogateescape").split("\n")[:-1]
    remote, _, branch = revision.removeprefix("refs/remotes/").partition("/")
    if branch and remote in remotes:
        # Spelled out, because a clone of one branch, which CI often has, fetches others without keeping their names.
        return f"`git fetch{shallow} {remote} +refs/heads/{branch}:refs/remotes/{remote}/{branch}` brings that branch"
    for remote in remotes:
        if objects.find(f"refs/remotes/{remote}/{revision}^{{commit}}"):
            return f"there is {remote}/{revision}, a branch of the remote: name that"
    if shallow:
        return f"this clone is shallow: `git fetch --unshallow` brings its history, {_ACTIONS}"
    return "`git fetch --all --tags` may bring it, `git log --all` shows what is there"


def _is_rewritten(git: Git) -> bool:
    """Whether commits have other parents here than they were made with."""
    import os

    grafts = git.output("rev-parse", "--git-path", "info/grafts").removesuffix(b"\n")
    return bool(git.output("replace", "--list")) or os.path.exists(os.path.join(os.fsencode(git.repo), grafts))
