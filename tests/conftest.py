"""Fixtures for tests on real repositories."""

import os
from collections.abc import Iterator
from pathlib import Path

import github_description
import pytest
from fake_github import FakeGitHub
from github_scene import Scene

from repositories import Repository, isolate

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
"""Some tests start the program: without bytecode each of them would compile half of the package once more."""


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


@pytest.fixture(scope="session")
def github_server() -> Iterator[FakeGitHub]:
    """One server for all tests: reading GitHub's description takes a second."""
    with FakeGitHub(github_description.found()) as server:
        yield server


@pytest.fixture
def hub(github_server: FakeGitHub) -> Iterator[FakeGitHub]:
    """A GitHub that has nothing in it yet. What goes over the wire must not break GitHub's own description."""
    github_server.reset()
    yield github_server
    assert not github_server.violations


@pytest.fixture
def scene(hub: FakeGitHub, tmp_path: Path, isolated: None) -> Scene:
    """A pull request that drifts."""
    return Scene(hub, tmp_path)
