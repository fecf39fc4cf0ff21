"""Programs that a repository or its configuration names: a check runs none of them.

Each test shows with plain git that the trap would have sprung.
"""

import os
import shlex
import subprocess
from pathlib import Path

import pytest

from consistency_bot.git import programs, read_change
from consistency_bot.git.command import Git, environment
from repositories import Repository, change, modified, refused

pytestmark = pytest.mark.usefixtures("isolated")

PLAIN_DIFF = "diff HEAD"


class Trap:
    """A program that leaves a mark when it is run."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.mark = folder / "mark"
        self.script = folder / "post-index-change"
        self.script.write_text(f"#!/bin/sh\necho run >> {shlex.quote(str(self.mark))}\ncat\n")
        self.script.chmod(0o755)

    def __str__(self) -> str:
        return str(self.script)

    def springs_at(self, repository: Repository, command: str) -> bool:
        """Whether plain git runs it."""
        subprocess.run(["git", "-C", str(repository), *command.split()], capture_output=True, check=False)
        return self.mark.exists()


@pytest.fixture
def trap(tmp_path: Path) -> Trap:
    return Trap(tmp_path / "trap")


def edit(repository: Repository, attribute: str = "") -> None:
    """An edit, a rename, an untracked file, one with other line ends and a touched one, none of them committed."""
    lines = "".join(f"line_{number} = {number}\n" for number in range(40))
    repository.write(".gitattributes", f"* {attribute}\n*.py text\n")
    repository.commit(edited="x = 1\n", moved=lines, touched="x = 1\n")
    repository.write("edited.py", "x = 2\r\n")
    (repository.folder / "moved.py").rename(repository.folder / "elsewhere.py")
    repository.write("untracked.py", "x = 1\r\n")
    os.utime(repository.folder / "touched.py", (1, 1))


def read_everything(repository: Repository) -> None:
    """Read every file of every kind of head."""
    for head, staged in ((None, False), (None, True), ("HEAD", False)):
        with read_change(str(repository), "HEAD~1", head, staged) as read:
            assert read.paths
            for path in read.head.find(["**"]):
                assert read.head.read(path) is not None
            if read.working_tree:
                assert read.working_tree.read("edited.py") == b"x = 2\n"


@pytest.mark.parametrize(
    ("settings", "attribute", "springs_at"),
    [
        (["filter.evil.clean"], "filter=evil", PLAIN_DIFF),
        (["filter.evil.clean", "filter.evil.smudge", "filter.evil.required=true"], "filter=evil", PLAIN_DIFF),
        (["filter.evil.process", "filter.evil.required=true"], "filter=evil", PLAIN_DIFF),
        (["diff.evil.command"], "diff=evil", PLAIN_DIFF),
        (["diff.evil.textconv", "diff.evil.cachetextconv=true"], "diff=evil", PLAIN_DIFF),
        (["diff.external"], "", PLAIN_DIFF),
        (["core.fsmonitor"], "", "status"),
        (["core.hooksPath"], "", "add -A"),
    ],
)
def test_a_program_of_the_configuration_is_not_run(
    repository: Repository, trap: Trap, settings: list[str], attribute: str, springs_at: str
) -> None:
    edit(repository, attribute)
    for setting in settings:
        key, _, value = setting.partition("=")
        repository.git("config", key, value or str(trap.script.parent if key == "core.hooksPath" else trap))
    read_everything(repository)
    assert not trap.mark.exists()
    assert trap.springs_at(repository, springs_at)


def test_a_hook_of_the_repository_is_not_run(repository: Repository, trap: Trap) -> None:
    edit(repository)
    trap.script.rename(repository.folder / ".git" / "hooks" / "post-index-change")
    read_everything(repository)
    assert not trap.mark.exists()
    assert trap.springs_at(repository, "add -A")


def test_a_filter_that_is_a_script_of_the_repository_is_not_run(repository: Repository, trap: Trap) -> None:
    repository.write("clean.sh", trap.script.read_bytes())
    (repository.folder / "clean.sh").chmod(0o755)
    edit(repository, "filter=own")
    repository.git("config", "filter.own.clean", "./clean.sh %f")
    read_everything(repository)
    assert not trap.mark.exists()
    assert trap.springs_at(repository, PLAIN_DIFF)


@pytest.mark.parametrize("place", ["included", "global", "variables", "parameters", "worktree"])
def test_a_filter_is_not_run_wherever_it_is_configured(
    repository: Repository, trap: Trap, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(repository, "filter=evil")
    other = tmp_path / "config"
    other.write_text(f'[filter "evil"]\n  clean = {trap}\n')
    if place == "included":
        repository.git("config", "include.path", str(other))
    elif place == "global":
        monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(other))
    elif place == "variables":  # as containers set `safe.directory`
        monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
        monkeypatch.setenv("GIT_CONFIG_KEY_0", "filter.evil.clean")
        monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(trap))
    elif place == "parameters":  # as in the hook of `git -c filter.evil.clean=… commit`
        monkeypatch.setenv("GIT_CONFIG_PARAMETERS", f"'filter.evil.clean={trap}'")
    else:
        repository.git("config", "extensions.worktreeConfig", "true")
        repository.git("config", "--worktree", "filter.evil.clean", str(trap))
    monkeypatch.setenv("GIT_CONFIG", os.devnull)  # would hide all of them from `git config`
    read_everything(repository)
    assert not trap.mark.exists()
    assert trap.springs_at(repository, PLAIN_DIFF)


def test_a_filter_that_cannot_be_switched_off_is_an_error_before_it_is_run(repository: Repository, trap: Trap) -> None:
    edit(repository, "filter=a=b")
    repository.git("config", "filter.a=b.clean", str(trap))
    message = refused(repository)
    assert "without `=`, found [filter.a=b] in git's configuration" in message
    assert "--head REV" in message
    assert not trap.mark.exists()
    assert trap.springs_at(repository, PLAIN_DIFF)
    with change(repository, "HEAD~1", "HEAD") as read:
        assert read.paths


def test_programs_of_a_submodule_are_not_run(repository: Repository, trap: Trap, tmp_path: Path) -> None:
    other = Repository(tmp_path / "other")
    other.write(".gitattributes", "* filter=evil\n")
    other.commit(inner="x = 1\n")
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(other), "sub")
    repository.commit()
    inner = Repository(repository.folder / "sub")
    for key in ("filter.evil.clean", "core.fsmonitor"):
        inner.git("config", key, str(trap))
    inner.write("inner.py", "x = 2\n")
    with change(repository) as read:
        assert read.paths == ()
    assert not trap.mark.exists()
    assert trap.springs_at(repository, "status")


def test_a_file_with_a_filter_is_read_as_it_lies_on_the_disk(repository: Repository) -> None:
    edit(repository, "filter=upper")
    repository.git("config", "filter.upper.clean", "tr a-z A-Z")
    repository.git("commit", "-q", "-a", "-m", "upper case in the repository, lower case on the disk")
    repository.write("touched.py", "x = 2\n")
    with change(repository, "HEAD") as read:
        assert "touched.py" in {path.new for path in read.paths}
        assert read.head.read("touched.py") == b"x = 2\n"


def test_a_program_of_the_environment_is_not_run(
    repository: Repository, trap: Trap, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(repository)
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", str(trap))
    read_everything(repository)
    assert not trap.mark.exists()
    assert trap.springs_at(repository, PLAIN_DIFF)


def test_hooks_that_newer_git_takes_from_its_configuration_are_switched_off(repository: Repository) -> None:
    git = Git(str(repository), environment())
    repository.git("config", "hook.a.b.command", "false")
    repository.git("config", "hook.a.b.event", "post-index-change")
    assert programs.without_programs(git).settings == ("-c", "hook.a.b.enabled=false")


def test_a_partial_clone_that_fetches_is_not_packed_anew(
    repository: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit(a="a = 2\n")
    repository.git("config", "uploadpack.allowFilter", "true")
    partial = repository.clone(tmp_path / "partial", "--filter=blob:none", "--no-checkout")
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    with change(partial, "HEAD~1", "HEAD") as read:
        assert read.paths == modified("a.py")
        assert read.head.read("a.py") == b"a = 2\n"
    trace = (tmp_path / "trace").read_text()
    assert "built-in: git fetch" in trace
    assert "maintenance" not in trace
