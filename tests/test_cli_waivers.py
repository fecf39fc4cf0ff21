"""Waivers through git and the command line: whose count, what is printed, and how the check ends."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from checks import CODE, MOVED, RULES, topic_repository

from consistency_bot.cli import main
from repositories import Repository

IN_CODE = "    # consistency: differs(guard) The other has no upper limit."


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    return topic_repository(tmp_path, monkeypatch)


def check(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object], str]:
    """Exit status, the JSON report's only finding, and what went to standard error."""
    status = main(["check", "--format", "json", *arguments])
    streams = capsys.readouterr()
    (finding,) = json.loads(streams.out)["findings"]
    assert isinstance(finding, dict)
    return status, finding, streams.err


def rules_with(waiver: str) -> str:
    return f"{RULES}waivers:\n  - {waiver}\n"


def test_a_fingerprint_from_the_text_report_waives_the_finding(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check"]) == 1
    name = capsys.readouterr().out.partition("  fingerprint: ")[2].split()[0]
    repository.write("rules.yaml", rules_with(f'{{finding: "{name[:8]}", by: ada, reason: Why not.}}'))
    assert main(["check"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "waived: missed guard in send (clients) at a.py:2, by ada in rules.yaml:5: Why not." in lines
    assert lines[-1] == "in step: 1 finding, 1 waived; checked clients (a changed)"


def test_a_waiver_in_the_code_counts_in_the_working_tree_the_index_and_a_commit(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("a.py", MOVED.replace("    if", f"{IN_CODE}\n    if"))
    status, finding, _ = check(capsys)
    assert status == 0
    assert finding["blocks"] is False
    assert finding["waived"] == {
        "source": "code",
        "by": "",
        "reason": "The other has no upper limit.",
        "path": "a.py",
        "line": 2,
        "added_by_head": True,
        "would_block": True,
    }
    assert check(capsys, "--staged")[0] == 1
    repository.git("add", "a.py")
    assert check(capsys, "--staged")[0] == 0
    assert check(capsys, "--head", "topic")[0] == 1
    repository.commit()
    assert check(capsys, "--head", "topic")[0] == 0


def test_a_waiver_that_the_base_has_in_the_other_sides_code_is_not_new(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.git("checkout", "-q", "main")
    repository.commit(b=CODE.replace("    if", f"{IN_CODE}\n    if"))
    repository.git("checkout", "-q", "topic")
    repository.git("rebase", "-q", "main")
    status, finding, _ = check(capsys, "--head", "topic")
    assert status == 0
    assert isinstance(finding["waived"], dict)
    assert finding["waived"]["added_by_head"] is False


def test_a_waiver_that_a_commit_brings_in_its_rules_file_does_not_count_for_it(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("rules.yaml", rules_with("{rule: guard, where: a.py, reason: Why not.}"))
    repository.commit()
    status, finding, said = check(capsys, "--head", "topic")
    assert (status, finding["waived"]) == (1, None)
    assert "adds 1 waiver, which counts once it is merged" in said
    assert check(capsys)[0] == 0  # of its own working tree everybody is the master


def test_a_waiver_expires_at_the_end_of_a_day_by_the_clock(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    today = datetime.now(UTC).date()
    for day, status in ((today + timedelta(1), 0), (today - timedelta(1), 1)):
        waiver = f"{{rule: guard, where: a.py, reason: Why not., expires: {day}}}"
        repository.write("rules.yaml", rules_with(waiver))
        assert main(["check"]) == status
        out = capsys.readouterr().out
        assert ("broken: waiver (rule waivers), blocks" in out) == bool(status)
        assert (f"expired after {day} and waives nothing any more." in out) == bool(status)


def test_a_mistake_in_a_waiver_of_the_rules_file_ends_with_2_and_one_in_the_code_does_not(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("a.py", MOVED.replace("    if", "    # consistency: differs(gaurd) Why.\n    if"))
    assert main(["check"]) == 1
    said = " is not taken: there is no rule, twins or concept `gaurd` (did you mean `guard`?); it takes: "
    assert said in capsys.readouterr().out
    repository.write("rules.yaml", rules_with("{rule: gaurd, where: a.py, reason: Why not.}"))
    assert main(["check"]) == 2
    said = (
        "rules.yaml:5: waiver entry 1: there is no rule, twins or concept `gaurd` (did you mean `guard`?); it takes: "
    )
    assert said in capsys.readouterr().err


def test_all_lists_a_waiver_that_matches_nothing(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.write("a.py", CODE + "\n# consistency: differs(function) Why.\n")
    repository.write("rules.yaml", rules_with("{rule: call, where: b.py, reason: Why not.}"))
    assert main(["check"]) == 0
    assert "waiver" not in capsys.readouterr().out
    assert main(["check", "--all"]) == 0
    out = capsys.readouterr().out
    assert "The waiver of `call` in b.py matches nothing" in out
    assert "The waiver `# consistency: differs(function) Why.` matches nothing" in out


def test_where_nothing_is_found_no_comment_is_looked_for(
    repository: Repository, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from consistency_bot.judge import waivers

    def refuse(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(waivers, "waive", refuse)
    repository.write("b.py", MOVED)
    assert main(["check"]) == 0
    assert "no findings" in capsys.readouterr().out
