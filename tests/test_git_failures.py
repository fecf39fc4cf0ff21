"""What git cannot answer, at the command line: the exit status, what was expected, what was found, and the cure."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from checks import topic_repository

from consistency_bot.cli import main
from repositories import Repository

Situation = Callable[[Repository, Path, pytest.MonkeyPatch], list[str]]
"""Brings a repository into a situation; what comes back are the arguments of the check."""


def no_repository(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return ["--repo", str(folder)]


def no_folder(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return ["--repo", str(folder / "none")]


def deleted_folder(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(folder)
    folder.rmdir()
    return []


def unknown_base(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return ["--base", "no\x1b[31m-such"]


def option_for_base(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return ["--base=--upload-pack=x"]


def range_for_base(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return ["--base", "main..topic", "--head", "topic"]


def no_default_branch(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    topic.git("branch", "-m", "main", "trunk")
    return []


def no_commit(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return ["--repo", str(Repository(folder / "empty")), "--staged"]


def orphan(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    topic.git("checkout", "-q", "--orphan", "new")
    return ["--base", "main"]


def unrelated(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    orphan(topic, folder, monkeypatch)
    topic.commit()
    return ["--base", "main"]


def shallow(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    topic.git("checkout", "-q", "main")
    topic.commit(c="c = 1\n")
    clone = topic.clone(folder / "clone", "--depth=1", "--no-single-branch")
    return ["--repo", str(clone), "--base", "origin/main", "--head", "origin/topic"]


def bare(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return ["--repo", str(topic.clone(folder / "bare", "--bare")), "--base", "main"]


def bare_kept_out(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    for name, value in (("COUNT", "1"), ("KEY_0", "safe.bareRepository"), ("VALUE_0", "explicit")):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    return bare(topic, folder, monkeypatch)


def git_folder(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return ["--repo", str(topic.folder / ".git")]


def another_owner(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    return []


def unreachable_remote(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    topic.git("config", "uploadpack.allowFilter", "true")
    partial = topic.clone(folder / "partial", "--filter=blob:none", "--no-checkout")
    topic.folder.rename(folder / "elsewhere")
    return ["--repo", str(partial), "--base", "origin/main", "--head", "origin/topic"]


def conflict(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    topic.git("checkout", "-q", "main")
    topic.commit(a="a = 1\n")
    with pytest.raises(AssertionError):
        topic.git("merge", "-q", "topic")
    return ["--staged"]


def damaged_index(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    (topic.folder / ".git" / "index").write_bytes(b"DIRC no index at all, and longer than a header")
    return []


def damaged_object(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    blob = topic.git("rev-parse", "topic:a.py")
    place = topic.folder / ".git" / "objects" / blob[:2] / blob[2:]
    place.chmod(0o644)
    place.write_bytes(b"no object")
    return ["--head", "topic"]


def lost_object(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    tree = topic.git("rev-parse", "main^{tree}")
    (topic.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    return ["--head", "topic"]


def lost_head(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    commit = topic.git("rev-parse", "HEAD")
    (topic.folder / ".git" / "objects" / commit[:2] / commit[2:]).unlink()
    return []


def filter_with_equals_sign(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    topic.git("config", "filter.a=b.clean", "cat")
    return []


def no_git(topic: Repository, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setenv("PATH", str(folder))
    return []


@pytest.mark.parametrize(
    ("situation", "expected", "cure"),
    [
        (no_repository, "not a git repository", "pass the folder of a clone, a worktree or a bare repository with"),
        (no_folder, "cannot change to", "with --repo"),
        (deleted_folder, "--repo .: expected a folder that exists", "go to another"),
        (unknown_base, r"expected a commit called 'no\x1b[31m-such', found none", "`git fetch --all --tags`"),
        (option_for_base, "expected a commit called '--upload-pack=x', found none", "`git log --all` shows"),
        (range_for_base, "expected a commit called 'main..topic', found none", "that is a range: name one commit"),
        (no_default_branch, "expected a default branch to compare with", "name it with --base REV"),
        (no_commit, "expected a commit at HEAD, found a branch without any", "`git commit --no-verify`"),
        (orphan, "expected a commit at HEAD, found a branch without any", "name the commit to check with --head"),
        (unrelated, "expected a common ancestor of", "name another --base, one that head grew from"),
        (shallow, "expected a common ancestor of", "`git fetch --deepen=100`"),
        (bare, "must be run in a work tree", "name the commit to check with --head REV"),
        (bare_kept_out, "cannot use bare repository", "`git config --global safe.bareRepository all`"),
        (git_folder, "must be run in a work tree", "name the commit to check with --head REV"),
        (another_owner, "detected dubious ownership", "git config --global --add safe.directory"),
        (unreachable_remote, "from promisor remote", "check that the remote can be reached"),
        (conflict, "found unresolved conflicts in a.py", "resolve them and `git add` the files"),
        (damaged_index, "index file", "deleting that file and `git reset` rebuild it"),
        (damaged_object, "git could not answer", "`git fsck` names it"),
        (lost_object, "git could not answer", "`git fsck` names it"),
        (lost_head, "git could not answer for HEAD (object ", "`git fsck` names it"),
        (filter_with_equals_sign, "without `=`, found [filter.a=b]", "rename it, or check a commit with --head REV"),
        (no_git, "expected a `git` command on PATH", "install git"),
    ],
)
def test_what_git_cannot_answer_ends_with_3_and_its_cure(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    situation: Situation,
    expected: str,
    cure: str,
) -> None:
    topic = topic_repository(tmp_path, monkeypatch)
    folder = tmp_path / "folder"
    folder.mkdir()
    arguments = situation(topic, folder, monkeypatch)
    assert main(["check", *arguments]) == 3
    streams = capsys.readouterr()
    assert str(tmp_path) in streams.err or situation in (no_git, deleted_folder)
    assert expected in streams.err
    assert cure in streams.err
    assert streams.err.startswith("consistency-bot: ")
    assert "Traceback" not in streams.err
    assert not streams.out


def test_a_repository_that_belongs_to_somebody_else_is_read_once_it_is_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    topic = topic_repository(tmp_path, monkeypatch)
    if os.geteuid() == 0:
        shutil.chown(topic.folder, 12345)
    else:
        monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    assert main(["check"]) == 3
    assert "safe.directory" in capsys.readouterr().err
    for name, value in (("COUNT", "1"), ("KEY_0", "safe.directory"), ("VALUE_0", str(topic))):
        monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    assert main(["check"]) == 1
