"""Where a report goes: the terminal, a pipe, a file, and what happens when that fails."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from checks import answer_with, topic_repository
from reports import NOTHING, REPORT

from consistency_bot.cli import main
from consistency_bot.cli.streams import print_report, say
from repositories import Repository

ROOT = Path(__file__).parent.parent


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    return topic_repository(tmp_path, monkeypatch)


def test_an_output_file_gets_the_report_and_nothing_is_printed(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer_with(monkeypatch, REPORT)
    report = repository.folder / "report.json"
    report.write_text("what was there before")
    assert main(["check", "--format", "json", "--output", "report.json"]) == 1
    assert json.loads(report.read_bytes())["conclusion"] == "drift"
    assert [path.name for path in repository.folder.glob("report.*")] == ["report.json"]
    assert not capsys.readouterr().out


@pytest.mark.parametrize(
    ("output", "reason"), [("no/such/folder/r.json", "No such file or directory"), (".", "Is a directory")]
)
def test_an_output_file_that_cannot_be_written_ends_with_2(
    output: str,
    reason: str,
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer_with(monkeypatch, NOTHING)
    assert main(["check", "--output", output]) == 2
    expected = f"consistency-bot: --output {output}: expected a file that can be written, found: {reason}\n"
    assert capsys.readouterr().err == expected


def test_an_output_that_is_a_device_is_written_to_and_not_replaced(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(monkeypatch, NOTHING)
    assert main(["check", "--output", os.devnull]) == 0
    assert not Path(os.devnull).is_file()


def test_colour_is_for_terminals_that_want_it(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer_with(monkeypatch, NOTHING)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    main(["check"])
    assert "\x1b[1;32min step" in capsys.readouterr().out
    for name, value in (("NO_COLOR", "1"), ("TERM", "dumb")):
        with monkeypatch.context() as patch:
            patch.setenv(name, value)
            main(["check"])
        assert "\x1b" not in capsys.readouterr().out


def test_a_terminal_that_lacks_a_character_gets_an_escape(monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    print_report("größe …\n", "ascii")
    assert written.getvalue() == b"gr\\xf6\\xdfe \\u2026\n"


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    ("arguments", "status"),
    [("check", 1), ("explain missed", 0), ("rules schema", 0), ("demo", 0), ("check --help", 0), ("--version", 0)],
)
def test_a_reader_that_has_enough_is_no_failure(arguments: str, status: int, unbuffered: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "consistency_bot", *arguments.split()]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": unbuffered}
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, env=environment, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (status, b"")


def test_a_full_disk_is_told_and_not_taken_for_a_bug(repository: Repository) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full on this system")
    command = [sys.executable, "-m", "consistency_bot", "check"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, env=environment, check=False)
    assert done.returncode == 2
    assert done.stderr == b"consistency-bot: standard output could not be written: No space left on device\n"


@pytest.mark.parametrize(
    ("arguments", "closed", "status"),
    [
        ("check", ">&-", 2),
        ("check --format json", ">&-", 2),
        ("check --help", ">&-", 0),
        ("check --output report.txt", ">&-", 1),
        ("check", "2>&-", 1),
        ("check --base nowhere", "2>&-", 3),
        ("check --base nowhere", "2>/dev/full", 3),
        ("check --base HEAD --head HEAD", "2>/dev/full", 0),
    ],
)
def test_what_nobody_can_be_told_changes_no_status(
    arguments: str, closed: str, status: int, repository: Repository
) -> None:
    if "/dev/full" in closed and not os.path.exists("/dev/full"):
        pytest.skip("no /dev/full on this system")
    command = f"{sys.executable} -m consistency_bot {arguments} {closed}"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, shell=True, capture_output=True, env=environment, check=False)
    assert done.returncode == status
    assert (b"standard output could not be written: it is closed" in done.stderr) == (status == 2)
    assert b"Traceback" not in done.stderr


def test_no_message_is_a_command_to_a_runner_whatever_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    say("no job z\n::error::forged\n  ::add-mask::x\n\x1b[31m")
    lines = capsys.readouterr().err.splitlines()
    assert lines == ["consistency-bot: no job z", "| ::error::forged", "|   ::add-mask::x", "\\x1b[31m"]
