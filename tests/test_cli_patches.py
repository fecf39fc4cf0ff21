"""The command `patches`: the registry as text and as JSON, of the working tree and of a commit."""

import json
from pathlib import Path

import pytest

from consistency_bot.cli import main
from repositories import Repository, isolate

GOLDEN = Path(__file__).parent / "golden"
FOLDER = Path(__file__).parent / "facts" / "patches" / "lock-raised"
RULES = """\
version: 1
twins:
  - {id: workers, sides: {v1: lib/a.py, v2: lib/b.py}}
patches:
  alias:
    function: lib/patches.py::apply_alias_patch
    needed: "torch>=2.9,<2.10"
    upstream: https://example.org/pull/1
  gone: {function: "lib/patches.py::apply_old_patch", needed: "numpy<2", mode: "off", expires: 2027-01-31}
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """The folder's base as a commit on main, its head in the working tree."""
    isolate(monkeypatch)
    repository = Repository(tmp_path / "repository")
    for state in ("base", "head"):
        for each in (FOLDER / state).rglob("*"):
            if each.is_file():
                repository.write(each.relative_to(FOLDER / state).as_posix(), each.read_bytes())
        if state == "base":
            repository.write("rules.yaml", RULES)
            repository.commit()
    monkeypatch.chdir(repository.folder)
    return repository


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize(("name", "format_name"), [("patches.txt", "text"), ("patches.json", "json")])
def test_the_registry_comes_out_to_the_letter(name: str, format_name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["patches", "--format", format_name]) == 0
    assert capsys.readouterr().out == (GOLDEN / name).read_text("utf-8")


@pytest.mark.usefixtures("repository")
def test_a_commit_has_a_registry_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["patches", "--head", "HEAD"]) == 0
    out = capsys.readouterr().out
    assert "alias: still needed\n" in out
    assert "rules.yaml of the head commit: 2 patches" in out


def test_from_a_folder_below_and_from_a_bare_clone_the_whole_tree_is_searched(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["patches", "--repo", "lib", "--format", "json"]) == 0
    here = json.loads(capsys.readouterr().out)["patches"][0]
    assert [(each["side"], each["path"], each["function"]) for each in here["uses"]] == [
        ("v1", "lib/a.py", "Worker.setup"),
        ("v2", "lib/b.py", "WorkerV2.setup"),
    ]
    bare = repository.clone(tmp_path / "bare", "--bare")
    assert main(["patches", "--repo", str(bare), "--head", "HEAD", "--format", "json"]) == 0
    there = json.loads(capsys.readouterr().out)["patches"][0]
    assert there["uses"] == here["uses"]
    assert (there["state"], here["state"]) == ("needed", "not_needed")


def test_a_change_that_is_not_committed_is_searched_too(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("lib/new.py", "from lib.patches import apply_alias_patch\n\napply_alias_patch()\n")
    (repository.folder / "lib" / "b.py").unlink()
    assert main(["patches", "--format", "json"]) == 0
    uses = json.loads(capsys.readouterr().out)["patches"][0]["uses"]
    assert [(each["side"], each["path"]) for each in uses] == [("v1", "lib/a.py"), (None, "lib/new.py")]


@pytest.mark.parametrize(
    ("key", "value"),
    [("grep.patternType", "perl"), ("grep.lineNumber", "true"), ("color.ui", "always"), ("grep.column", "true"),
     ("core.quotePath", "true"), ("grep.fullName", "false"), ("core.attributesFile", "attributes")],
)  # fmt: skip
def test_what_a_user_configured_does_not_change_the_search(
    key: str, value: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("lib/café.py", "from lib.patches import apply_alias_patch\n\napply_alias_patch()\n")
    repository.write("attributes", "*.py binary\n")
    repository.commit()
    repository.git("config", key, value)
    assert main(["patches", "--head", "HEAD", "--format", "json"]) == 0
    uses = json.loads(capsys.readouterr().out)["patches"][0]["uses"]
    assert [each["path"] for each in uses] == ["lib/a.py", "lib/b.py", "lib/café.py"]


def test_a_file_without_patches_is_no_failure(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.write("rules.yaml", RULES.partition("patches:")[0])
    assert main(["patches"]) == 0
    assert "no patches" in capsys.readouterr().out


def test_a_list_goes_into_a_file(repository: Repository) -> None:
    assert main(["patches", "--output", "out.txt"]) == 0
    assert (repository.folder / "out.txt").read_text("utf-8") == (GOLDEN / "patches.txt").read_text("utf-8")


def test_mistakes_of_the_rules_and_of_the_command_line_are_as_in_a_check(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["patches", "--head", "nothing"]) == 3
    repository.write("rules.yaml", RULES.replace("<2.10", "<two"))
    assert main(["patches"]) == 2
    assert (
        "rules.yaml:5: patch alias: "
        not in capsys.readouterr().err.partition("`needed`")[0].partition("rules.yaml:7")[0]
    )


def test_a_search_without_git_data_is_told_and_no_traceback(
    repository: Repository, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.commit()
    tree = repository.git("rev-parse", "HEAD:lib/a.py")
    (repository.folder / ".git" / "objects" / tree[:2] / tree[2:]).unlink()
    assert main(["patches", "--head", "HEAD"]) == 3
    assert "git" in capsys.readouterr().err
