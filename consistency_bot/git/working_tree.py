"""How the working tree and the index differ from a commit, without writing to either."""

import os
import stat

from msgspec.structs import replace

from consistency_bot.errors import GitError
from consistency_bot.git import diff, disk, programs
from consistency_bot.git.command import Git
from consistency_bot.git.diff import Difference
from consistency_bot.model import PLAIN_FILE, Entry

EMPTY_BLOB = {
    40: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    64: "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
}
"""The id of an empty file by the length of ids: SHA-1 and SHA-256. git knows it without its object."""


def opened(repo: Git) -> Git:
    """`git` at the root of the working tree that `repo` lies in, with its index or the one that a hook was given.

    Raises GitError in a bare repository.
    """
    told = repo.output("rev-parse", "--show-toplevel", "--is-inside-work-tree", "--absolute-git-dir")
    # Paths may hold line breaks; the answer between them tells one from the other.
    top, _, folder = (os.fsdecode(part) for part in told.removesuffix(b"\n").partition(b"\ntrue\n"))
    given = os.environ.get("GIT_INDEX_FILE")
    index = (given and _given_index(given, top, folder)) or os.path.join(folder, "index")
    return Git(top, repo.env | {"GIT_INDEX_FILE": index}, repo.settings)


def _given_index(given: str, top: str, folder: str) -> str | None:
    """The index that `GIT_INDEX_FILE` gives to the working tree `top`; None where it means another repository's.

    `git commit --all` and `git commit PATH` have the coming commit in another index than the usual, and its hook is to
    judge that one. But a hook may check another repository too, about which its own index says nothing.
    """
    if not os.path.isabs(given):  # counts from the root of the working tree, wherever in it we stand
        here, root = os.path.realpath(os.curdir), os.path.realpath(top)
        if os.path.commonpath((here, root)) != root:
            return None
    index = os.path.join(top, given)
    beside = os.path.realpath(os.path.dirname(index))
    is_foreign = beside != os.path.realpath(folder) and _is_git_folder(beside)
    return index if os.path.exists(index) and not is_foreign else None


def _is_git_folder(folder: str) -> bool:
    """Whether git keeps a repository or a worktree there."""
    inside = os.listdir(folder) if os.path.isdir(folder) else []
    return "HEAD" in inside and ("objects" in inside or "commondir" in inside)


def staged_differences(git: Git, base: str) -> list[Difference]:
    """How the index differs from a commit. Raises GitError while a conflict is unresolved: there is no one content."""
    differences = diff.in_index(git, base)
    conflicts = sorted({difference.new for difference in differences if difference.status == "U"})
    if conflicts:
        more = f" and {len(conflicts) - 5} more" if len(conflicts) > 5 else ""
        raise GitError(
            f"{git.repo}: expected one content for each path in the index, found unresolved conflicts in"
            f" {', '.join(conflicts[:5])}{more}; resolve them and `git add` the files"
        )
    return differences


def working_differences(git: Git, base: str) -> list[Difference]:
    """How the files on the disk, the untracked ones that are not ignored among them, differ from a commit.

    No program of the repository is run for it: see `programs`.
    """
    git = programs.without_programs(git)
    listed = git.output("ls-files", "-z", "--others", "--exclude-standard")
    # A repository inside this one, which is not a submodule of it, is listed as a folder.
    untracked = [path for path in listed.split(b"\0") if path and not path.endswith(b"/")]
    differences = _with_untracked(git, base, untracked) if untracked else diff.in_working_tree(git, base)
    return [_on_disk(git, difference) for difference in differences]


def _with_untracked(git: Git, base: str, untracked: list[bytes]) -> list[Difference]:
    """The same with untracked files.

    They are entered into a throw-away copy of the index, as empty files that were edited since, so that git itself
    compares them: a file moved without `git mv` is a rename, one taken out of the index but kept is unchanged.
    """
    import tempfile  # 5 ms, and only needed here

    usual = git.env["GIT_INDEX_FILE"]
    with tempfile.TemporaryDirectory() as folder:
        index = os.path.join(folder, "index")
        if os.path.exists(usual):
            with open(usual, "rb") as source, open(index, "wb") as target:
                target.write(source.read())
                times = os.fstat(source.fileno())
            # git looks again at files as young as the index, whose time stamps prove nothing: a copy must be as old.
            os.utime(index, ns=(times.st_atime_ns, times.st_mtime_ns))
        apart = git.with_env(GIT_INDEX_FILE=index)
        lines = b"".join(b"100644 %s\t%s\0" % (EMPTY_BLOB[len(base)].encode(), path) for path in untracked)
        apart.output("update-index", "-z", "--index-info", stdin=lines)
        return diff.in_working_tree(apart, base)


def _on_disk(git: Git, difference: Difference) -> Difference:
    """A difference with its content left to the disk, where git's own word for it cannot be relied on.

    While it looks for renames git computes ids for new files and names them, whether or not it has such an object. A
    path with an unresolved conflict comes without any content; the disk has it, conflict markers and all.
    """
    if difference.status not in "ARU":
        return difference
    mode = disk.mode_of(git.repo, difference.new)
    if difference.status == "U":
        is_file = mode is not None and stat.S_ISREG(mode)
        return replace(difference, status="M" if is_file else "D", entry=Entry(PLAIN_FILE, "") if is_file else None)
    if difference.entry is None or mode is None:  # left out by a sparse checkout: git has the content
        return difference
    return replace(difference, entry=Entry(difference.entry.mode, ""))
