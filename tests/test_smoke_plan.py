"""Which smoke jobs a change asks for, and why."""

import json
from pathlib import Path

import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.cli import main
from consistency_bot.rules import RulesText, load_rules
from repositories import Repository, isolate

RULES = b"""\
version: 1
twins:
  - {id: worker, sides: {v1: a.py, v2: b.py}}
  - {id: clients, sides: {on: "on/{name}.py", off: "off/{name}.py"}}
rules:
  - {id: startup, twins: worker, check: patch_calls, names: apply_patch, smoke: [tp2-sp, unit]}
  - {id: quiet, twins: worker, check: guards, mode: off, smoke: [nightly]}
  - {id: pool, twins: clients, check: guards, smoke: [unit]}
patches:
  alias: {function: "patches.py::apply_patch", needed: "torch<2.10", smoke: [tp2-sp]}
smoke:
  tp2-sp: {probe: {name: tp-sp}, gpus: 2}
  unit: {command: pytest}
  judged: {probe: {name: patch}}
  nightly: {command: make, when: {paths: "src/**", label: gpu}}
"""
ALWAYS = RULES.replace(b"label: gpu", b"always: true")
CODE = b"def f(x):\n    return x\n"
MOVED = b"def f(x):\n    return x + 1\n"
FILES = {
    "rules.yaml": RULES,
    "a.py": CODE,
    "b.py": CODE,
    "on/pool.py": CODE,
    "off/pool.py": CODE,
    "patches.py": b"def apply_patch():\n    return True\n",
    "requirements.txt": b"torch==2.9.1\nnumpy==2.0\n",
    "src/x/y.py": CODE,
}


def asked(head: dict[str, bytes], labels: tuple[str, ...] = ()) -> dict[str, str]:
    change = change_between(FILES, {**FILES, **head})
    report = check_change(load_rules(change, None), change, labels=labels)
    return {each.job: each.reason for each in report.smoke}


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ({"README.md": b"x"}, {}),
        (
            {"a.py": MOVED},
            {"tp2-sp": "startup: twins worker changed", "unit": "startup: twins worker changed"},
        ),
        ({"on/pool.py": MOVED}, {"unit": "pool: twins clients changed"}),
        (
            {"patches.py": b"def apply_patch():\n    return False\n"},
            {"tp2-sp": "patch alias: patches.py changed", "judged": "patch alias: patches.py changed"},
        ),
        ({"requirements.txt": b"torch==2.9.1\nnumpy==2.1\n"}, {}),
        (
            {"requirements.txt": b"torch==2.10.0\nnumpy==2.0\n"},
            dict.fromkeys(("tp2-sp", "unit", "judged", "nightly"), "torch 2.9.1 became 2.10.0 (requirements.txt)"),
        ),
        ({"src/x/y.py": MOVED}, {"nightly": "when: src/x/y.py changed"}),
        (
            {"rules.yaml": RULES.replace(b"names: apply_patch", b"names: [apply_patch, other]")},
            {"tp2-sp": "startup: the rule changed", "unit": "startup: the rule changed"},
        ),
        (
            {"rules.yaml": RULES.replace(b"torch<2.10", b"torch<2.11")},
            {"tp2-sp": "patch alias: its entry changed", "judged": "patch alias: its entry changed"},
        ),
        ({"rules.yaml": RULES.replace(b"command: pytest", b"command: make")}, {"unit": "the job itself changed"}),
        (
            {"rules.yaml": RULES.replace(b"mode: off, ", b""), "a.py": MOVED},
            {"tp2-sp": "startup: twins worker changed", "unit": "startup: twins worker changed"},
        ),
    ],
    ids=[
        "nothing",
        "twins",
        "one pair of many",
        "a patch",
        "another package",
        "another torch",
        "a path",
        "a rule",
        "an entry of patches",
        "a job",
        "a rule that is off at base",
    ],
)
def test_a_change_asks_for_the_jobs_that_it_has_to_do_with(head: dict[str, bytes], expected: dict[str, str]) -> None:
    assert asked(head) == expected


def test_looking_at_everything_asks_for_no_more_jobs() -> None:
    change = change_between(FILES, {**FILES, "on/pool.py": MOVED})
    rules = load_rules(change, None)
    assert check_change(rules, change, True).smoke == check_change(rules, change).smoke


def test_several_reasons_for_one_job_are_one_request() -> None:
    found = asked({"a.py": MOVED, "patches.py": b"def apply_patch():\n    pass\n"})
    assert found["tp2-sp"] == "startup: twins worker changed; patch alias: patches.py changed"


def test_a_label_asks_for_the_jobs_that_wait_for_it() -> None:
    assert asked({"README.md": b"x"}, labels=("gpu", "bug")) == {"nightly": "when: label gpu"}


def test_a_job_that_always_runs_is_asked_for_by_any_change() -> None:
    change = change_between(FILES, {**FILES, "README.md": b"x"})
    report = check_change(load_rules(change, RulesText("rules.yaml", ALWAYS)), change)
    assert [(each.job, each.reason) for each in report.smoke] == [("nightly", "when: always")]


def test_a_renamed_patch_file_counts_for_the_patch() -> None:
    head = {path: data for path, data in FILES.items() if path != "patches.py"}
    change = change_between(FILES, {**head, "moved.py": FILES["patches.py"]})
    report = check_change(load_rules(change, None), change)
    assert "patch alias: patches.py changed" in {each.reason for each in report.smoke}


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """`main` has the files, the branch `topic` changes one side and softens the job that this asks for."""
    isolate(monkeypatch)
    made = Repository(tmp_path / "repository")
    for path, data in FILES.items():
        made.write(path, data.decode())
    made.commit()
    made.git("checkout", "-q", "-b", "topic")
    made.write("a.py", MOVED.decode())
    made.write("rules.yaml", RULES.decode().replace("gpus: 2}", "gpus: 2, runs_on: [evil]}"))
    made.commit()
    monkeypatch.chdir(made.folder)
    return made


def test_the_plan_says_which_jobs_where_and_why(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["smoke", "plan", "--base", "main", "--head", "topic"]) == 0
    assert capsys.readouterr().out == (
        "tp2-sp: startup: twins worker changed; the job itself changed\n"
        "  2 GPUs, at most 10 min; its `runs_on` must name a runner with GPUs, ubuntu-latest has none\n"
        "unit: startup: twins worker changed\n"
        "  on ubuntu-latest, at most 10 min\n"
    )
    assert main(["smoke", "plan", "--base", "HEAD"]) == 0
    assert capsys.readouterr().out == "no smoke job is needed\n"


def test_the_plan_names_the_runner_with_gpus_that_a_job_has(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["smoke", "plan", "--base", "HEAD~1"]) == 0
    assert "  on evil, 2 GPUs, at most 10 min\n" in capsys.readouterr().out


def test_the_matrix_is_one_line_with_the_jobs_of_the_base(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["smoke", "plan", "--base", "main", "--head", "topic", "--label", "gpu", "--format", "matrix"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)["include"]
    assert [(each["job"], each["runs_on"], each["limit"]) for each in found] == [
        ("tp2-sp", ["ubuntu-latest"], 30),
        ("unit", ["ubuntu-latest"], 30),
        ("nightly", ["ubuntu-latest"], 30),
    ]


def test_a_plan_can_be_made_of_a_checks_report(repository: Repository, capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--base", "main", "--head", "topic"], ["--base", "main"]):
        main(["check", *arguments, "--format", "json", "--output", "report.json"])
        assert main(["smoke", "plan", *arguments, "--format", "json"]) == 0
        told = capsys.readouterr().out
        assert json.loads(told)
        assert main(["smoke", "plan", "--report", "report.json", "--format", "json"]) == 0
        assert capsys.readouterr().out == told


def test_a_report_whose_rules_are_not_at_hand_is_refused(
    repository: Repository, capsys: pytest.CaptureFixture[str]
) -> None:
    repository.write("other.yaml", RULES.decode())
    check = ["check", "--base", "main", "--rules", "other.yaml", "--format", "json", "--output", "report.json"]
    main(check)
    assert main(["smoke", "plan", "--report", "report.json"]) == 2
    assert "name that file here, too" in capsys.readouterr().err
    assert main(["smoke", "plan", "--report", "report.json", "--rules", "other.yaml"]) == 0
    (repository.folder / "report.json").write_text("{}")
    assert main(["smoke", "plan", "--report", "report.json"]) == 2
