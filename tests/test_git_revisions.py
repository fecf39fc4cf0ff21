"""Which commits are meant, and what git cannot answer."""

from pathlib import Path

import pytest

from consistency_bot.errors import GitError, UsageError
from consistency_bot.git import read_change
from repositories import Repository, change, modified, refused

pytestmark = pytest.mark.usefixtures("isolated")


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


@pytest.mark.parametrize("name", ["no-such-branch", "-x", "--all", "", "a\nb", "main:a.py", "caf\udce9"])
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
