"""Little real git repositories for tests, out of reach of the configuration of whoever runs them."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from consistency_bot.errors import GitError
from consistency_bot.git import read_change
from consistency_bot.model import Change, ChangedPath


def isolate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave git only what a test gives it: no user's or machine's configuration, a fixed author and date."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name in ("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"):
        monkeypatch.setenv(name, os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "ada@example.com")
        monkeypatch.setenv(f"GIT_{role}_DATE", "2025-01-01T00:00:00Z")


class Repository:
    """A repository in a folder; made with the branch `main`, without commits, unless the folder already is one."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        if not folder.exists():
            folder.mkdir()
            self.git("init", "-q", "-b", "main", *options)

    def __str__(self) -> str:
        return str(self.folder)

    def git(self, *arguments: str | bytes, stdin: bytes = b"") -> str:
        """What a git command prints, without the last line break. Fails the test where git fails."""
        done = subprocess.run(
            ["git", "-C", str(self.folder), *arguments], input=stdin, capture_output=True, check=False
        )
        assert done.returncode == 0, (arguments, done.stderr.decode(errors="replace"))
        return done.stdout.decode("utf-8", "surrogateescape").rstrip("\n")

    def write(self, path: str, content: str | bytes) -> None:
        """Write a file in the working tree, and the folders that it lies in."""
        place = self.folder / os.fsdecode(path.encode("utf-8", "surrogateescape"))
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode())

    def commit(self, **files: str) -> str:
        """Commit the working tree as it is, after writing `<name>.py` for each of `files`; the new commit's id."""
        for name, content in files.items():
            self.write(f"{name}.py", content)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "a change")
        return self.git("rev-parse", "HEAD")

    def clone(self, folder: Path, *options: str) -> "Repository":
        """A clone of this repository in a folder."""
        self.git("clone", "-q", *options, f"file://{self.folder}", str(folder))
        return Repository(folder)


@contextmanager
def change(repository: Repository, base: str | None = "main", head: str | None = None) -> Iterator[Change]:
    """The change that is read from a repository."""
    with read_change(str(repository), base, head) as read:
        yield read


def refused(repo: Repository | Path, base: str | None = "main", head: str | None = None, staged: bool = False) -> str:
    """The message of the error that reading the change ends in."""
    with pytest.raises(GitError) as caught, read_change(str(repo), base, head, staged):
        pass
    return str(caught.value)


def modified(*paths: str) -> tuple[ChangedPath, ...]:
    """The paths of a change that neither adds, deletes nor renames."""
    return tuple(ChangedPath(path, path) for path in paths)
