"""How the working tree and the index differ from a commit, without writing to either."""

import os

from msgspec.structs import replace

from consistency_bot.errors import GitError
from consistency_bot.git import diff
from consistency_bot.git.command import Git
from consistency_bot.git.diff import Difference
from consistency_bot.model import PLAIN_FILE, Entry

EMPTY_BLOB = {
    40: "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
    64: "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
}
"""The id of an empty file by the length of ids: SHA-1 and SHA-256. git knows it without its object."""


def opened(repo: Git) -> Git:
    """`git` at the root of the working tree that `repo` lies in.

    Inside a hook of the same repository it uses the hook's index: `git commit --all` has the coming commit in another
    one than the usual. Raises GitError in a bare repository.
    """
    top = os.fsdecode(repo.output("rev-parse", "--show-toplevel").removesuffix(b"\n"))
    index = os.environ.get("GIT_INDEX_FILE")
    if index:
        folder = os.fsdecode(repo.output("rev-parse", "--absolute-git-dir").removesuffix(b"\n"))
        if os.path.realpath(os.path.dirname(os.path.abspath(index))) == os.path.realpath(folder):
            return Git(top, repo.env | {"GIT_INDEX_FILE": os.path.abspath(index)})
    return Git(top, repo.env)


def staged_differences(git: Git, base: str) -> list[Difference]:
    """How the index differs from a commit. Raises GitError while a conflict is unresolved: there is no one content."""
    differences = diff.in_index(git, base)
    conflicts = sorted({difference.new for difference in differences if difference.status == "U"})
    if conflicts:
        raise GitError(
            f"{git.repo}: expected one content for each path in the index, found unresolved conflicts in"
            f" {', '.join(conflicts)}; resolve them and `git add` the files"
        )
    return differences


def working_differences(git: Git, base: str) -> list[Difference]:
    """How the files on the disk, the untracked ones that are not ignored among them, differ from a commit."""
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

    usual = os.fsdecode(git.output("rev-parse", "--git-path", "index").removesuffix(b"\n"))
    usual = git.env.get("GIT_INDEX_FILE", os.path.join(git.repo, usual))
    with tempfile.TemporaryDirectory() as folder:
        index = os.path.join(folder, "index")
        if os.path.exists(usual):
            with open(usual, "rb") as source, open(index, "wb") as target:
                target.write(source.read())
                times = os.fstat(source.fileno())
            # git looks again at files as young as the index, whose time stamps prove nothing: a copy must be as old.
            os.utime(index, ns=(times.st_atime_ns, times.st_mtime_ns))
        apart = Git(git.repo, git.env | {"GIT_INDEX_FILE": index})
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
    if os.path.lexists(os.path.join(git.repo, difference.new)):
        mode = difference.entry.mode if difference.entry else PLAIN_FILE
        status = "M" if difference.status == "U" else difference.status
        return replace(difference, status=status, entry=Entry(mode, ""))
    return replace(difference, status="D") if difference.status == "U" else difference
