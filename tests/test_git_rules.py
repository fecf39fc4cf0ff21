"""Which rules file counts: the base commit's for a commit, the working tree's for what is not committed."""

import json
from pathlib import Path

import pytest
from checks import CODE, RULES, topic_repository

from consistency_bot.cli import main
from repositories import Repository

OFF = RULES.replace("}}", "}, mode: off}")


@pytest.fixture
def topic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    return topic_repository(tmp_path, monkeypatch)


def report_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    """Exit status of a check, and what its report says of the rules."""
    status = main(["check", "--format", "json", *arguments])
    rules = json.loads(capsys.readouterr().out)["rules"]
    assert isinstance(rules, dict)
    return status, rules


@pytest.mark.parametrize("arguments", [[], ["--staged"]])
def test_rules_edited_in_the_working_tree_count_before_they_are_staged(
    topic: Repository, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    assert report_of(capsys, *arguments) == (1, {"path": "rules.yaml", "from": "worktree", "changed_by_head": False})
    topic.write("rules.yaml", OFF)
    assert report_of(capsys, *arguments) == (0, {"path": "rules.yaml", "from": "worktree", "changed_by_head": True})


@pytest.mark.parametrize("arguments", [[], ["--staged"]])
def test_rules_that_are_staged_but_changed_since_do_not_count(
    topic: Repository, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    topic.write("rules.yaml", OFF)
    topic.git("add", "rules.yaml")
    topic.write("rules.yaml", RULES)
    assert report_of(capsys, *arguments) == (1, {"path": "rules.yaml", "from": "worktree", "changed_by_head": False})


@pytest.mark.parametrize("arguments", [[], ["--staged"]])
def test_rules_that_were_deleted_in_the_working_tree_are_gone(
    topic: Repository, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    (topic.folder / "rules.yaml").unlink()
    assert main(["check", *arguments]) == 2
    assert "neither .consistency-bot.yaml nor rules.yaml in the working tree" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [[], ["--staged"]])
def test_rules_of_one_person_that_git_ignores_count(
    topic: Repository, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    topic.git("rm", "-q", "rules.yaml")
    topic.commit()
    topic.write(".git/info/exclude", ".consistency-bot.yaml\n")
    topic.write(".consistency-bot.yaml", RULES)
    status, rules = report_of(capsys, *arguments)
    assert (status, rules["path"], rules["from"]) == (1, ".consistency-bot.yaml", "worktree")


@pytest.mark.parametrize("arguments", [[], ["--staged"]])
def test_rules_left_out_by_a_sparse_checkout_count(
    topic: Repository, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    topic.git("sparse-checkout", "set", "--no-cone", "/*.py")
    assert not (topic.folder / "rules.yaml").exists()
    assert report_of(capsys, *arguments) == (1, {"path": "rules.yaml", "from": "worktree", "changed_by_head": False})


@pytest.mark.parametrize("arguments", [[], ["--staged"]])
def test_rules_with_the_line_ends_of_a_checkout_are_unchanged(
    topic: Repository, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    topic.git("config", "core.autocrlf", "true")
    topic.write("rules.yaml", RULES.replace("\n", "\r\n"))
    assert report_of(capsys, *arguments) == (1, {"path": "rules.yaml", "from": "worktree", "changed_by_head": False})


@pytest.mark.parametrize("arguments", [[], ["--staged"]])
def test_rules_behind_a_link_are_none(
    topic: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    (topic.folder / "rules.yaml").rename(tmp_path / "elsewhere.yaml")
    (topic.folder / "rules.yaml").symlink_to(tmp_path / "elsewhere.yaml")
    assert main(["check", *arguments]) == 2
    assert "no rules file" in capsys.readouterr().err


def test_a_commit_is_judged_by_its_bases_rules_whatever_lies_in_the_working_tree(
    topic: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    topic.write("rules.yaml", OFF)
    status, rules = report_of(capsys, "--head", "topic")
    assert (status, rules) == (1, {"path": "rules.yaml", "from": "base", "changed_by_head": False})


def test_a_check_in_a_folder_of_the_repository_finds_the_rules_at_its_root(
    topic: Repository, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (topic.folder / "sub").mkdir()
    monkeypatch.chdir(topic.folder / "sub")
    for arguments in ([], ["--staged"], ["--head", "topic"]):
        status, rules = report_of(capsys, *arguments)
        assert (status, rules["path"]) == (1, "rules.yaml")


def test_a_head_that_base_already_has_is_said_to_leave_nothing_to_judge(
    topic: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", "--base", "topic", "--head", "main"]) == 0
    said = f"nothing to judge: base has head ({topic.git('rev-parse', 'main')[:12]}) already"
    assert said in capsys.readouterr().err
    topic.commit(a=CODE)
    assert main(["check", "--base", "main", "--head", "topic"]) == 0
    assert not capsys.readouterr().err
