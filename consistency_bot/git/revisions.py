"""Which commits are meant: revisions that a user names, the default branch, the merge base."""

import msgspec

from consistency_bot.errors import GitError
from consistency_bot.git.command import Git
from consistency_bot.git.objects import ObjectReader

REMOTE_DEFAULT = "refs/remotes/origin/HEAD"
LOCAL_DEFAULTS = ("refs/heads/main", "refs/heads/master")


class Commit(msgspec.Struct, frozen=True):
    """A commit's full id, its tree's id, and its parents' ids."""

    id: str
    tree: str
    parents: tuple[str, ...]


def find_commit(git: Git, objects: ObjectReader, revision: str) -> Commit:
    """The commit that a revision names. Raises GitError where none is, with what would bring it."""
    commit = _commit(objects, revision)
    if commit is None:
        raise _unknown(git, revision)
    return commit


def default_branch(git: Git, objects: ObjectReader) -> str:
    """The full name of the branch that changes are measured against.

    It is the default branch of the remote `origin`, else of the only remote that has one, else the one local branch
    called `main` or `master`. Raises GitError where that leaves none or several.
    """
    if _commit(objects, REMOTE_DEFAULT):
        return REMOTE_DEFAULT
    listed = git.output("for-each-ref", "--format=%(refname)", "refs/remotes/*/HEAD", *LOCAL_DEFAULTS)
    names = listed.decode("utf-8", "surrogateescape").split()
    remotes = [name for name in names if name.startswith("refs/remotes/")]
    candidates = remotes or names
    if len(candidates) == 1:
        return candidates[0]
    found = " and ".join(name.removeprefix("refs/heads/").removeprefix("refs/remotes/") for name in candidates)
    raise GitError(
        f"{git.repo}: expected a default branch to compare with (origin's, or the one local main or master),"
        f" found {found or 'none'}; name it with --base REV, or let `git remote set-head origin --auto` ask the remote"
    )


def merge_base(git: Git, objects: ObjectReader, base: Commit, head: Commit) -> Commit:
    """The commit that head's own changes start from, as GitHub shows a pull request.

    Raises GitError where the two have no common commit, and says which fetch brings one in a shallow clone.
    """
    if base.id == head.id or base.id in head.parents:  # most checks are of one commit: saves a process
        return base
    status, output, message = git.ask("merge-base", base.id, head.id)
    if status == 0:
        return find_commit(git, objects, output.decode("ascii").split()[0])
    if status > 1:
        raise git.failure("`git merge-base`", message)
    both = f"{git.repo}: expected a common ancestor of {base.id[:12]} (base) and {head.id[:12]} (head), found none"
    if _is_shallow(git):
        raise GitError(
            f"{both}: this clone is shallow and its history is cut off before it; `git fetch --deepen=100` (repeat as"
            " needed) or `git fetch --unshallow` brings it, in GitHub Actions `fetch-depth: 0` at actions/checkout"
        )
    raise GitError(f"{both}: their histories are unrelated; name another --base, one that head grew from")


def _commit(objects: ObjectReader, revision: str) -> Commit | None:
    """The commit that a revision names (a tag is followed to its commit); None where none is."""
    found = objects.find(revision + "^{commit}") if revision else None
    if found is None:
        return None
    header = found.data.partition(b"\n\n")[0].decode("utf-8", "replace").splitlines()
    words = [line.split(" ") for line in header]
    # Only the leading lines are `tree` and `parent`; a signature further down is indented by a space.
    return Commit(found.id, words[0][1], tuple(line[1] for line in words if line[0] == "parent"))


def _unknown(git: Git, revision: str) -> GitError:
    """The error for a revision that names no commit here."""
    if revision == "HEAD":
        return GitError(
            f"{git.repo}: expected a commit at HEAD, found a branch without any; make a first commit,"
            " or name the commit to check with --head REV"
        )
    _, _, message = git.ask("rev-parse", "--verify", "--end-of-options", revision + "^{commit}")
    if "is ambiguous" in message:
        return GitError(
            f"{git.repo}: expected one commit called {revision!r}, found several; give more of its digits, or the"
            f" full name of a branch or tag\n{message}"
        )
    cure = "`git fetch` may bring it, `git log --all` shows what is there"
    if _is_shallow(git):
        cure = (
            "this clone is shallow: `git fetch --unshallow`, or `git fetch origin` with that commit's id, brings it;"
            " in GitHub Actions `fetch-depth: 0` at actions/checkout"
        )
    return GitError(f"{git.repo}: expected a commit called {revision!r}, found none; {cure}")


def _is_shallow(git: Git) -> bool:
    """Whether this clone's history is cut off."""
    return git.output("rev-parse", "--is-shallow-repository").strip() == b"true"
