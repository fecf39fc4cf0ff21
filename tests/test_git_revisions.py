"""Which commits are meant, and what git cannot answer."""

import os
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


def test_a_remote_that_was_only_fetched_from_is_taken_by_its_main_or_master(
    repository: Repository, tmp_path: Path
) -> None:
    clone = Repository(tmp_path / "clone")
    clone.git("remote", "add", "origin", f"file://{repository}")
    clone.git("config", "remote.origin.followRemoteHEAD", "never")  # else git 2.48 and newer asks for it
    clone.git("fetch", "-q", "origin")
    clone.git("checkout", "-q", "main")
    clone.commit(a="a = 2\n")  # on main itself, so that the local main would show nothing
    with change(clone, None) as read:
        assert read.base_name == repository.git("rev-parse", "main")
        assert read.paths == modified("a.py")


def test_a_remote_with_a_main_and_a_master_is_cured_by_asking_it(repository: Repository, tmp_path: Path) -> None:
    repository.git("branch", "master")
    clone = repository.clone(tmp_path / "clone")
    clone.git("symbolic-ref", "--delete", "refs/remotes/origin/HEAD")
    message = refused(clone, None)
    assert "found origin/main and origin/master" in message
    assert "`git remote set-head origin --auto`" in message
    clone.git("remote", "set-head", "origin", "--auto")
    with change(clone, None) as read:
        assert read.paths == ()


@pytest.fixture
def fork(repository: Repository, tmp_path: Path) -> Repository:
    """A clone of a fork that has not seen the last commit of the repository it was made from, its `upstream`."""
    origin = repository.clone(tmp_path / "fork", "--bare")
    repository.commit(b="b = 2\n")
    clone = origin.clone(tmp_path / "clone")
    clone.git("remote", "add", "upstream", f"file://{repository}")
    clone.git("fetch", "-q", "upstream")
    return clone


def test_what_upstream_has_is_no_change_of_a_fork_that_is_behind(fork: Repository) -> None:
    fork.git("checkout", "-q", "-b", "topic", "upstream/main")
    fork.commit(a="a = 2\n")
    with change(fork, None) as read:
        assert read.base_name == fork.git("rev-parse", "upstream/main")
        assert read.paths == modified("a.py")


def test_what_a_fork_has_for_itself_is_no_change_either(fork: Repository) -> None:
    fork.commit(c="c = 1\n")
    fork.git("push", "-q", "origin", "main")
    fork.git("checkout", "-q", "-b", "topic")
    fork.commit(a="a = 2\n")
    with change(fork, None) as read:
        assert read.base_name == fork.git("rev-parse", "origin/main")
        assert read.paths == modified("a.py")


def test_a_fork_that_took_upstream_in_is_compared_with_both(fork: Repository) -> None:
    fork.git("checkout", "-q", "-b", "topic")
    fork.commit(a="a = 2\n")
    fork.git("merge", "-q", "--no-ff", "-m", "a merge", "upstream/main")
    with change(fork, None) as read:
        assert read.paths == modified("a.py")


def test_a_fork_that_was_brought_up_to_date_by_a_merge_has_no_change_of_its_own(fork: Repository) -> None:
    fork.git("merge", "-q", "--no-ff", "-m", "a merge", "upstream/main")
    with change(fork, None) as read:  # although origin/main is HEAD's first parent
        assert read.base_name == fork.git("rev-parse", "upstream/main")
        assert read.paths == ()


def test_a_default_branch_whose_remote_branch_is_gone_is_not_taken(repository: Repository, tmp_path: Path) -> None:
    clone = repository.clone(tmp_path / "clone")
    clone.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/gone")
    clone.commit(a="a = 2\n")
    with change(clone, None) as read:
        assert read.base_name == clone.git("rev-parse", "origin/main")


def test_without_any_default_branch_a_base_has_to_be_named(repository: Repository) -> None:
    repository.git("branch", "-m", "trunk")
    message = refused(repository, None)
    assert "found none" in message
    assert "--base REV" in message


def test_a_main_and_a_master_leave_the_choice_to_the_user(repository: Repository) -> None:
    repository.git("branch", "master")
    assert "found main and master; name it with --base REV" in refused(repository, None)


# Names that a user gives


@pytest.mark.parametrize(
    "name",
    [
        "größe",
        "caf\udce9",
        "a@b",
        "x{y}",
        "it's",
        "$(touch)",
        "`x`",
        "-dash",
        "--all",
        "deadbeef",
        "a/b/c",
        "HEAD.py",
    ],
)
def test_a_branch_may_have_any_name_that_git_allows(repository: Repository, name: str) -> None:
    repository.git("update-ref", os.fsencode(f"refs/heads/{name}"), "HEAD")
    repository.commit(a="a = 2\n")
    for base in (name, f"refs/heads/{name}"):
        with change(repository, base, "main") as read:
            assert read.paths == modified("a.py")


def test_tags_stand_for_their_commits(repository: Repository) -> None:
    repository.git("tag", "light")
    repository.git("tag", "-a", "-m", "first", "heavy")
    repository.git("tag", "-a", "-m", "of a tag", "heavier", "heavy")
    repository.git("branch", "both")
    repository.git("tag", "both")
    repository.commit(a="a = 2\n")
    repository.git("branch", "-f", "both")  # git takes the tag where a branch has the same name
    for name in ("light", "heavy", "heavier", "both", "main~1", "main^", "@~", "main@{1}", ":/a change"):
        with change(repository, name, "main") as read:
            assert read.paths == (() if name.startswith(":/") else modified("a.py"))


def test_a_name_of_something_else_is_told(repository: Repository) -> None:
    repository.git("tag", "-a", "-m", "a tree", "tree", "HEAD^{tree}")
    for name, kind in (("main:a.py", "blob"), ("HEAD^{tree}", "tree"), ("tree", "tag")):
        assert f"{name!r}, found a {kind} that leads to no commit" in refused(repository, name)


@pytest.mark.parametrize("name", ["main..topic", "main...topic", "..topic", "main.."])
def test_a_range_is_told_from_a_commit(repository: Repository, name: str) -> None:
    repository.git("branch", "topic")
    assert f"{name!r}, found none; that is a range: name one commit" in refused(repository, name)


def test_an_option_in_place_of_a_name_is_a_name(repository: Repository, tmp_path: Path) -> None:
    for name in (
        f"--upload-pack=touch {tmp_path}/x",
        f"--output={tmp_path}/x",
        "--help",
        "-c core.pager=false",
        "--stdin",
    ):
        assert f"called {name!r}, found none" in refused(repository, name)
        assert f"called {name!r}, found none" in refused(repository, "main", name)
    assert not (tmp_path / "x").exists()


def test_a_branch_that_only_the_remote_has_is_named_as_it_is_known_here(repository: Repository, tmp_path: Path) -> None:
    repository.git("branch", "release")
    clone = repository.clone(tmp_path / "clone")
    assert "there is origin/release, a branch of the remote: name that" in refused(clone, "release")
    clone.git("branch", "-rd", "origin/release")
    message = refused(clone, "origin/release")
    assert "`git fetch origin +refs/heads/release:refs/remotes/origin/release`" in message
    clone.git("fetch", "-q", "origin", "+refs/heads/release:refs/remotes/origin/release")
    with change(clone, "origin/release") as read:
        assert read.paths == ()


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
