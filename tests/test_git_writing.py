"""Several files of the working tree replaced at once: all of them or none, whatever happens half way."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from consistency_bot.errors import UsageError
from consistency_bot.git.writing import Replacement, WorkingTree
from repositories import Repository

pytestmark = pytest.mark.usefixtures("isolated")

NAMES = ("a.py", "b c.py", "d/é\n.py")
FILES = {name: Replacement(b"old\n", b"new\n") for name in NAMES}


@pytest.fixture
def folder(repository: Repository) -> Path:
    for name in NAMES:
        repository.write(name, "old\n")
    return repository.folder


def _states(folder: Path) -> list[str]:
    return [(folder / name).read_text() for name in NAMES]


def _fail_at(number: int, error: BaseException) -> Callable[..., None]:
    """An `os.replace` of which one call, counted from 1, fails."""
    real, calls = os.replace, list[bytes]()

    def replace(source: bytes, target: bytes, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        calls.append(target)
        if len(calls) == number:
            raise error
        real(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)

    return replace


def test_all_are_written_and_nothing_else_is_left(folder: Path) -> None:
    WorkingTree(str(folder)).replace(FILES)
    assert _states(folder) == ["new\n"] * 3
    assert not list(folder.rglob("*.tmp"))


@pytest.mark.parametrize("number", [1, 2, 3])
def test_where_one_cannot_be_written_all_stay_as_they_were(
    number: int, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "replace", _fail_at(number, OSError(28, "No space left on device")))
    with pytest.raises(UsageError, match="No space left on device; nothing was written"):
        WorkingTree(str(folder)).replace(FILES)
    assert _states(folder) == ["old\n"] * 3
    assert not list(folder.rglob("*.tmp"))


def test_an_interrupt_half_way_takes_back_what_was_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "replace", _fail_at(2, KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        WorkingTree(str(folder)).replace(FILES)
    assert _states(folder) == ["old\n"] * 3
    assert not list(folder.rglob("*.tmp"))


def test_a_full_disk_leaves_nothing_beside_the_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fchmod(handle: int, mode: int) -> None:
        raise OSError(122, "Disk quota exceeded")

    monkeypatch.setattr(os, "fchmod", fchmod)
    with pytest.raises(UsageError, match="Disk quota exceeded"):
        WorkingTree(str(folder)).replace(FILES)
    assert _states(folder) == ["old\n"] * 3
    assert not list(folder.rglob("*.tmp"))


def test_what_somebody_writes_meanwhile_is_theirs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.replace

    def replace(source: bytes, target: bytes, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        real(source, target, src_dir_fd=src_dir_fd, dst_dir_fd=dst_dir_fd)
        (folder / NAMES[2]).write_text("theirs\n")

    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(UsageError, match="changed while it was judged"):
        WorkingTree(str(folder)).replace(FILES)
    assert _states(folder) == ["old\n", "old\n", "theirs\n"]
    assert not list(folder.rglob("*.tmp"))
