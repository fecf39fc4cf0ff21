"""The working tree and the index as heads."""

import os
from pathlib import Path

import pytest

from consistency_bot.git import INDEX, WORKTREE, read_change
from consistency_bot.model import ChangedPath
from repositories import Repository, change, modified, refused

pytestmark = pytest.mark.usefixtures("isolated")


def test_without_a_head_the_working_tree_is_judged_with_what_is_not_committed(repository: Repository) -> None:
    base = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit(c="c = 1\n")
    repository.write("a.py", "a = 'staged'\n")
    repository.git("add", "a.py")
    repository.write("b.py", "b = 'edited'\n")
    repository.write("new/d.py", "d = 'untracked'\n")
    repository.write(".gitignore", "ignored.py\n")
    repository.write("ignored.py", "x = 1\n")
    with change(repository) as read:
        assert (read.base_name, read.head_name) == (base, WORKTREE)
        changed = {path.new for path in read.paths}
        assert changed == {".gitignore", "a.py", "b.py", "c.py", "new/d.py"}
        assert read.head.read("a.py") == b"a = 'staged'\n"
        assert read.head.read("b.py") == b"b = 'edited'\n"
        assert read.head.read("new/d.py") == b"d = 'untracked'\n"
        assert read.head.read("ignored.py") is None
        assert read.head.find(["**/*.py"]) == ["a.py", "b.py", "c.py", "new/d.py"]


def test_the_index_is_judged_as_it_would_be_committed(repository: Repository) -> None:
    repository.write("a.py", "a = 'staged'\n")
    repository.git("add", "a.py")
    repository.write("a.py", "a = 'edited since'\n")
    repository.write("untracked.py", "x = 1\n")
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.head_name == INDEX
        assert read.paths == modified("a.py")
        assert read.head.read("a.py") == b"a = 'staged'\n"


def test_a_hook_is_judged_by_the_index_of_its_own_commit(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("a.py", "a = 2\n")
    monkeypatch.setenv("GIT_INDEX_FILE", str(repository.folder / ".git" / "next-index"))
    repository.git("read-tree", "HEAD")
    repository.git("add", "a.py")
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.paths == modified("a.py")


def test_the_hook_of_another_repository_does_not_redirect_git(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository(tmp_path / "other")
    other.commit(x="x = 1\n")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.folder / ".git" / "index"))
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.paths == ()
        assert read.head.find(["*.py"]) == ["a.py", "b.py"]


def test_a_file_whose_time_stamp_alone_moved_did_not_change(repository: Repository) -> None:
    os.utime(repository.folder / "a.py", (1, 1))
    with change(repository) as read:
        assert read.paths == ()


def test_a_file_moved_without_git_is_a_rename(repository: Repository) -> None:
    lines = "".join(f"line_{number} = {number}\n" for number in range(40))
    repository.commit(a=lines)
    (repository.folder / "a.py").unlink()
    repository.write("c.py", lines + "one_more = 1\n")
    with change(repository, "HEAD") as read:
        assert read.paths == (ChangedPath("a.py", "c.py"),)
        assert read.head.read("c.py") == (lines + "one_more = 1\n").encode()


def test_a_file_taken_out_of_the_index_but_kept_did_not_change(repository: Repository) -> None:
    repository.git("rm", "-q", "--cached", "a.py")
    with change(repository) as read:
        assert read.paths == ()
        assert read.head.read("a.py") == b"a = 1\n"


def test_an_edit_as_young_as_the_index_is_seen(repository: Repository) -> None:
    index, edited = repository.folder / ".git" / "index", repository.folder / "a.py"
    for place in (edited, repository.folder / "b.py"):
        os.utime(place, (1_700_000_000, 1_700_000_000))
    repository.git("add", "--renormalize", "-A")
    repository.git("update-index", "--refresh")
    repository.write("a.py", "a = 2\n")  # as long as before
    repository.write("untracked.py", "x = 1\n")
    for place in (edited, index):
        os.utime(place, (1_700_000_000, 1_700_000_000))
    repository.git("config", "core.trustctime", "false")
    with change(repository) as read:
        assert set(read.paths) == {*modified("a.py"), ChangedPath(None, "untracked.py")}


def test_reading_the_working_tree_writes_nothing_into_the_repository(repository: Repository) -> None:
    repository.write("untracked.py", "x = 1\n")
    os.utime(repository.folder / "a.py", (1, 1))
    files = {path: path.read_bytes() for path in (repository.folder / ".git").rglob("*") if path.is_file()}
    with change(repository) as read:
        assert read.paths == (ChangedPath(None, "untracked.py"),)
    assert {path: path.read_bytes() for path in (repository.folder / ".git").rglob("*") if path.is_file()} == files


def test_a_file_left_out_by_a_sparse_checkout_did_not_change(repository: Repository) -> None:
    repository.write("out/c.py", "c = 1\n")
    repository.commit()
    repository.git("sparse-checkout", "set", "in")
    assert not (repository.folder / "out").exists()
    with change(repository) as read:
        assert read.paths == ()
        assert read.head.read("out/c.py") == b"c = 1\n"


def test_a_repository_inside_the_working_tree_is_not_looked_into(repository: Repository) -> None:
    Repository(repository.folder / "inner").commit(x="x = 1\n")
    with change(repository) as read:
        assert read.paths == ()
        assert read.head.find(["**/x.py"]) == []


@pytest.fixture
def conflict(repository: Repository) -> Repository:
    """A merge stopped by a conflict in a.py, and one about b.py, which the other branch deleted."""
    repository.git("checkout", "-q", "-b", "other")
    repository.git("rm", "-q", "b.py")
    repository.commit(a="a = 'theirs'\n")
    repository.git("checkout", "-q", "main")
    repository.commit(a="a = 'ours'\n", b="b = 'ours'\n")
    with pytest.raises(AssertionError):
        repository.git("merge", "-q", "other")
    return repository


def test_a_file_with_a_conflict_is_read_with_its_markers(conflict: Repository) -> None:
    (conflict.folder / "b.py").unlink()
    with change(conflict, "HEAD") as read:
        assert read.paths == (ChangedPath("a.py", "a.py"), ChangedPath("b.py", None))
        assert b"<<<<<<<" in (read.head.read("a.py") or b"")
        assert read.head.read("b.py") is None


def test_an_index_with_a_conflict_has_no_content_to_judge(conflict: Repository) -> None:
    assert "unresolved conflicts in a.py, b.py; resolve them" in refused(conflict, staged=True)


def test_a_file_that_vanishes_while_we_look_is_gone(repository: Repository) -> None:
    repository.write("a.py", "a = 2\n")
    with change(repository) as read:
        (repository.folder / "a.py").unlink()
        assert read.head.read("a.py") is None


def test_a_file_that_becomes_a_link_while_we_look_is_not_followed(repository: Repository) -> None:
    repository.write("a.py", "a = 2\n")
    with change(repository) as read:
        (repository.folder / "a.py").unlink()
        (repository.folder / "a.py").symlink_to("b.py")
        assert read.head.read("a.py") is None
