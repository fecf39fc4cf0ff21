"""Checks that git starts itself, by real hooks: the index, the folder and the objects are those that the hook was given."""

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from checks import CODE, MOVED, RULES

from consistency_bot.git import read_change
from repositories import Repository, change, modified

pytestmark = pytest.mark.usefixtures("isolated")

ROOT = Path(__file__).parent.parent
CHECK = f"PYTHONPATH={shlex.quote(str(ROOT))} {shlex.quote(sys.executable)} -m consistency_bot check"


def install(git_folder: Path, hook: str, script: str) -> None:
    """Make a hook of a shell script."""
    place = git_folder / "hooks" / hook
    place.write_text(f"#!/bin/sh\nset -e\n{script}\n")
    place.chmod(0o755)


def commits(repository: Repository, *arguments: str, start: str = ".") -> bool:
    """Whether `git commit` goes through, started in a folder of the working tree."""
    command = ["git", "commit", "-q", "-m", "a change", *arguments]
    done = subprocess.run(command, cwd=repository.folder / start, capture_output=True, text=True, check=False)
    assert done.returncode == 0 or "missed: " in done.stdout + done.stderr, done
    return done.returncode == 0


@pytest.fixture
def twins(repository: Repository) -> Repository:
    """Agreeing twins whose pre-commit hook checks what is staged."""
    repository.write("rules.yaml", RULES)
    repository.write("sub/other.py", "x = 1\n")
    repository.commit(a=CODE, b=CODE)
    install(repository.folder / ".git", "pre-commit", f"{CHECK} --staged --base HEAD")
    return repository


def test_a_commit_of_what_is_staged_is_judged_by_the_index(twins: Repository) -> None:
    twins.write("a.py", MOVED)
    twins.git("add", "a.py")
    twins.write("b.py", MOVED)
    assert not commits(twins)
    twins.git("add", "b.py")
    twins.write("b.py", CODE)
    assert commits(twins)


@pytest.mark.parametrize("start", [".", "sub"])
def test_a_commit_of_everything_is_judged_by_the_index_that_it_will_have(twins: Repository, start: str) -> None:
    twins.write("a.py", MOVED)
    assert not commits(twins, "--all", start=start)
    twins.write("b.py", MOVED)
    assert commits(twins, "--all", start=start)


def test_a_commit_of_one_path_is_judged_without_what_is_staged_besides(twins: Repository) -> None:
    for name in ("a.py", "b.py"):
        twins.write(name, MOVED)
    twins.git("add", "b.py")
    assert not commits(twins, "a.py")
    assert commits(twins, "a.py", "b.py")


def test_a_hook_that_goes_into_a_folder_is_judged_by_the_same_index(twins: Repository) -> None:
    install(twins.folder / ".git", "pre-commit", f"cd sub\n{CHECK} --staged --base HEAD")
    twins.write("a.py", MOVED)
    assert not commits(twins, "--all")
    assert not commits(twins, "a.py")


def test_a_hook_in_a_worktree_is_judged_by_that_worktrees_index(twins: Repository, tmp_path: Path) -> None:
    twins.git("worktree", "add", "-q", "-b", "feature", str(tmp_path / "worktree"))
    worktree = Repository(tmp_path / "worktree")
    worktree.write("a.py", MOVED)
    assert not commits(worktree, "--all")
    worktree.write("b.py", MOVED)
    assert commits(worktree, "--all")


def test_a_push_is_judged_while_its_objects_are_still_in_quarantine(twins: Repository, tmp_path: Path) -> None:
    server = twins.clone(tmp_path / "server", "--bare")
    install(server.folder, "pre-receive", f"while read old new ref; do {CHECK} --base $old --head $new >&2; done")
    twins.git("remote", "add", "server", f"file://{server}")
    twins.commit(b=MOVED, a=MOVED)
    twins.git("push", "-q", "server", "main")
    (twins.folder / ".git" / "hooks" / "pre-commit").unlink()
    twins.commit(a=CODE)
    with pytest.raises(AssertionError, match="missed: "):
        twins.git("push", "-q", "server", "main")


# What the variables of a hook mean


def test_an_index_anywhere_else_counts_if_it_is_there(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    index = tmp_path / "built-by-a-script"
    monkeypatch.setenv("GIT_INDEX_FILE", str(index))
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.paths == ()
    repository.write("a.py", "a = 2\n")
    repository.git("read-tree", "HEAD")
    repository.git("add", "a.py")
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.paths == modified("a.py")
    monkeypatch.delenv("GIT_INDEX_FILE")
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.paths == ()


def test_an_index_that_is_relative_counts_from_the_root_of_the_working_tree(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (repository.folder / "sub").mkdir()
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/next-index")
    repository.git("read-tree", "--empty")
    for start in (repository.folder, repository.folder / "sub"):
        monkeypatch.chdir(start)
        with read_change(".", "HEAD", None, staged=True) as read:
            assert [path.new for path in read.paths] == [None, None]
    monkeypatch.chdir(tmp_path)  # a hook of something else
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.paths == ()


@pytest.mark.parametrize("is_worktree", [False, True])
def test_the_index_of_another_repository_or_worktree_does_not_count(
    repository: Repository, tmp_path: Path, is_worktree: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if is_worktree:
        repository.git("worktree", "add", "-q", str(tmp_path / "other"))
        other = Repository(tmp_path / "other")
    else:
        other = Repository(tmp_path / "other")
    other.commit(x="x = 1\n")
    monkeypatch.setenv("GIT_INDEX_FILE", other.git("rev-parse", "--path-format=absolute", "--git-path", "index"))
    with read_change(str(repository), "HEAD", None, staged=True) as read:
        assert read.paths == ()


def test_the_folder_of_another_repository_does_not_count(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Repository(tmp_path / "other")
    other.commit(x="x = 1\n")
    monkeypatch.setenv("GIT_DIR", str(other.folder / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_PREFIX", "sub/")
    repository.write("a.py", "a = 2\n")
    with change(repository) as read:
        assert read.paths == modified("a.py")


def test_a_folder_with_a_line_break_in_its_name_is_a_repository(tmp_path: Path) -> None:
    repository = Repository(tmp_path / "line\nbreak")
    repository.commit(a="a = 1\n")
    repository.write("a.py", "a = 2\n")
    repository.write("b.py", "b = 1\n")
    with change(repository) as read:
        assert {path.new for path in read.paths} == {"a.py", "b.py"}
        assert read.head.read("a.py") == b"a = 2\n"
