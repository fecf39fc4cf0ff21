"""Which smoke jobs a change asks for, and why."""

import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.rules import RulesText, load_rules

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
