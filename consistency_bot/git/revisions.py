"""Which commits are meant: revisions that a user names, the default branch, the merge base."""

import msgspec

from consistency_bot.git import cures
from consistency_bot.git.command import Git
from consistency_bot.git.objects import ObjectReader

USUAL_NAMES = ("main", "master")


class Commit(msgspec.Struct, frozen=True):
    """A commit's full id, its tree's id, its parents' ids, and its message, of which nobody has made text yet."""

    id: str
    tree: str
    parents: tuple[str, ...]
    message: bytes


def find_commit(git: Git, objects: ObjectReader, revision: str) -> Commit:
    """The commit that a revision names. Raises GitError where none is, with what would bring it."""
    commit = _commit(objects, revision)
    if commit is None:
        raise cures.unknown_commit(git, objects, revision)
    return commit


def default_branches(git: Git, objects: ObjectReader) -> tuple[str, ...]:
    """The full names of the branches that changes are measured against: what they have is not head's own change.

    It is the default branch of the remote `origin`; in a fork's clone that of `upstream` as well, since a fork is
    seldom up to date. Without either it is that of the only remote, else the one local branch called `main` or
    `master`. A remote whose default is not known here (`git remote add` does not ask for it) is taken by its one
    branch of such a name. Raises GitError where that leaves none or several.
    """
    found = [name for remote in ("origin", "upstream") if (name := _remote_default(objects, remote))]
    if found:
        return tuple(found)
    patterns = [f"refs/remotes/*/{name}" for name in ("HEAD", *USUAL_NAMES)] + [f"refs/heads/{n}" for n in USUAL_NAMES]
    listed = git.output("for-each-ref", "--format=%(refname)", *patterns).decode("utf-8", "surrogateescape").split()
    remotes = [name for name in listed if name.startswith("refs/remotes/")]
    candidates = [name for name in remotes if name.endswith("/HEAD")] or remotes or listed
    if len(candidates) != 1:
        raise cures.no_default_branch(git, candidates)
    return (candidates[0],)


def merge_base(git: Git, objects: ObjectReader, bases: tuple[Commit, ...], head: Commit) -> Commit:
    """The commit that head's own changes start from, as GitHub shows a pull request: with several bases the last one.

    Histories that crossed have several such commits; git's first is taken, as `git diff base...head` does.
    Raises GitError where there is no common commit, and says which fetch brings one in a shallow clone.
    """
    for base in bases:
        # Most checks are of one commit: saves a process.
        if base.id == head.id or (len(bases) == 1 and base.id in head.parents):
            return base
    # Several commits after the first stand for their merge: what any of them has counts as base's.
    ends = (bases[0].id, head.id) if len(bases) == 1 else (head.id, *(base.id for base in bases))
    status, output, message = git.ask("merge-base", *ends)
    if status == 0:
        return find_commit(git, objects, output.decode("ascii").split()[0])
    if status > 1:
        raise git.failure("`git merge-base`", message)
    raise cures.no_common_ancestor(git, tuple(base.id for base in bases), head.id)


def _remote_default(objects: ObjectReader, remote: str) -> str | None:
    """The full name of a remote's default branch; None where it is not known, nor the one of a usual name."""
    head = f"refs/remotes/{remote}/HEAD"
    if _commit(objects, head):
        return head
    usual = [name for branch in USUAL_NAMES if _commit(objects, name := f"refs/remotes/{remote}/{branch}")]
    return usual[0] if len(usual) == 1 else None


def _commit(objects: ObjectReader, revision: str) -> Commit | None:
    """The commit that a revision names (a tag is followed to its commit); None where none is."""
    found = objects.find(revision + "^{commit}") if revision else None
    if found is None:
        found = objects.find(revision)  # `:/words` takes the suffix for a word
    if found is None or found.kind != "commit":
        return None
    header, _, message = found.data.partition(b"\n\n")
    words = [line.split(" ") for line in header.decode("utf-8", "replace").splitlines()]
    # Only the leading lines are `tree` and `parent`; a signature further down is indented by a space.
    return Commit(found.id, words[0][1], tuple(line[1] for line in words if line[0] == "parent"), message)
