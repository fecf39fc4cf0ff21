"""Texts of anybody in the comment, the outputs, the summary and the log; limits of GitHub; an Enterprise server."""

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import github_description
import pytest
from checks import CODE, MOVED, RULES
from fake_github import LONGEST_COMMENT, FakeGitHub
from github_scene import BOT, Scene
from payloads import PAYLOADS, report_of
from test_report_markdown_inert import TAGS, Page, by_cmark

from consistency_bot.acknowledgements import Acknowledgement, not_taken, refused
from consistency_bot.cli import main
from consistency_bot.github.body import Around, comment_text
from consistency_bot.github.owners import owners_of
from consistency_bot.github.verdict import failed, status_of
from consistency_bot.report import View

COMMENT_TAGS = TAGS | {"blockquote", "ul", "li"}
HOSTILE = "a`b`\n<!-- consistency-bot:v1 -->@org/team $(touch owned) | [x](https://evil.example) ## PASSED"


def acts(markdown: str) -> list[str]:
    """What of a comment does more than show: foreign tags, hidden comments, foreign links, mentions, references."""
    page = Page(by_cmark(markdown))
    found = [tag for tag in page.tags if tag.lstrip("/") not in COMMENT_TAGS] + page.comments
    found += [address for address in page.addresses if not address.startswith("https://github.com/o/r/")]
    return found + re.findall(r"@\w|#\d|://|\bwww\.", page.words)


@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS)
def test_no_text_acts_in_the_comment(text: str) -> None:
    given = Acknowledgement(text, text, "comment", text)
    report = report_of(text)
    around = Around(
        seen=(("abc1234", "drift"), ("abc1235", "drift")),
        proposed=(refused(report.findings[2], "of that"), not_taken(given, "of that")),
        untaken=(not_taken(given, "it was edited"),) * 30,
        edited=text,
        owners=f"* {text}\n",
    )
    said = comment_text(report, View(), around)
    assert acts(said) == []
    assert len(said) <= 60_000


@pytest.mark.parametrize("text", PAYLOADS.values(), ids=PAYLOADS)
def test_a_status_is_one_short_line(text: str) -> None:
    for status in (failed(text * 3), status_of([report_of(text)])):
        assert len(status.description) <= 140
        assert len(status.description.splitlines()) == 1


def test_a_comment_that_would_be_too_long_leaves_out_whole_findings(scene: Scene) -> None:
    functions = "".join(
        f"def f{n}(a):\n    if a > {n}:\n        raise ValueError('{'x' * 300}')\n\n\n" for n in range(400)
    )
    scene.repository.git("checkout", "-q", "main")
    scene.pull.base = scene.repository.commit(a=functions, b=functions)
    scene.repository.git("checkout", "-q", "-B", "topic", "main")
    scene.push(a=functions.replace("a > ", "a >= "))
    scene.report()
    (body,) = scene.hub.bodies()
    assert len(body) <= 61_000 < LONGEST_COMMENT
    assert "did not fit here" in body
    assert body.count("#### missed") * 2 <= body.count("```")
    assert "/consistency ack " in body


def test_three_and_a_half_thousand_files_are_all_looked_at(scene: Scene) -> None:
    """GitHub's own list of files ends at 3,000 without a word."""
    for number in range(3500):
        scene.repository.write(f"aaa/{number}.txt", "x")
    scene.push()
    assert scene.report().blocks
    assert not any("/files" in path for _, path in scene.hub.log)


@pytest.mark.parametrize("branch", ["$(touch owned)", "`x`", "-x", "b" * 200, "a;b", "größe"])
def test_a_hostile_branch_is_only_a_name(scene: Scene, branch: str) -> None:
    scene.pull.branch = branch
    scene.report(scene.run_event(), name="workflow_run")
    assert scene.state == "failure"
    assert branch not in scene.hub.bodies()[0]


def test_a_hostile_reason_stays_text(scene: Scene) -> None:
    scene.comment("alice", f"/consistency ack {scene.fingerprint()} {HOSTILE}")
    assert scene.state == "success"
    (body,) = scene.hub.bodies()
    assert acts(body.split("\n", 1)[1]) == []


@pytest.fixture
def job(scene: Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Path]:
    """The environment of a job about the pull request; the files that GitHub reads after it."""
    files = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
    event = tmp_path / "event.json"
    event.write_text(json.dumps(scene.pull_event()))
    environment = {
        **{name: str(path) for name, path in files.items()},
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": "pull_request",
        "GITHUB_EVENT_PATH": str(event),
        "GITHUB_REPOSITORY": "o/r",
        "GITHUB_RUN_ID": "1",
        "GITHUB_API_URL": scene.hub.address,
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    monkeypatch.chdir(scene.repository.folder)
    return files


def outputs(text: str) -> dict[str, str]:
    """What a runner reads from a step's outputs."""
    found, lines = {}, text.splitlines()
    while lines:
        name, end = lines.pop(0).split("<<")
        value = []
        while (line := lines.pop(0)) != end:
            value.append(line)
        found[name] = "\n".join(value)
    return found


def test_a_job_without_a_token_computes_and_writes_nothing(
    scene: Scene, job: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = tmp_path / "report.json"
    assert main(["github", "report", "--output", str(report)]) == 1
    assert scene.hub.log == []
    told = capsys.readouterr()
    assert "::error file=a.py,line=2" in told.out
    assert "::notice file=b.py,line=2" in told.out
    assert "not written: there is no token" in told.err
    assert job["GITHUB_STEP_SUMMARY"].read_text().startswith("### Drift: 1 finding blocks")
    expected = {"conclusion": "drift", "findings": "1", "report": str(report), "smoke-matrix": '{"include":[]}'}
    expected |= {"base": scene.base, "head": scene.pull.head}
    assert outputs(job["GITHUB_OUTPUT"].read_text()) == expected
    assert json.loads(report.read_text())["conclusion"] == "drift"
    assert main(["github", "report", "--fail-on", "never"]) == 0


def test_a_forks_token_changes_neither_the_exit_status_nor_the_summary(
    scene: Scene, job: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["github", "report"]) == 1
    summary = job["GITHUB_STEP_SUMMARY"].read_text()
    monkeypatch.setenv("GITHUB_TOKEN", "reader")
    assert main(["github", "report"]) == 1
    assert job["GITHUB_STEP_SUMMARY"].read_text() == summary * 2
    assert "this token may not" in capsys.readouterr().err


def test_a_dry_run_prints_what_would_be_written_and_writes_nothing(
    scene: Scene, job: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "bot")
    assert main(["github", "report", "--dry-run", "--label", "x" * 36]) == 1
    told = capsys.readouterr().out
    assert "would create a comment on #7:\n<!-- consistency-bot:v1 head=" in told
    assert f"would put the label '{'x' * 36}: drift' on #7" in told
    assert f"would set the status consistency-bot of {scene.pull.head}: failure" in told
    assert scene.hub.writes() == []


def test_a_prefix_of_labels_that_github_would_not_take_is_told_before_anything_is_done(
    scene: Scene, job: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["github", "report", "--label", "x" * 37]) == 2
    assert "expected at most 36 characters" in capsys.readouterr().err
    assert scene.hub.log == []


def test_github_out_of_reach_is_exit_status_4(
    scene: Scene, job: dict[str, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("consistency_bot.github.client.sleep", lambda _: None)
    monkeypatch.setenv("GITHUB_TOKEN", "bot")
    monkeypatch.setenv("GITHUB_API_URL", "http://127.0.0.1:9")
    assert main(["github", "report"]) == 4
    assert "could not be reached" in capsys.readouterr().err


def test_no_environment_and_no_event_are_told(
    scene: Scene, job: dict[str, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["github", "report", "--event", "none.json"]) == 2
    monkeypatch.delenv("GITHUB_REPOSITORY")
    assert main(["github", "report"]) == 2
    assert "expected GITHUB_REPOSITORY in the environment" in capsys.readouterr().err


def test_hostile_paths_and_code_leave_no_command_in_log_and_outputs(
    scene: Scene, job: dict[str, Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = "a\n::error::owned`<!--@org.py"
    scene.repository.git("checkout", "-q", "main")
    scene.repository.write("rules.yaml", RULES.replace("a.py", "'a*.py'"))
    scene.repository.write(path, CODE.replace("send", "other"))
    scene.repository.write("b.py", CODE + "\n\n" + CODE.replace("send", "other"))
    scene.pull.base = scene.repository.commit()
    scene.repository.git("checkout", "-q", "-B", "topic", "main")
    scene.repository.write(path, MOVED.replace("send", "other"))
    scene.push()
    (tmp_path / "event.json").write_text(json.dumps(scene.pull_event()))
    assert main(["github", "report"]) == 1
    told = capsys.readouterr()
    assert not any(line.startswith("::error::") for line in (told.out + told.err).splitlines())
    assert outputs(job["GITHUB_OUTPUT"].read_text())["conclusion"] == "drift"
    assert acts(job["GITHUB_STEP_SUMMARY"].read_text()) == []


def test_the_check_path_never_loads_pygithub(scene: Scene) -> None:
    import subprocess

    program = "import sys; from consistency_bot.cli import main; main(['check', '--base', 'main']); print(*sys.modules)"
    environment = os.environ | {"PYTHONPATH": str(github_description.ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=scene.repository.folder,
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert not {"github", "requests", "consistency_bot.github"} & set(done.stdout.split())


@pytest.fixture
def enterprise() -> Iterator[FakeGitHub]:
    with FakeGitHub(github_description.found("openapi-ghes-3.17.json"), "/api/v3") as server:
        yield server
        assert not server.violations


def test_an_enterprise_server_gets_the_same(enterprise: FakeGitHub, tmp_path: Path, isolated: None) -> None:
    scene = Scene(enterprise, tmp_path)
    name = scene.fingerprint()
    scene.report(label="drift")
    scene.comment("alice", f"/consistency ack {name} on purpose")
    scene.report(scene.run_event(), name="workflow_run", label="drift")
    assert scene.state == "success"
    assert len(enterprise.bodies(BOT)) == 1


@pytest.mark.parametrize("name", ["pull_request", "workflow_run", "issue_comment", "merge_group", "check_run"])
def test_githubs_own_examples_of_events_are_read(name: str) -> None:
    file = github_description.found("webhook-examples.json")
    if file is None:
        pytest.skip("GitHub's examples are not at hand")
    from consistency_bot.github.event import read_event

    examples: list[Any] = json.loads(file.read_bytes())[name]
    for example in examples:
        read_event(json.dumps(example).encode(), name)


@pytest.mark.parametrize(
    ("pattern", "path", "is_owned"),
    [
        ("*", "a/b.py", True),
        ("*.py", "a/b.py", True),
        ("/a/", "a/b/c.py", True),
        ("/a/", "x/a/c.py", False),
        ("a/", "x/a/c.py", True),
        ("docs/*", "docs/a.md", True),
        ("docs/*", "docs/b/a.md", False),
        ("/docs/**/a.md", "docs/b/c/a.md", True),
        ("b.py", "a/b.py", True),
        ("a/b.py", "x/a/b.py", False),
        ("a?.py", "ab.py", True),
        ("# *", "a.py", False),
    ],
)
def test_owners_are_found_as_github_finds_them(pattern: str, path: str, is_owned: bool) -> None:
    assert bool(owners_of(path, f"{pattern} @o/team # why\n")) is is_owned
