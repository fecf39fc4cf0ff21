"""Twins in a repository, and checks that come to a given end, for the tests of the command line."""

from datetime import date
from pathlib import Path

import pytest

from consistency_bot.cli import check as check_command
from consistency_bot.model import Change, Report, Rules
from repositories import Repository, isolate

RULES = "version: 1\ntwins:\n  - {id: clients, sides: {a: a.py, b: b.py}}\n"
CODE = "def send(limit):\n    if limit > 1:\n        raise ValueError(limit)\n    return limit\n"
MOVED = CODE.replace("limit > 1", "limit > 1 and limit < 9")


def topic_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with agreeing twins on `main` and a branch `topic`, checked out, on which one side has moved."""
    isolate(monkeypatch)
    repository = Repository(tmp_path / "repository")
    repository.write("rules.yaml", RULES)
    repository.commit(a=CODE, b=CODE)
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit(a=MOVED)
    monkeypatch.chdir(repository.folder)
    return repository


def answer_with(monkeypatch: pytest.MonkeyPatch, answer: Report | BaseException) -> None:
    """Let every check come to this report, or to this error."""

    def check_change(rules: Rules, change: Change, show_standing: bool, today: date) -> Report:
        if isinstance(answer, BaseException):
            raise answer
        return answer

    monkeypatch.setattr(check_command, "check_change", check_change)
