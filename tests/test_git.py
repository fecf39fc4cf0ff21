"""What `read_change` answers in every situation a repository can be in."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from consistency_bot.errors import GitError, UsageError
from consistency_bot.git import INDEX, WORKTREE, read_change
from consistency_bot.model import Change, ChangedPath
from repositories import Repository, isolate


@pytest.fixture(autouse=True)
def _isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch)


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    """One commit with two files."""
    repository = Repository(tmp_path / "repository")
    repository.commit(a="a = 1\n", b="b = 1\n")
    return repository


@contextmanager
def change(repository: Repository, base: str | None = "main", head: str | None = None) -> Iterator[Change]:
    with read_change(str(repository), base, head) as read:
        yield read


def refused(repo: Repository | Path, base: str | None = "main", head: str | None = None, staged: bool = False) -> str:
    """The message of the error that reading the change ends in."""
    with pytest.raises(GitError) as caught, read_change(str(repo), base, head, staged):
        pass
    return str(caught.value)


def modified(*paths: str) -> tuple[ChangedPath, ...]:
    return tuple(ChangedPath(path, path) for path in paths)


# What a change is


def test_a_commit_differs_from_its_parent_in_the_files_it_edits_adds_and_deletes(repository: Repository) -> None:
    base = repository.git("rev-parse", "HEAD")
    (repository.folder / "b.py").unlink()
    head = repository.commit(a="a = 2\n", c="c = 1\n")
    with change(repository, base, head) as read:
        assert (read.base_name, read.head_name) == (base, head)
        assert read.paths == (ChangedPath("a.py", "a.py"), ChangedPath("b.py", None), ChangedPath(None, "c.py"))
        assert [read.base.read(name) for name in ("a.py", "b.py", "c.py")] == [b"a = 1\n", b"b = 1\n", None]
        assert [read.head.read(name) for name in ("a.py", "b.py", "c.py")] == [b"a = 2\n", None, b"c = 1\n"]
        assert read.base.find(["*.py"]) == ["a.py", "b.py"]
        assert read.head.find(["*.py"]) == ["a.py", "c.py"]


def test_the_change_starts_at_the_merge_base_and_not_at_the_tip_of_base(repository: Repository) -> None:
    start = repository.git("rev-parse", "HEAD")
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit(a="a = 2\n")
    repository.commit(a="a = 3\n")
    repository.git("checkout", "-q", "main")
    repository.commit(b="b = 2\n")
    with change(repository, "main", "feature") as read:
        assert read.base_name == start
        assert read.paths == modified("a.py")
        assert read.head.read("b.py") == b"b = 1\n"


def test_nothing_differs_where_base_is_head(repository: Repository) -> None:
    with change(repository, "main", "main") as read:
        assert read.paths == ()
        assert read.head.read("a.py") == b"a = 1\n"


def test_an_annotated_tag_stands_for_its_commit(repository: Repository) -> None:
    repository.git("tag", "-a", "-m", "first", "v1")
    repository.commit(a="a = 2\n")
    with change(repository, "v1", "main") as read:
        assert read.paths == modified("a.py")


def test_a_renamed_and_edited_file_is_followed(repository: Repository) -> None:
    lines = "".join(f"line_{number} = {number}\n" for number in range(40))
    base = repository.commit(a=lines)
    (repository.folder / "a.py").unlink()
    repository.write("moved/a_v2.py", lines + "one_more = 1\n")
    with change(repository, base, repository.commit()) as read:
        assert read.paths == (ChangedPath("a.py", "moved/a_v2.py"),)
        assert read.head.read("a.py") is None
        assert read.head.find(["a.py", "moved/*.py"]) == ["moved/a_v2.py"]


def test_a_change_of_mode_alone_is_a_change_of_the_path(repository: Repository) -> None:
    base = repository.git("rev-parse", "HEAD")
    (repository.folder / "a.py").chmod(0o755)
    with change(repository, base, repository.commit()) as read:
        assert read.paths == modified("a.py")
        assert read.head.read("a.py") == read.base.read("a.py")


def test_bytes_are_read_as_they_are(repository: Repository) -> None:
    repository.write("mixed.py", b"\xef\xbb\xbfa = '\xe9'\r\n\0")
    base = repository.commit()
    with change(repository, base, base) as read:
        assert read.head.read("mixed.py") == b"\xef\xbb\xbfa = '\xe9'\r\n\0"


@pytest.mark.parametrize("name", ["caf\udce9.py", "line\nbreak.py", "-x.py", "tab\t.py", 'quote".py', "größe.py"])
def test_a_file_name_may_be_anything_that_git_stores(repository: Repository, name: str) -> None:
    base = repository.git("rev-parse", "HEAD")
    repository.write(name, "x = 1\n")
    for head in (None, repository.commit()):
        with change(repository, base, head) as read:
            assert read.paths == (ChangedPath(None, name),)
            assert read.head.read(name) == b"x = 1\n"
            assert name in read.head.find(["*.py"])


def test_a_symbolic_link_is_no_file(repository: Repository) -> None:
    base = repository.git("rev-parse", "HEAD")
    repository.write("folder/c.py", "c = 1\n")
    (repository.folder / "link.py").symlink_to("a.py")
    (repository.folder / "linked").symlink_to("folder")
    for head in (None, repository.commit()):
        with change(repository, base, head) as read:
            assert ChangedPath(None, "link.py") in read.paths
            assert read.head.read("link.py") is None
            assert read.head.read("linked/c.py") is None
            assert read.head.find(["**/*.py", "link.py"]) == ["a.py", "b.py", "folder/c.py"]


def test_a_file_that_became_a_symbolic_link_is_gone(repository: Repository) -> None:
    (repository.folder / "a.py").unlink()
    (repository.folder / "a.py").symlink_to("b.py")
    with change(repository, "HEAD") as read:
        assert read.paths == modified("a.py")
        assert read.base.read("a.py") == b"a = 1\n"
        assert read.head.read("a.py") is None
        assert read.head.find(["a.py"]) == []


def test_a_submodule_is_no_file_and_is_not_looked_into(repository: Repository, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.commit(inner="x = 1\n")
    base = repository.git("rev-parse", "HEAD")
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    head = repository.commit()
    (repository.folder / "sub" / "inner.py").write_text("x = 2\n")
    with change(repository, base, head) as read:
        assert ChangedPath(None, "sub") in read.paths
        assert read.head.read("sub") is None
        assert read.head.read("sub/inner.py") is None
        assert read.head.find(["**/*.py"]) == ["a.py", "b.py"]
    with change(repository, head) as read:
        assert read.paths == ()
        assert read.head.read("sub/inner.py") is None


# What is found


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("pkg/*.py", ["pkg/a.py", "pkg/b.py"]),
        ("pkg/?.py", ["pkg/a.py", "pkg/b.py"]),
        ("*/a.py", ["pkg/a.py"]),
        ("pkg/**", ["pkg/a.py", "pkg/b.py", "pkg/sub/a.py", "pkg/sub/deep/a.py"]),
        ("pkg/**/a.py", ["pkg/a.py", "pkg/sub/a.py", "pkg/sub/deep/a.py"]),
        ("pkg/*/a.py", ["pkg/sub/a.py"]),
        ("pkg/a.py", ["pkg/a.py"]),
        ("pkg", []),
        ("pkg/", []),
        ("none/*.py", []),
        ("pkg/a.py/*", []),
    ],
)
def test_a_pattern_finds_the_files_it_matches(repository: Repository, pattern: str, expected: list[str]) -> None:
    for path in ("pkg/a.py", "pkg/b.py", "pkg/sub/a.py", "pkg/sub/deep/a.py"):
        repository.write(path, "x = 1\n")
    with change(repository, "main") as read:  # untracked files
        assert read.head.find([pattern]) == expected
    base = repository.commit()
    with change(repository, base, base) as read:
        assert read.base.find([pattern]) == expected


def test_several_patterns_find_each_file_once(repository: Repository) -> None:
    with change(repository, "main", "main") as read:
        assert read.head.find(["*.py", "a.py", "missing.py"]) == ["a.py", "b.py"]


# The working tree and the index


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
        with pytest.raises(GitError, match=r"a\.py: expected a file that can be read"):
            read.head.read("a.py")


# Configuration and environment


@pytest.mark.parametrize(
    "setting",
    [
        "diff.noprefix=true",
        "diff.external=false",
        "diff.renames=false",
        "diff.renameLimit=1",
        "diff.relative=true",
        "diff.orderFile=.gitattributes",
        "diff.ignoreSubmodules=all",
        "color.ui=always",
        "core.quotePath=true",
        "core.abbrev=4",
        "core.fsmonitor=/nonexistent",
        "core.splitIndex=true",
        "core.untrackedCache=true",
        "log.showSignature=true",
        "diff.python.textconv=false",
    ],
)
def test_a_users_configuration_changes_nothing(repository: Repository, setting: str) -> None:
    repository.write(".gitattributes", "*.py diff=python\n")
    repository.write("in/größe.py", "".join(f"line_{number} = {number}\n" for number in range(40)))
    repository.commit()
    repository.git("config", *setting.split("="))
    (repository.folder / "in" / "größe.py").rename(repository.folder / "maß.py")
    repository.write("in/b.py", "b = 1\n")
    for staged in (False, True):
        with read_change(str(repository.folder / "in"), "HEAD", None, staged) as read:
            assert set(read.paths) == {ChangedPath("in/größe.py", "maß.py"), ChangedPath(None, "in/b.py")}
        repository.git("add", "-A")
    base, head = repository.git("rev-parse", "HEAD"), repository.commit()
    with change(repository, base, head) as read:
        assert set(read.paths) == {ChangedPath("in/größe.py", "maß.py"), ChangedPath(None, "in/b.py")}


def test_messages_are_understood_in_any_language(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    monkeypatch.setenv("LANGUAGE", "de")
    assert "--repo" in refused(repository.folder.parent)


def test_a_commit_is_read_with_two_processes(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = repository.git("rev-parse", "HEAD")
    head = repository.commit(a="a = 2\n")
    trace = tmp_path / "trace"
    monkeypatch.setenv("GIT_TRACE", str(trace))
    with change(repository, base, head) as read:
        read.head.find(["*.py"])
        read.head.read("a.py")
    started = [line for line in trace.read_text().splitlines() if "trace: built-in:" in line]
    assert len(started) == 2, started


# Kinds of repositories


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


def test_a_shallow_clone_without_the_base_names_the_fetch_that_brings_it(
    repository: Repository, tmp_path: Path
) -> None:
    base = repository.git("rev-parse", "HEAD")
    repository.commit(a="a = 2\n")
    repository.commit(a="a = 3\n")
    shallow = repository.clone(tmp_path / "shallow", "--depth=1")
    assert "git fetch --unshallow" in refused(shallow, base, "HEAD")


def test_a_shallow_clone_without_the_merge_base_names_the_fetch_that_brings_it(
    repository: Repository, tmp_path: Path
) -> None:
    repository.git("branch", "feature")
    repository.commit(a="a = 2\n")
    repository.git("checkout", "-q", "feature")
    repository.commit(b="b = 2\n")
    repository.commit(b="b = 3\n")
    shallow = repository.clone(tmp_path / "shallow", "--depth=1", "--no-single-branch")
    message = refused(shallow, "origin/main", "origin/feature")
    assert "git fetch --deepen=100" in message
    assert "git fetch --unshallow" in message
    shallow.git("fetch", "-q", "--deepen=100")
    with change(shallow, "origin/main", "origin/feature") as read:
        assert read.paths == modified("b.py")


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


# Default branch


def test_without_a_base_the_remotes_default_branch_is_taken(repository: Repository, tmp_path: Path) -> None:
    repository.git("branch", "-m", "trunk")
    clone = repository.clone(tmp_path / "clone")
    clone.git("branch", "main")  # a local main does not matter then
    clone.commit(a="a = 2\n")
    with change(clone, None) as read:
        assert read.base_name == repository.git("rev-parse", "trunk")
        assert read.paths == modified("a.py")


def test_the_only_remote_is_taken_whatever_its_name(repository: Repository, tmp_path: Path) -> None:
    repository.git("branch", "-m", "trunk")
    clone = repository.clone(tmp_path / "clone", "--origin", "upstream")
    clone.commit(a="a = 2\n")
    with change(clone, None) as read:
        assert read.paths == modified("a.py")


@pytest.mark.parametrize("name", ["main", "master"])
def test_without_a_remote_the_one_local_main_or_master_is_taken(repository: Repository, name: str) -> None:
    repository.git("branch", "-m", name)
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit(a="a = 2\n")
    with change(repository, None) as read:
        assert read.paths == modified("a.py")


def test_without_any_default_branch_a_base_has_to_be_named(repository: Repository) -> None:
    repository.git("branch", "-m", "trunk")
    message = refused(repository, None)
    assert "found none" in message
    assert "--base REV" in message


def test_a_main_and_a_master_leave_the_choice_to_the_user(repository: Repository) -> None:
    repository.git("branch", "master")
    assert "found main and master; name it with --base REV" in refused(repository, None)


# What git cannot answer


@pytest.mark.parametrize("name", ["no-such-branch", "-x", "--all", "", "a\nb", "main:a.py", "main..main", "caf\udce9"])
def test_an_unknown_revision_is_named(repository: Repository, name: str) -> None:
    for base, head in ((name, "main"), ("main", name)):
        message = refused(repository, base, head)
        assert repr(name) in message
        assert "git fetch" in message


def test_an_ambiguous_revision_is_no_unknown_one(repository: Repository) -> None:
    tree = repository.git("rev-parse", "HEAD^{tree}")
    alike = {repository.git("commit-tree", tree, "-m", message)[:4] for message in ("192", "472")}
    assert alike == {"7f66"}  # found by trying
    assert "found several" in refused(repository, "main", "7f66")


def test_a_branch_without_a_commit_has_nothing_to_judge(tmp_path: Path) -> None:
    assert "make a first commit" in refused(Repository(tmp_path / "empty"), None)


def test_unrelated_histories_have_no_change_between_them(repository: Repository) -> None:
    repository.git("checkout", "-q", "--orphan", "other")
    repository.commit(a="a = 2\n")
    assert "their histories are unrelated; name another --base" in refused(repository, "main", "other")


def test_a_folder_that_is_no_repository_is_refused(tmp_path: Path) -> None:
    assert "not a git repository" in refused(tmp_path)
    assert "with --repo" in refused(tmp_path / "missing")


def test_a_repository_of_another_user_is_refused_with_the_cure(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    message = refused(repository)
    assert "detected dubious ownership" in message
    assert "safe.directory" in message


def test_a_machine_without_git_is_told_to_install_it(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(repository.folder))
    assert "install git" in refused(repository)


def test_a_damaged_index_is_reported(repository: Repository) -> None:
    (repository.folder / ".git" / "index").write_bytes(b"DIRC nonsense that is no index at all")
    assert "index" in refused(repository)


def test_a_head_and_the_index_do_not_go_together(repository: Repository) -> None:
    with pytest.raises(UsageError, match="leave one of them out"), read_change(str(repository), None, "HEAD", True):
        pass


def test_after_the_change_is_closed_nothing_is_read_any_more(repository: Repository) -> None:
    with change(repository) as read:
        pass
    with pytest.raises(GitError):
        read.base.read("a.py")
