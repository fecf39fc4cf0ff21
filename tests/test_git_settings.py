"""Configuration and environment: whatever a user or a hook has set, the answer is the same."""

from pathlib import Path

import pytest

from consistency_bot.git import read_change
from consistency_bot.model import ChangedPath
from repositories import Repository, change, refused

pytestmark = pytest.mark.usefixtures("isolated")


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
