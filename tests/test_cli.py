"""The command line: what is printed where, and every exit status."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from checks import CODE, MOVED, RULES, answer_with, topic_repository

from consistency_bot import __version__
from consistency_bot.cli import main
from consistency_bot.errors import BotError, GitError, RulesError, UsageError
from repositories import Repository

ROOT = Path(__file__).parent.parent


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    return topic_repository(tmp_path, monkeypatch)


def report_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    """Exit status and JSON report of a check."""
    status = main(["check", "--format", "json", *arguments])
    report = json.loads(capsys.readouterr().out)
    assert isinstance(report, dict)
    return status, report


def test_the_version_is_told_without_loading_anything() -> None:
    program = "import sys; from consistency_bot.cli import main; main(['--version']); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    version, modules = done.stdout.splitlines()
    assert version == f"consistency-bot {__version__}"
    assert not {"argparse", "msgspec", "yaml", "subprocess", "re", "tree_sitter"} & set(modules.split())


def test_a_check_loads_nothing_slow(repository: Repository) -> None:
    slow = {"dataclasses", "github", "importlib.resources", "pydantic", "requests", "rich", "shutil", "socket", "torch"}
    program = "import sys; from consistency_bot.cli import main; main(['check']); print(*sys.modules)"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment)
    assert not slow & set(done.stdout.splitlines()[-1].split())


def test_a_module_run_is_the_command() -> None:
    command = [sys.executable, "-m", "consistency_bot", "--version"]
    assert (
        subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()[1] == __version__
    )


@pytest.mark.parametrize("arguments", [["--help"], ["check", "--help"]])
def test_help_is_no_failure_and_tells_the_exit_statuses(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 0
    assert "70 a bug" in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "required: COMMAND"),
        (["chekc"], "invalid choice: 'chekc'"),
        (["check", "--staged", "--head", "main"], "--head: not allowed with argument --staged"),
        (["check", "--format", "xml"], "invalid choice: 'xml'"),
        (["check", "--fail-on", "always"], "invalid choice: 'always'"),
        (["check", "--rule", "r.yaml", "extra"], "unrecognized arguments"),
    ],
)
def test_a_wrong_command_line_ends_with_2_and_its_reason(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    streams = capsys.readouterr()
    assert said in streams.err
    assert not streams.out


def test_a_check_ends_with_1_where_something_blocks_and_prints_the_text(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check"]) == 1
    streams = capsys.readouterr()
    assert streams.out.count("missed: ") == 1
    assert "if limit > 1 and limit < 9" in streams.out
    assert "\x1b" not in streams.out
    assert not streams.err


def test_a_check_ends_with_0_where_nothing_blocks(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.commit(b=MOVED)
    status, report = report_of(capsys)
    assert status == 0
    assert report["conclusion"] == "in_step"


def test_without_a_base_and_a_head_the_working_tree_is_judged_against_the_default_branch(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("b.py", MOVED)
    status, report = report_of(capsys)
    assert (status, report["head"]) == (0, "WORKTREE")
    assert report["base"] == repository.git("rev-parse", "main")
    assert report["rules"] == {"path": "rules.yaml", "from": "worktree", "changed_by_head": False}


def test_staged_judges_the_index_and_not_the_working_tree(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("b.py", MOVED)
    assert report_of(capsys, "--staged")[0] == 1
    repository.git("add", "b.py")
    repository.write("b.py", CODE)
    status, report = report_of(capsys, "--staged")
    assert (status, report["head"]) == (0, "INDEX")


def test_a_head_is_judged_by_the_rules_of_its_base_and_a_softer_file_is_told(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("rules.yaml", RULES.replace("}}", "}, mode: off}"))
    head = repository.commit()
    assert main(["check", "--base", "main", "--head", "topic", "--format", "json"]) == 1
    streams = capsys.readouterr()
    report = json.loads(streams.out)
    assert report["head"] == head
    assert report["rules"] == {"path": "rules.yaml", "from": "base", "changed_by_head": True}
    assert "consistency-bot: used the base's rules.yaml; the head's changes twins clients" in streams.err


def test_a_bare_repository_is_checked_from_outside(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.clone(tmp_path / "bare", "--bare")
    monkeypatch.chdir("/")
    status, report = report_of(capsys, "--repo", str(tmp_path / "bare"), "--base", "main", "--head", "topic")
    assert (status, report["conclusion"]) == (1, "drift")


def test_rules_from_the_command_line_are_used_and_named(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = tmp_path / "other.yaml"
    rules.write_text(RULES.replace("clients", "others"))
    status, report = report_of(capsys, "--rules", str(rules))
    assert status == 1
    assert report["rules"] == {"path": str(rules), "from": "file", "changed_by_head": False}


def test_warnings_and_fail_on_never_end_with_0(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    status, report = report_of(capsys, "--fail-on", "never")
    assert (status, report["conclusion"]) == (0, "drift")
    repository.write("rules.yaml", RULES.replace("}}", "}, mode: warn}"))
    status, report = report_of(capsys)
    assert (status, report["conclusion"]) == (0, "in_step")


def test_every_mistake_of_a_rules_file_is_told_and_ends_with_2(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("rules.yaml", "version: 1\ntwin: 1\ntwins: 5\n")
    assert main(["check"]) == 2
    streams = capsys.readouterr()
    assert streams.err.startswith(
        "consistency-bot: rules.yaml:2: unknown key `twin` (did you mean `twins`?); it takes: "
    )
    assert "\nrules.yaml:3: `twins` is the number `5`; it takes: " in streams.err
    assert not streams.out


def test_a_rules_file_that_cannot_be_read_ends_with_2(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--rules", "no/such.yaml"]) == 2
    said = "--rules no/such.yaml: expected a file that can be read, found: No such file or directory"
    assert capsys.readouterr().err == f"consistency-bot: {said}\n"


def test_a_repository_without_rules_ends_with_2_and_an_example(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    (repository.folder / "rules.yaml").unlink()
    assert main(["check"]) == 2
    assert "\nversion: 1\ntwins:\n" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--base", "no-such-branch"], ["--repo", "/"], ["--head", "--help"]])
def test_what_git_cannot_answer_ends_with_3(
    repository: Repository, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    # `--head --help` is no revision but an option without its argument: a wrong command line.
    assert main(["check", *arguments]) == (2 if "--help" in arguments else 3)
    streams = capsys.readouterr()
    assert streams.err
    assert not streams.out


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RulesError(("a", "b")), 2),
        (UsageError("a\nb"), 2),
        (GitError("a\nb"), 3),
        (GitError("a\nb\x1b[31m\u202e\udcff"), 3),
        (BotError("a\nb"), 70),
    ],
)
def test_an_error_that_a_user_can_act_on_is_told_without_a_traceback(
    error: BotError,
    status: int,
    repository: Repository,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer_with(monkeypatch, error)
    assert main(["check"]) == status
    assert capsys.readouterr().err.replace("\\x1b[31m\\u202e\\udcff", "") == "consistency-bot: a\nb\n"


def test_a_bug_of_ours_ends_with_70_a_traceback_and_what_to_report(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer_with(monkeypatch, ZeroDivisionError("of ours"))
    assert main(["check", "--all"]) == 70
    streams = capsys.readouterr()
    assert "Traceback" in streams.err
    assert "ZeroDivisionError: of ours" in streams.err
    assert f"consistency-bot {__version__}, Python 3." in streams.err
    assert "arguments ['check', '--all']" in streams.err
    assert not streams.out


def test_an_interrupt_ends_with_130(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    answer_with(monkeypatch, KeyboardInterrupt())
    assert main(["check"]) == 130
    assert capsys.readouterr().err == "consistency-bot: interrupted\n"


@pytest.mark.parametrize(
    ("command", "statuses"),
    [
        ("", "0 1 2 3 4 5 70"),
        ("check", "0 1 2 3 70"),
        ("demo", "0 1 2 3 70"),
        ("explain", "0 2 70"),
        ("github", "0 1 2 3 4 70"),
        ("github report", "0 1 2 3 4 70"),
        ("patches", "0 2 3 70"),
        ("port", "0 1 2 3 70"),
        ("rules", "0 2 3 70"),
        ("rules check", "0 2 3 70"),
        ("rules show", "0 2 3 70"),
        ("rules schema", "0 2 70"),
        ("smoke", "0 1 2 3 5 70"),
        ("smoke plan", "0 2 3 70"),
        ("smoke run", "0 1 2 3 5 70"),
        ("smoke report", "0 1 2 5 70"),
    ],
)
def test_the_help_of_a_command_lists_the_statuses_that_it_can_end_with(
    command: str, statuses: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*command.split(), "--help"]) == 0
    told = capsys.readouterr().out.partition("exit status:")[2]
    assert [each.split()[0] for each in " ".join(told.split()).split(";")] == statuses.split()
