"""What all formats have in common: a name, a file, a golden file, and a place on the command line."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from checks import answer_with, topic_repository
from payloads import report_of
from reports import NOTHING, REPORT

from consistency_bot.cli import main
from consistency_bot.model import Place
from consistency_bot.report import FORMATS, Links, View, is_address, render
from repositories import Repository

ROOT = Path(__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    for name in ("GITHUB_SERVER_URL", "GITHUB_REPOSITORY"):
        monkeypatch.delenv(name, raising=False)
    return topic_repository(tmp_path, monkeypatch)


def test_every_format_has_a_golden_file() -> None:
    named = {path.name.partition("-")[0].partition(".")[0].replace("report", "json") for path in GOLDEN.iterdir()}
    assert set(FORMATS) <= named


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_ends_with_one_line_end(name: str) -> None:
    for report in (REPORT, NOTHING):
        text = render(report, name, View())
        assert text.endswith("\n")
        assert not text.endswith("\n\n")


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_costs_a_check_no_other_formats_module(name: str, repository: Repository) -> None:
    program = (
        f"import sys; from consistency_bot.cli import main; main(['check', '--format', '{name}']); print(*sys.modules)"
    )
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    loaded = set(done.stdout.splitlines()[-1].split())
    own = {"json": "json_report", "github": "annotations"}.get(name, name)
    files = {path.stem for path in (ROOT / "consistency_bot" / "report").glob("*.py")}
    formats = files & {"text", "json_report", "sarif", "markdown", "annotations"}
    assert {each for each in formats if f"consistency_bot.report.{each}" in loaded} == {own}
    if name == "json":
        assert not {"consistency_bot.report.wording", "consistency_bot.report.excerpt", "html"} & loaded


@pytest.mark.parametrize("name", FORMATS)
def test_a_check_comes_out_in_every_format_and_means_the_same(
    name: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--format", name]) == 1
    assert "if limit > 1" in capsys.readouterr().out


@pytest.mark.parametrize("name", FORMATS)
def test_what_other_programs_read_is_utf_8_whatever_the_terminal_takes(
    name: str, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(monkeypatch, report_of("größe"))
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
    main(["check", "--format", name])
    assert ("größe".encode() in written.getvalue()) == (name != "text")


def links_in_a_check(capsys: pytest.CaptureFixture[str], *arguments: str) -> bool:
    main(["check", "--format", "markdown", *arguments])
    return "](https://forge.example/owner/name/blob/" in capsys.readouterr().out


def test_links_are_made_for_a_commit_with_the_address_that_is_given(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    address = ("--repository-url", "https://forge.example/owner/name/")
    assert links_in_a_check(capsys, "--head", "topic", *address)
    assert not links_in_a_check(capsys, *address)  # nobody else has this working tree
    assert not links_in_a_check(capsys, "--head", "topic")


def test_links_are_made_with_the_address_that_github_gives_its_jobs(
    repository: Repository, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_SERVER_URL", "https://forge.example")
    assert not links_in_a_check(capsys, "--head", "topic")
    monkeypatch.setenv("GITHUB_REPOSITORY", "owner/name")
    assert links_in_a_check(capsys, "--head", "topic")
    monkeypatch.setenv("GITHUB_REPOSITORY", "owner/name)[x](y")
    assert not links_in_a_check(capsys, "--head", "topic")


def test_an_address_that_is_none_ends_with_2(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--repository-url", "github.com/owner/name"]) == 2
    assert "--repository-url github.com/owner/name: expected an address such as https://" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("https://github.com/owner/name", True),
        ("http://127.0.0.1:8080/a-b/c_d.e", True),
        ("", False),
        ("https://", False),
        ("javascript://x", False),
        ("https://user:secret@host/x", False),
        ("https://host/a b", False),
        ("https://host/a)b", False),
        ("https://host/größe", False),
        ("https://host/a\n", False),
        ("https://host/?a=b#c", False),
    ],
)
def test_an_address_is_plain_and_holds_no_secret(text: str, is_one: bool) -> None:
    assert is_address(text) == is_one


def test_a_place_is_addressed_by_the_bytes_of_its_path() -> None:
    links = Links("https://host/o/r", "a" * 40)
    at = f"https://host/o/r/blob/{'a' * 40}"
    assert links.to(Place("v1", "a b/ä\udcff#?.py", 3, 7)) == f"{at}/a%20b/%C3%A4%FF%23%3F.py#L3-L7"
    assert links.to(Place("v1", "x.py", 3, 3)) == f"{at}/x.py#L3"
    assert links.to(Place("v1", "x.py", 0, -1)) == f"{at}/x.py#L1"


def test_the_sarif_of_a_check_is_json(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--format", "sarif"])
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"][0]["level"] == "error"


def test_colour_is_for_the_text_alone(
    repository: Repository, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_with(monkeypatch, REPORT)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    for name in FORMATS:
        main(["check", "--format", name])
        assert ("\x1b" in capsys.readouterr().out) == (name == "text")
