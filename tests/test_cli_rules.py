"""The commands `rules check`, `rules show` and `rules schema`."""

import json
from datetime import date
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from consistency_bot.cli import main
from consistency_bot.rules.conflicts import find_conflicts
from consistency_bot.rules.decode import decode
from consistency_bot.rules.json_schema import json_schema
from consistency_bot.rules.places import read_spots
from consistency_bot.rules.schema import RulesFile
from consistency_bot.rules.smoke_jobs import find_job_mistakes
from repositories import Repository, isolate

ROOT = Path(__file__).parent.parent
GOLDEN = Path(__file__).parent / "golden"
DESIGN = (Path(__file__).parent / "rules-version-1.yaml").read_bytes()
WORKER = "class Worker:\n    def setup(self):\n        apply_fix()\n\n    def run(self):\n        return 1\n"
RULES = """\
version: 1
twins:
  - id: workers
    why: Two of a kind.
    sides: {v1: lib/a.py, v2: [lib/b.py, lib/v2/*.py]}
    same: [[Worker, Wroker]]
  - id: clients
    sides: {sync: "http/{name}.py", async: "http/aio/{name}.py"}
    mode: warn
  - id: old
    sides: {v0: lib/zero.py, v1: "lib/a.py::Nothing"}
    status: {retired: v0}
rules:
  - {id: startup, twins: workers, check: patch_calls, names: apply_*}
  - {id: engine, twins: workers, check: patch_calls, names: mend_*, mode: warn}
patches:
  fix: {function: "lib/patches.py::apply_fix", needed: "torch<2.10", test: "tests/test_fix.py::test_fix"}
waivers:
  - {rule: startup, where: "lib/c.py", reason: It has none.}
"""


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    isolate(monkeypatch)
    repository = Repository(tmp_path / "repository")
    repository.write("lib/a.py", f"from lib.patches import apply_fix\n\n\n{WORKER}")
    repository.write("lib/b.py", f"from lib.patches import apply_fix\n\n\n{WORKER}")
    repository.write("http/client.py", "def get():\n    return 1\n")
    repository.write("http/aio/client.py", "async def get():\n    return 1\n")
    repository.write("rules.yaml", RULES)
    repository.commit()
    monkeypatch.chdir(repository.folder)
    return repository


@pytest.mark.usefixtures("repository")
@pytest.mark.parametrize("what", ["check", "show"])
def test_what_rules_see_comes_out_to_the_letter(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", what]) == 0
    assert capsys.readouterr().out == (GOLDEN / f"rules-{what}.txt").read_text("utf-8")


def test_a_rules_file_that_matches_everything_has_no_notice(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("rules.yaml", "version: 1\ntwins:\n  - {id: workers, sides: {v1: lib/a.py, v2: lib/b.py}}\n")
    assert main(["rules", "check"]) == 0
    assert capsys.readouterr().out == "rules.yaml as it is here: no mistakes; 1 twins\n"


def test_every_mistake_is_told_at_once(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.write("rules.yaml", RULES.replace("check: patch_calls", "chek: patch_calls").replace("why:", "wy:"))
    assert main(["rules", "check"]) == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if "rules.yaml:" in line]
    assert {line.partition("rules.yaml:")[2].partition(":")[0] for line in lines} == {"4", "14", "15"}


def test_another_file_and_another_commit_can_be_asked_for(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("other.yaml", "version: 1\ntwins:\n  - {id: workers, sides: {v1: lib/a.py, v2: lib/x.py}}\n")
    (repository.folder / "lib" / "a.py").unlink()
    assert main(["rules", "check", "--rules", "other.yaml"]) == 0
    assert capsys.readouterr().out.count("which matches no file here") == 2
    assert main(["rules", "check", "--rules", "other.yaml", "--head", "HEAD"]) == 0
    assert capsys.readouterr().out.count("which matches no file here") == 1


def _check_with(repository: Repository, path: str, *options: str) -> int:
    repository.write("rules.yaml", f"version: 1\ntwins:\n  - {{id: workers, sides: {{v1: lib/a.py, v2: '{path}'}}}}\n")
    repository.commit()
    repository.write("notes.txt", "nothing of any twins\n")
    return main(["check", *options])


def test_a_path_that_never_was_is_told_where_a_change_touches_no_twins(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _check_with(repository, "lib/bx.py") == 0
    out, err = capsys.readouterr()
    assert "in step: the change touches no twins" in out
    note = "twins workers: v2 names lib/bx.py, which is neither at base nor at head: nothing is held against it"
    assert f"consistency-bot: note: {note}\n" in err


@pytest.mark.parametrize("path", ["lib/b.py", "lib/v3/*.py"])
def test_no_path_is_told_that_is_there_or_may_match_later(
    path: str, repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _check_with(repository, path) == 0
    assert "neither at base" not in capsys.readouterr().err


def test_the_place_of_a_path_or_name_that_never_was_does_not_say_that_it_went(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _check_with(repository, "lib/bx.py", "--all") == 0
    assert "v2: lib/bx.py:1 (no such file here, nor at base)\n" in capsys.readouterr().out
    assert _check_with(repository, "lib/b.py::Nobody", "--all") == 0
    assert " (no such name here, nor at base)\n" in capsys.readouterr().out


def test_paths_of_any_kind_stay_on_their_line(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    repository.write("lib/v2/x\x1b[31m\n.py", "def f():\n    pass\n")
    assert main(["rules", "show"]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "lib/v2/x\\x1b[31m\\n.py" in out


# The schema


def test_the_schema_is_a_schema_and_comes_out_to_the_letter(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "schema"]) == 0
    out = capsys.readouterr().out
    jsonschema.Draft7Validator.check_schema(json.loads(out))
    assert out == (GOLDEN / "rules-schema.json").read_text("utf-8")


def values_of(text: bytes) -> object:
    """What an editor sees in a YAML file, for whom a day is a text."""
    return json.loads(json.dumps(yaml.safe_load(text), default=lambda day: day.isoformat()))


def is_valid(text: bytes) -> bool:
    return jsonschema.Draft7Validator(json_schema()).is_valid(values_of(text))


@pytest.mark.parametrize("path", [ROOT / "rules.yaml", Path(__file__).parent / "rules-version-1.yaml"])
def test_a_good_file_is_good_by_the_schema(path: Path) -> None:
    assert is_valid(path.read_bytes())
    assert is_valid(RULES.encode())


@pytest.mark.parametrize(
    "name",
    ["a-list", "missing-keys", "odd-values", "rules-of-every-kind", "too-few-sides", "unknown-keys",
     "version-as-text", "wrong-sections", "wrong-types"],
)  # fmt: skip
def test_a_wrong_file_is_wrong_by_the_schema(name: str) -> None:
    assert not is_valid((Path(__file__).parent / "rules" / f"{name}.yaml").read_bytes())


def _spots(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(spot for key, each in inner for spot in _spots(each, (*path, key)))]


SPOTS = _spots(values_of(DESIGN))[1:]


@settings(deadline=None, derandomize=True)
@given(st.sampled_from(SPOTS), st.sampled_from(["drop", "x", 1, True, [], {}, ["x"], {"x": "y"}, {"frozen": "async"}]))
def test_what_the_decoder_takes_is_good_by_the_schema(spot: tuple[str | int, ...], value: object) -> None:
    values = values_of(DESIGN)
    place = values
    for key in spot[:-1]:
        place = place[key]  # type: ignore[index]
    if value == "drop":
        del place[spot[-1]]  # type: ignore[attr-defined]
    else:
        place[spot[-1]] = value  # type: ignore[index]
    text = json.dumps(values).encode()
    top, _ = read_spots(text)
    assert top is not None
    decoded, mistakes = decode(top, RulesFile)
    if decoded is not None and not mistakes and not [*find_conflicts(top), *find_job_mistakes(top)]:
        assert is_valid(text)


def test_days_are_written_as_the_decoder_reads_them() -> None:
    assert values_of(b"day: 2026-12-31") == {"day": date(2026, 12, 31).isoformat()}
