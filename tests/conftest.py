"""Fixtures for tests on real repositories."""

from pathlib import Path

import pytest

from repositories import Repository, isolate


@pytest.fixture
def isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave git only what the test gives it."""
    isolate(monkeypatch)


@pytest.fixture
def repository(tmp_path: Path, isolated: None) -> Repository:
    """One commit with two files."""
    repository = Repository(tmp_path / "repository")
    repository.commit(a="a = 1\n", b="b = 1\n")
    return repository
