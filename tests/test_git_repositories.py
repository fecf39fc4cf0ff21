"""Every kind of repository: bare, worktree, shallow, partial, with long ids."""

from pathlib import Path

import pytest

from consistency_bot.errors import GitError
from consistency_bot.git import read_change
from consistency_bot.model import ChangedPath
from repositories import Repository, change, modified, refused

pytestmark = pytest.mark.usefixtures("isolated")


def test_a_bare_repository_is_read(repository: Repository, tmp_path: Path) -> None:
    base = repository.git("rev-parse", "HEAD")
    head = repository.commit(a="a = 2\n")
    bare = repository.clone(tmp_path / "bare", "--bare")
    with change(bare, base, head) as read:
        assert read.paths == modified("a.py")


@pytest.mark.parametrize("staged", [False, True])
def test_a_bare_repository_has_no_working_tree(repository: Repository, tmp_path: Path, staged: bool) -> None:
    bare = repository.clone(tmp_path / "bare", "--bare")
    assert "name the commit to check with --head REV" in refused(bare, staged=staged)


def test_a_worktree_is_read_with_its_own_files(repository: Repository, tmp_path: Path) -> None:
    repository.git("worktree", "add", "-q", "-b", "feature", str(tmp_path / "worktree"))
    worktree = Repository(tmp_path / "worktree")
    worktree.write("a.py", "a = 2\n")
    with change(worktree) as read:
        assert read.paths == modified("a.py")
    with change(repository) as read:
        assert read.paths == ()


def test_a_worktree_of_a_bare_repository_is_read(repository: Repository, tmp_path: Path) -> None:
    bare = repository.clone(tmp_path / "bare", "--bare")
    bare.git("worktree", "add", "-q", "-b", "feature", str(tmp_path / "worktree"), "main")
    worktree = Repository(tmp_path / "worktree")
    worktree.write("a.py", "a = 2\n")
    worktree.git("add", "a.py")
    worktree.write("c.py", "c = 1\n")
    with change(worktree) as read:
        assert set(read.paths) == {*modified("a.py"), ChangedPath(None, "c.py")}
    with read_change(str(worktree), "main", None, staged=True) as read:
        assert read.paths == modified("a.py")


def test_a_folder_of_a_clone_stands_for_the_whole_clone(repository: Repository) -> None:
    repository.write("folder/c.py", "c = 1\n")
    repository.commit()
    repository.write("a.py", "a = 2\n")
    repository.write("d.py", "d = 1\n")
    with read_change(str(repository.folder / "folder"), "HEAD", None) as read:
        assert set(read.paths) == {*modified("a.py"), ChangedPath(None, "d.py")}
        assert read.head.read("d.py") == b"d = 1\n"


def test_a_detached_head_is_a_head(repository: Repository) -> None:
    repository.git("checkout", "-q", "--detach")
    repository.commit(a="a = 2\n")
    with change(repository) as read:
        assert read.paths == modified("a.py")


def test_a_repository_with_long_ids_is_read(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "long", "--object-format=sha256")
    base = repository.commit(a="a = 1\n")
    head = repository.commit(a="a = 2\n")
    repository.write("untracked.py", "x = 1\n")
    assert len(head) == 64
    with change(repository, base, head) as read:
        assert read.paths == modified("a.py")
        assert read.base.read("a.py") == b"a = 1\n"
    with change(repository) as read:
        assert read.paths == (ChangedPath(None, "untracked.py"),)


def test_a_shallow_clone_is_read_where_it_goes_back_far_enough(repository: Repository, tmp_path: Path) -> None:
    repository.commit(a="a = 2\n")
    base = repository.git("rev-parse", "HEAD")
    head = repository.commit(a="a = 3\n")
    with change(repository.clone(tmp_path / "shallow", "--depth=2"), base, head) as read:
        assert read.paths == modified("a.py")


@pytest.fixture
def partial(repository: Repository, tmp_path: Path) -> Repository:
    """A clone that fetches the content of files when it is asked for."""
    repository.commit(a="a = 2\n")
    repository.git("config", "uploadpack.allowFilter", "true")
    return repository.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")


def test_a_partial_clone_fetches_what_is_read(partial: Repository) -> None:
    with change(partial, "HEAD~1", "HEAD") as read:
        assert read.head.read("a.py") == b"a = 2\n"


def test_a_partial_clone_out_of_reach_of_its_remote_says_so(partial: Repository, repository: Repository) -> None:
    repository.folder.rename(repository.folder.with_name("elsewhere"))
    with change(partial, "HEAD~1", "HEAD") as read, pytest.raises(GitError, match="this is a partial clone"):
        read.head.read("a.py")


def test_a_missing_object_is_named_with_its_path(repository: Repository) -> None:
    blob = repository.git("rev-parse", "HEAD:a.py")
    (repository.folder / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    with change(repository, "main", "main") as read, pytest.raises(GitError, match=rf"a\.py \(object {blob}\)"):
        read.base.read("a.py")


def test_a_clone_without_trees_fetches_them_too(repository: Repository, tmp_path: Path) -> None:
    repository.write("pkg/c.py", "c = 1\n")
    repository.commit(a="a = 2\n")
    repository.git("config", "uploadpack.allowFilter", "true")
    bare = repository.clone(tmp_path / "treeless", "--filter=tree:0", "--bare")
    with change(bare, "HEAD~1", "HEAD") as read:
        assert set(read.paths) == {*modified("a.py"), ChangedPath(None, "pkg/c.py")}
        assert read.head.find(["pkg/*.py"]) == ["pkg/c.py"]


def test_a_working_tree_of_a_partial_clone_is_compared_without_all_its_history(
    repository: Repository, tmp_path: Path
) -> None:
    lines = "".join(f"line_{number} = {number}\n" for number in range(40))
    repository.commit(a=lines)
    repository.git("config", "uploadpack.allowFilter", "true")
    partial = repository.clone(tmp_path / "partial", "--filter=blob:none")
    (partial.folder / "a.py").rename(partial.folder / "moved.py")
    partial.write("moved.py", lines + "one_more = 1\n")
    with change(partial) as read:
        assert read.paths == (ChangedPath("a.py", "moved.py"),)


def test_a_submodule_that_stands_at_another_commit_is_a_change_of_its_path_alone(
    repository: Repository, tmp_path: Path
) -> None:
    other = Repository(tmp_path / "other")
    other.commit(inner="x = 1\n")
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    repository.commit()
    inner = Repository(repository.folder / "sub")
    inner.write("untracked.py", "x = 1\n")
    with change(repository) as read:
        assert read.paths == ()
    inner.commit(inner="x = 2\n")
    with change(repository) as read:
        assert read.paths == modified("sub")
        assert read.base.read("sub") is read.head.read("sub") is None
        assert read.head.find(["**/*.py"]) == ["a.py", "b.py"]
