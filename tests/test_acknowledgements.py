"""Acknowledgements on somebody's own machine: by file, and by the commits' own words."""

import json
from pathlib import Path
from typing import Any

import pytest
from checks import topic_repository

from consistency_bot.cli import acknowledged, main
from consistency_bot.git import Trailer
from repositories import Repository


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    return topic_repository(tmp_path, monkeypatch)


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any], str]:
    """Exit status, the one finding, and what was said beside the report."""
    status = main(["check", "--format", "json", *arguments])
    told = capsys.readouterr()
    (finding,) = json.loads(told.out)["findings"]
    return status, finding, told.err


def test_a_file_acknowledges(repository: Repository, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    status, finding, _ = check(capsys)
    assert status == 1
    file = tmp_path / "acks"
    file.write_text(f"# on purpose\n\n{finding['fingerprint']} a has a limit\n")
    status, finding, _ = check(capsys, "--acks", str(file))
    assert status == 0
    expected = {"source": "comment", "reason": "a has a limit", "path": str(file), "line": 3, "would_block": True}
    assert expected.items() <= finding["waived"].items()


@pytest.mark.parametrize("head", [(), ("--head", "topic")])
def test_a_trailer_in_the_range_acknowledges(
    repository: Repository, capsys: pytest.CaptureFixture[str], head: tuple[str, ...]
) -> None:
    name = check(capsys)[1]["fingerprint"]
    repository.git(
        "commit", "-q", "--allow-empty", "-m", f"x\n\nConsistency-Ack: {name} a has\n a limit\nSigned-off-by: A"
    )
    status, finding, _ = check(capsys, *head)
    assert status == 0
    assert (finding["waived"]["by"], finding["waived"]["reason"]) == ("Ada", "a has a limit")
    assert finding["waived"]["source"] == "trailer"


@pytest.mark.parametrize("word", ["Consistency-Ack", "consistency-ack", "CONSISTENCY-ACK"])
def test_a_trailer_of_the_one_commit_acknowledges_in_any_case(
    repository: Repository, capsys: pytest.CaptureFixture[str], word: str
) -> None:
    name = check(capsys, "--head", "topic")[1]["fingerprint"]
    repository.git("commit", "-q", "--amend", "-m", f"x\n\n{word}: {name} a has a limit")
    assert check(capsys, "--head", "topic")[1]["waived"]["reason"] == "a has a limit"


def test_git_is_asked_for_trailers_only_where_there_may_be_one(
    repository: Repository, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def read_trailers(repo: str, base: str, head: str, name: str) -> list[Trailer]:
        asked.append(base)
        return []

    monkeypatch.setattr(acknowledged, "read_trailers", read_trailers)
    check(capsys, "--head", "topic")
    assert not asked
    check(capsys)  # the working tree: what was committed on the way to it is not known yet
    assert len(asked) == 1
    repository.git("commit", "-q", "--allow-empty", "-m", "a second one")
    check(capsys, "--head", "topic")
    assert len(asked) == 2


def test_what_matches_nothing_is_told(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.git("commit", "-q", "--allow-empty", "-m", "x\n\nConsistency-Ack: deadbeef gone\nConsistency-Ack: what")
    status, finding, told = check(capsys)
    assert status == 1
    assert finding["waived"] is None
    assert "the acknowledgement of deadbeef is not taken: no finding has that fingerprint now" in told
    assert main(["check", "--format", "json"]) == 1
    (untaken,) = json.loads(capsys.readouterr().out)["acknowledgements_not_taken"]
    assert (untaken["finding"], untaken["source"], untaken["reason"]) == ("deadbeef", "trailer", "gone")
    assert untaken["why"] == "no finding has that fingerprint now"
    assert "is not taken: expected `FINGERPRINT reason`, found what" in told


def test_the_mistakes_of_a_file_are_told_together(
    repository: Repository, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "acks"
    file.write_text("1234567 too short\n12345678 fine\n12345678\n")
    assert main(["check", "--acks", str(file)]) == 2
    told = capsys.readouterr().err
    assert f"{file}:1: " in told
    assert f"{file}:3: " in told
    assert f"{file}:2: " not in told
    assert main(["check", "--acks", str(tmp_path / "none")]) == 2
