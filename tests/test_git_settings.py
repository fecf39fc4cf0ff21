"""Configuration and environment: whatever a user or a hook has set, the answer is the same."""

import os
import shutil
from pathlib import Path

import pytest

from consistency_bot.git import read_change
from consistency_bot.model import ChangedPath
from repositories import Repository, change, modified, refused

pytestmark = pytest.mark.usefixtures("isolated")


@pytest.mark.parametrize(
    "setting",
    [
        "diff.noprefix=true",
        "diff.external=false",
        "diff.renames=false",
        "diff.renameLimit=1",
        "diff.relative=true",
        "diff.ignoreSubmodules=all",
        "color.ui=always",
        "core.quotePath=true",
        "core.abbrev=4",
        "core.fsmonitor=/nonexistent",
        "core.splitIndex=true",
        "core.untrackedCache=true",
        "log.showSignature=true",
        "diff.python.textconv=false",
        "diff.autoRefreshIndex=false",
        "diff.algorithm=histogram",
        "diff.mnemonicPrefix=true",
        "diff.submodule=log",
        "diff.wordRegex=.",
        "diff.interHunkContext=9",
        "core.attributesFile=.gitattributes",
        "core.hooksPath=/nonexistent",
        "core.preloadIndex=false",
        "core.whitespace=cr-at-eol",
        "core.commitGraph=false",
        "status.showUntrackedFiles=no",
        "submodule.recurse=true",
        "index.version=4",
        "feature.manyFiles=true",
    ],
)
def test_a_users_configuration_changes_nothing(repository: Repository, setting: str) -> None:
    repository.write(".gitattributes", "*.py diff=python\n")
    repository.write("in/größe.py", "".join(f"line_{number} = {number}\n" for number in range(40)))
    repository.commit(touched="x = 1\n")
    repository.git("config", *setting.split("="))
    (repository.folder / "in" / "größe.py").rename(repository.folder / "maß.py")
    repository.write("in/b.py", "b = 1\n")
    os.utime(repository.folder / "touched.py", (1, 1))
    for staged in (False, True):
        with read_change(str(repository.folder / "in"), "HEAD", None, staged) as read:
            assert set(read.paths) == {ChangedPath("in/größe.py", "maß.py"), ChangedPath(None, "in/b.py")}
        repository.git("add", "-A")
    base, head = repository.git("rev-parse", "HEAD"), repository.commit()
    with change(repository, base, head) as read:
        assert set(read.paths) == {ChangedPath("in/größe.py", "maß.py"), ChangedPath(None, "in/b.py")}


def test_an_order_of_files_that_cannot_be_read_changes_nothing(repository: Repository) -> None:
    base = repository.git("rev-parse", "HEAD")
    head = repository.commit(a="a = 2\n")
    repository.git("config", "diff.orderFile", "/nonexistent")  # `git diff` itself gives up
    for end, staged in ((head, False), (None, True), (None, False)):
        with read_change(str(repository), base, end, staged) as read:
            assert read.paths == modified("a.py")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_TRACE", "1"),
        ("GIT_TRACE2", "1"),
        ("GIT_DIFF_OPTS", "-u0"),
        ("GIT_EXTERNAL_DIFF", "false"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_ICASE_PATHSPECS", "1"),
        ("GIT_NAMESPACE", "other"),
        ("GIT_PREFIX", "in/"),
        ("GIT_WORK_TREE", "/"),
        ("GIT_CONFIG", "/nonexistent"),
        ("GIT_GRAFT_FILE", "/nonexistent"),
        ("GIT_SHALLOW_FILE", "/nonexistent"),
        ("GIT_OPTIONAL_LOCKS", "1"),
        ("GIT_DEFAULT_HASH", "sha256"),
        ("GIT_CONFIG_PARAMETERS", "'diff.renames'='false'"),
        ("GIT_PAGER", "false"),
        ("PAGER", "false"),
    ],
)
def test_a_users_environment_changes_nothing(
    repository: Repository, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write("in/c.py", "".join(f"line_{number} = {number}\n" for number in range(40)))
    base = repository.commit()
    (repository.folder / "in" / "c.py").rename(repository.folder / "moved.py")
    expected = {ChangedPath("in/c.py", "moved.py")}
    with monkeypatch.context() as patch:
        patch.setenv(name, value)
        with change(repository) as read:
            assert set(read.paths) == expected
    head = repository.commit()
    monkeypatch.setenv(name, value)
    with change(repository, base, head) as read:
        assert set(read.paths) == expected


# Languages


def speak(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a `git` of our own in front of the real one, which the script calls `$git`."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "git").write_text(f"#!/bin/sh\ngit={shutil.which('git')}\n{script}\n")
    (folder / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")


@pytest.mark.parametrize("variable", ["LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE"])
def test_git_is_asked_to_speak_english(
    repository: Repository, tmp_path: Path, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "de_DE.UTF-8")
    speak(tmp_path, monkeypatch, 'test "$LC_ALL$LANGUAGE" = C || exit 99\nexec "$git" "$@"')
    repository.write("untracked.py", "x = 1\n")
    with change(repository) as read:
        assert read.paths == (ChangedPath(None, "untracked.py"),)
    message = refused(repository.folder.parent)
    assert "not a git repository" in message
    assert "--repo" in message


def test_an_error_is_told_from_another_whatever_language_git_speaks(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = repository.git("rev-parse", "HEAD^{tree}")
    for message in ("192", "472"):
        repository.git("branch", f"b{message}", repository.git("commit-tree", tree, "-m", message))
    repository.commit(a="a = 2\n")
    shallow = repository.clone(tmp_path / "shallow", "--depth=1", "--no-single-branch")
    expected: list[tuple[Repository | Path, str, str]] = [
        (repository, "no-such", "expected a commit called 'no-such', found none"),
        (repository, "7f66", "found several"),
        (repository, "b192", "their histories are unrelated"),
        (shallow, "origin/b192", "this clone is shallow"),
        (repository.folder.parent, "main", "Schwerwiegend: es ging nicht"),
    ]
    speak(
        tmp_path, monkeypatch, '"$git" "$@" 2> /dev/null || { s=$?; echo "Schwerwiegend: es ging nicht" >&2; exit $s; }'
    )
    for repo, base, said in expected:
        assert said in refused(repo, base)


# How many processes


def started(trace: Path) -> list[str]:
    """The git commands that a trace tells of, which is deleted."""
    lines = [line.partition("trace: built-in: git ")[2] for line in trace.read_text().splitlines()]
    trace.unlink()
    return sorted(line.split(" ")[0] for line in lines if line)


def test_a_check_starts_few_processes(repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    base = repository.git("rev-parse", "HEAD")
    parent = repository.commit(a="a = 2\n")
    head = repository.commit(a="a = 3\n")
    repository.write("b.py", "b = 2\n")
    trace = tmp_path / "trace"
    expected = [
        (parent, head, False, ["cat-file", "diff-tree"]),
        (base, head, False, ["cat-file", "diff-tree", "merge-base"]),
        (head, None, True, ["cat-file", "diff-index", "rev-parse"]),
        (head, None, False, ["cat-file", "config", "diff", "ls-files", "rev-parse"]),
        (parent, None, False, ["cat-file", "config", "diff", "ls-files", "rev-parse"]),
    ]
    for start, end, staged, commands in expected:
        with monkeypatch.context() as patch:
            patch.setenv("GIT_TRACE", str(trace))
            with read_change(str(repository), start, end, staged) as read:
                read.head.find(["*.py"])
                read.head.read("a.py")
                (read.working_tree or read.head).read("rules.yaml")
        assert started(trace) == commands
    repository.write("untracked.py", "x = 1\n")
    monkeypatch.setenv("GIT_TRACE", str(trace))
    with change(repository, "HEAD") as read:
        assert len(read.paths) == 2
    assert started(trace) == ["cat-file", "config", "diff", "ls-files", "rev-parse", "update-index"]
