"""`port [FINGERPRINT…]`: what it prints, what it writes, and what it refuses to overwrite."""

import os
import re
from pathlib import Path

import pytest
from checks import CODE, MOVED, topic_repository

from consistency_bot.cli import main
from repositories import Repository

PATCH = (
    "diff --git a/b.py b/b.py\n--- a/b.py\n+++ b/b.py\n@@ -1,4 +1,4 @@\n def send(limit):\n-    if limit > 1:\n"
    "+    if limit > 1 and limit < 9:\n         raise ValueError(limit)\n     return limit\n"
)
Captured = pytest.CaptureFixture[str]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    return topic_repository(tmp_path, monkeypatch)


def read(repository: Repository, path: str) -> str:
    return (repository.folder / path).read_bytes().decode()


def fingerprint(capsys: Captured) -> str:
    """The only finding's."""
    assert main(["port"]) == 0
    return capsys.readouterr().out.split()[0]


def test_without_a_finding_it_lists_what_can_be_ported(repository: Repository, capsys: Captured) -> None:
    assert main(["port"]) == 0
    first, why = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"[0-9a-f]{16}  needs review  guard in send -> b\.py", first)
    assert why.strip()
    assert read(repository, "b.py") == CODE


def test_what_it_prints_is_a_patch_that_git_takes_and_that_cures(repository: Repository, capsys: Captured) -> None:
    assert main(["port", fingerprint(capsys)]) == 0
    patch = capsys.readouterr().out
    assert patch == PATCH
    repository.git("apply", stdin=patch.encode())
    assert read(repository, "b.py") == MOVED
    assert main(["check"]) == 0
    assert main(["port", "--all"]) == 0
    assert not capsys.readouterr().out.startswith("diff")


def test_the_first_eight_digits_are_enough(repository: Repository, capsys: Captured) -> None:
    assert main(["port", fingerprint(capsys)[:8].upper()]) == 0
    assert capsys.readouterr().out == PATCH


@pytest.mark.parametrize("given", ["0123456", "00000000", "not hex at all"])
def test_an_unknown_finding_is_an_error_that_tells_which_there_are(
    given: str, repository: Repository, capsys: Captured
) -> None:
    there = fingerprint(capsys)
    assert main(["port", given]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert f"{given}: " in err
    assert f"there are: {there}" in err


def test_what_a_commit_looks_like_can_be_ported_without_a_working_tree(
    repository: Repository, capsys: Captured
) -> None:
    assert main(["port", "--all", "--base", "main", "--head", "topic"]) == 0
    assert capsys.readouterr().out == PATCH


def test_a_patch_goes_into_a_file(repository: Repository, capsys: Captured) -> None:
    assert main(["port", "--all", "--patch", "out.patch"]) == 0
    assert read(repository, "out.patch") == PATCH
    assert not capsys.readouterr().out


def test_it_is_made_in_the_working_tree_and_nothing_else_is_touched(repository: Repository) -> None:
    os.chmod(repository.folder / "b.py", 0o755)
    repository.commit()
    assert main(["port", "--all", "--apply"]) == 0
    assert read(repository, "b.py") == MOVED
    assert repository.git("status", "--porcelain") == "M b.py" or repository.git("status", "--porcelain") == " M b.py"
    assert (repository.folder / "b.py").stat().st_mode & 0o777 == 0o755
    assert main(["check"]) == 0


def test_what_is_not_committed_is_overwritten_by_nobody_who_was_not_told(
    repository: Repository, capsys: Captured
) -> None:
    mine = CODE + "\n\ndef mine():\n    return 1\n"
    repository.write("b.py", mine)
    assert main(["port", "--all", "--apply"]) == 2
    assert read(repository, "b.py") == mine
    error = capsys.readouterr().err
    assert "b.py: expected no changes that are not committed" in error
    assert "--allow-dirty" in error
    assert main(["port", "--all", "--apply", "--allow-dirty"]) == 0
    assert read(repository, "b.py") == mine.replace("limit > 1", "limit > 1 and limit < 9")


def test_a_side_with_other_line_ends_keeps_them(repository: Repository) -> None:
    repository.git("checkout", "-q", "main")
    repository.write("b.py", CODE.replace("\n", "\r\n"))
    repository.commit()
    repository.git("checkout", "-q", "topic")
    repository.git("rebase", "-q", "main")
    assert main(["port", "--all", "--apply"]) == 0
    assert read(repository, "b.py") == MOVED.replace("\n", "\r\n")


def test_line_ends_that_the_checkout_put_in_stay_too(repository: Repository) -> None:
    repository.git("config", "core.autocrlf", "true")
    (repository.folder / "b.py").unlink()
    repository.git("checkout", "b.py")
    assert read(repository, "b.py") == CODE.replace("\n", "\r\n")
    assert main(["port", "--all", "--apply"]) == 0
    assert read(repository, "b.py") == MOVED.replace("\n", "\r\n")


def test_safe_takes_only_what_is_sure(repository: Repository, capsys: Captured) -> None:
    assert main(["port", "--all", "--safe"]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert "not ported: it needs review: " in err


def test_explain_tells_what_was_decided_for_each_part(repository: Repository, capsys: Captured) -> None:
    main(["port", "--all", "--explain"])
    assert "a.py:2: counterpart found" in capsys.readouterr().err


def test_a_list_that_is_explained_tells_each_finding_once(repository: Repository, capsys: Captured) -> None:
    main(["port"])
    listed = capsys.readouterr().out.splitlines()
    assert main(["port", "--explain"]) == 0
    out, err = capsys.readouterr()
    assert [line for line in out.splitlines() if line in listed] == listed
    assert "a.py:2: counterpart found" in out
    assert not err


def test_what_has_no_counterpart_is_declined_with_the_reason(repository: Repository, capsys: Captured) -> None:
    repository.git("checkout", "-q", "main")
    repository.write("rules.yaml", read(repository, "rules.yaml").replace("b.py", "b.yaml").replace("a.py", "a.yaml"))
    repository.write("a.yaml", "a: 1\nb: 2\n")
    repository.write("b.yaml", "a: 1\nb: 2\n")
    repository.commit()
    repository.git("checkout", "-q", "-b", "values")
    repository.write("a.yaml", "a: 1\nb: 3\n")
    repository.commit()
    assert main(["port", "--all"]) == 1
    out, err = capsys.readouterr()
    assert not out
    assert "not ported: only Python is ported" in err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--apply"], "--apply: which findings?"),
        (["--safe"], "--safe: which findings?"),
        (["--all", "--apply", "--head", "topic"], "--apply changes the working tree"),
        (["--all", "--apply", "--patch", "x"], "use one"),
        (["--all", "00000000"], "leave out the fingerprints, or --all"),
        (["--all", "--allow-dirty"], "--allow-dirty is for --apply"),
        (["--all", "--from", "a.py", "b.py"], "is about files"),
        (["--onto", "a.py"], "go together"),
    ],
)
def test_options_that_do_not_go_together_are_an_error(
    options: list[str], said: str, repository: Repository, capsys: Captured
) -> None:
    assert main(["port", *options]) == 2
    assert said in capsys.readouterr().err


def test_a_link_is_never_written_through(repository: Repository, tmp_path: Path) -> None:
    outside = tmp_path / "outside.py"
    outside.write_text(CODE)
    (repository.folder / "b.py").unlink()
    (repository.folder / "b.py").symlink_to(outside)
    assert main(["port", "--all", "--apply", "--allow-dirty"]) in (0, 1)
    assert outside.read_text() == CODE
