"""Binary files and submodules as sides: the same or not, moved or not."""

from pathlib import Path

import msgspec
import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.cli import main
from consistency_bot.model import Finding, Rules, RulesSource, Side, Twins
from repositories import Repository, isolate

ONE, TWO, THREE = b"\0one", b"\0two", b"\0three"
TEXT = b"first\nsecond\nthird\n"


def findings_of(base: dict[str, bytes], head: dict[str, bytes]) -> list[Finding]:
    paths = sorted({*base, *head})
    twins = Twins("pair", tuple(Side(path[0], (path,)) for path in paths))
    return list(check_change(Rules((twins,), RulesSource("rules.yaml", "file")), change_between(base, head)).findings)


@pytest.mark.parametrize(
    ("base", "head", "verdicts"),
    [
        ((ONE, ONE), (TWO, ONE), ["missed"]),
        ((ONE, ONE), (ONE, TWO), ["missed"]),
        ((ONE, ONE), (TWO, THREE), ["diverged"]),
        ((ONE, ONE), (TWO, TWO), []),
        ((ONE, TWO), (TWO, TWO), ["repaired"]),
        ((ONE, TWO), (THREE, TWO), ["undecided"]),
        ((ONE, TWO), (TWO, ONE), []),
        ((ONE, TEXT), (TWO, TEXT), ["undecided"]),
        ((ONE, TEXT), (ONE, TEXT + b"fourth\n"), ["undecided"]),
        ((ONE, TEXT), (TWO, TEXT + b"fourth\n"), []),
    ],
)
def test_binary_files_are_the_same_or_moved(
    base: tuple[bytes, bytes], head: tuple[bytes, bytes], verdicts: list[str]
) -> None:
    names = ("a.bin", "b.bin")
    found = findings_of(dict(zip(names, base, strict=True)), dict(zip(names, head, strict=True)))
    assert [each.verdict for each in found] == verdicts
    assert all(each.blocks == (each.verdict in ("missed", "diverged")) for each in found)


def test_what_is_said_of_binary_files() -> None:
    (finding,) = findings_of({"a.bin": ONE, "b.bin": ONE}, {"a.bin": TWO, "b.bin": ONE})
    assert finding.message == (
        "a changed a.bin, which is no text; b (b.bin) is as before, and both were the same until now."
    )
    (finding,) = findings_of({"a.bin": ONE, "b.bin": TWO}, {"a.bin": THREE, "b.bin": TWO})
    assert finding.message == (
        "a changed a.bin, which is no text; b (b.bin) did not change, and whether it has to cannot be read off it."
    )


def test_text_that_becomes_binary_is_unknown_and_blocks() -> None:
    (finding,) = findings_of({"a.txt": TEXT, "b.txt": TEXT}, {"a.txt": ONE, "b.txt": TEXT})
    assert (finding.verdict, finding.blocks) == ("unknown", True)


def test_a_file_that_can_be_read_again_is_told_and_does_not_block() -> None:
    (finding,) = findings_of({"a.py": b"x = '\xff'\n", "b.py": b"x = 1\n"}, {"a.py": b"x = 2\n", "b.py": b"x = 1\n"})
    assert (finding.verdict, finding.blocks) == ("undecided", False)
    assert finding.message.startswith("a could not be read at base (a.py: not text in utf-8")
    assert finding.message.endswith("; it is held against b (b.py) from the next change on.")


def test_a_binary_file_that_is_taken_away_ends_its_side() -> None:
    (finding,) = findings_of({"a.bin": ONE, "b.bin": ONE}, {"b.bin": ONE})
    assert finding.message.startswith("a ends here: this change takes a.bin away")


@pytest.fixture
def with_submodule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """A repository with a submodule at `lib` and a page about it, and a branch `topic`, checked out."""
    isolate(monkeypatch)
    library = Repository(tmp_path / "library")
    library.commit(x="X = 1\n")
    repository = Repository(tmp_path / "repository")
    repository.write("rules.yaml", "version: 1\ntwins:\n  - {id: pinned, sides: {code: lib, page: lib.md}}\n")
    repository.write("lib.md", "The library is at 1.\n")
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library), "lib")
    repository.commit()
    repository.git("checkout", "-q", "-b", "topic")
    monkeypatch.chdir(repository.folder)
    return repository


def move(repository: Repository) -> str:
    """Let the submodule have another commit checked out; its id."""
    inner = Repository(repository.folder / "lib")
    return inner.commit(x="X = 2\n")


def report(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, list[dict[str, object]]]:
    capsys.readouterr()
    status = main(["check", "--format", "json", *arguments])
    found = msgspec.json.decode(capsys.readouterr().out.encode())
    return status, found["findings"]


def test_a_submodule_that_moves_alone_is_told_with_both_commits(
    with_submodule: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    before = with_submodule.git("rev-parse", "HEAD:lib")
    after = move(with_submodule)
    with_submodule.commit()
    for arguments in (("--head", "topic"), ()):
        status, (finding,) = report(capsys, *arguments)
        assert (status, finding["verdict"], finding["concept"]) == (0, "undecided", "commit")
        assert finding["message"] == (
            f"code moved lib from {before[:12]} to {after[:12]}; page (lib.md) did not change, and whether it has to cannot"
            " be read off it."
        )
        assert finding["changed"] == {"side": "code", "path": "lib", "line": 1, "end_line": 1, "function": None}


def test_a_submodule_that_moves_uncommitted_is_told(
    with_submodule: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    move(with_submodule)
    status, (finding,) = report(capsys)
    assert (status, finding["verdict"]) == (0, "undecided")
    assert "code moved lib from " in str(finding["message"])


def test_a_submodule_that_moves_with_its_page_is_in_step(
    with_submodule: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    move(with_submodule)
    with_submodule.write("lib.md", "The library is at 2.\n")
    with_submodule.commit()
    assert report(capsys, "--head", "topic") == (0, [])


def test_a_page_that_changes_without_the_submodule_is_told(
    with_submodule: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    with_submodule.write("lib.md", "The library is at one.\n")
    with_submodule.commit()
    status, (finding,) = report(capsys, "--head", "topic")
    assert (status, finding["verdict"]) == (0, "undecided")
    assert finding["message"] == (
        "page changed lib.md; code (lib) is as before, and whether it has to change cannot be read off it."
    )


def test_a_submodule_that_is_removed_ends_its_side(
    with_submodule: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    with_submodule.git("rm", "-q", "lib")
    with_submodule.commit()
    status, (finding,) = report(capsys, "--head", "topic")
    assert (status, finding["verdict"]) == (0, "one_sided")
    assert str(finding["message"]).startswith("code ends here: this change takes lib away")


@pytest.mark.parametrize(("path", "said"), [("folder", "which is a folder (add `/*`"), ("link", "a symbolic link")])
def test_a_side_that_is_a_folder_or_a_link_is_told(
    path: str, said: str, with_submodule: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    with_submodule.write("folder/x.py", "X = 1\n")
    (with_submodule.folder / "link").symlink_to("/etc/hosts")
    with_submodule.write(
        "rules.yaml", f"version: 1\ntwins:\n  - {{id: pinned, sides: {{code: {path}, page: lib.md}}}}\n"
    )
    with_submodule.write("lib.md", "The library is at one.\n")
    status, (finding,) = report(capsys)
    assert (status, finding["verdict"]) == (0, "undecided")
    assert said in str(finding["message"])


@pytest.mark.parametrize(
    ("one", "other", "count"),
    [(ONE, ONE, 0), (ONE, TWO, 2), (ONE, TEXT, 1), (b"# coding: nonsense\n\xff", b"x = 1\n", 1)],
    ids=["the same", "two others", "a text", "an encoding that there is not"],
)
def test_with_all_what_cannot_be_looked_into_is_told_where_nothing_changed(
    one: bytes, other: bytes, count: int
) -> None:
    files = {"a.py": one, "b.py": other}
    rules = Rules((Twins("pair", (Side("a", ("a.py",)), Side("b", ("b.py",)))),), RulesSource("rules.yaml", "file"))
    change = change_between(files | {"c.py": b""}, files | {"c.py": b"\n"})
    found = check_change(rules, change, show_standing=True).findings
    assert [each.verdict for each in found] == ["standing"] * count
    assert all("cannot be told, as before" in each.message and not each.blocks for each in found)
    assert not check_change(rules, change).findings
