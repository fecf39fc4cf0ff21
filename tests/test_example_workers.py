"""The example workers for real, where torch is installed: a core install has none."""

import importlib.util
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from memory_tree import change_between

from consistency_bot.check import check_change
from consistency_bot.cli import main
from consistency_bot.jobs import Job
from consistency_bot.rules import RulesText, load_rules
from consistency_bot.smoke.cells import Cell
from consistency_bot.smoke.commands import team_environment
from consistency_bot.smoke.results import read_run
from repositories import Repository, isolate

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "policy_workers"
V1, V2 = "dtensor_policy_worker.py", "dtensor_policy_worker_v2.py"

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch (extra `smoke`) is missing")


@needs_torch
def test_both_workers_train_and_print_the_same_losses() -> None:
    first, second = (_train(worker) for worker in ("v1", "v2"))
    assert len(first) == 2
    assert [line.removeprefix("v1 ") for line in first] == [line.removeprefix("v2 ") for line in second]


def _train(worker: str) -> list[str]:
    """What two steps of one worker print."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    environment = os.environ | {"MASTER_PORT": port, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "run.py", worker, "--steps", "2"]
    done = subprocess.run(command, cwd=EXAMPLE, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def _jobs() -> dict[str, Job]:
    rules = load_rules(change_between({}, {}), RulesText("rules.yaml", (ROOT / "rules.yaml").read_bytes()))
    return {job.name: job for job in rules.jobs}


class Bug(msgspec.Struct, frozen=True):
    """A drift planted in one worker, the run that sees it, and what that run then says."""

    worker: str
    old: str
    new: str
    job: str
    settings: dict[str, str | int | bool]
    said: str


BUGS = {
    "a patch that one worker does not apply": Bug(
        V1, "        apply_torch_aten_alias_patch()\n", "", "tp2-sp", {"tp": 2, "sp": True}, "start-up: v1 has"
    ),
    "cuDNN attention under recomputation": Bug(
        V2,
        "        elif activation_checkpointing:\n",
        "        elif activation_checkpointing and cp_size > 1:\n",
        "activation-checkpointing",
        {"tp": 2, "sp": True, "activation_checkpointing": True},
        "attention kernels: v1 has [['FLASH', 'EFFICIENT', 'MATH']], v2 has",
    ),
    "a condition widened": Bug(
        V2,
        "        elif activation_checkpointing:\n",
        "        elif activation_checkpointing or sequence_parallel:\n",
        "tp2-sp",
        {"tp": 2, "sp": True},
        "attention kernels: v1 has",
    ),
    "a guard removed": Bug(
        V1,
        "            if sequence_parallel:\n                raise",
        "            if False:\n                raise",
        "tp2-sp",
        {"tp": 2, "sp": True},
        "refusal of context parallel with sequence parallel: v1 has none",
    ),
    "a loss that is not scaled back": Bug(
        V2,
        "                            loss *= self.dp_size * self.cp_size\n",
        "",
        "tp2-sp",
        {"tp": 1, "sp": True},
        "gradient norms: v1 has",
    ),
}


def _planted(bug: Bug) -> str:
    text = (EXAMPLE / bug.worker).read_text()
    assert bug.old in text
    return text.replace(bug.old, bug.new)


@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_the_check_sees_each_planted_bug_and_asks_for_the_job_that_sees_it_too(bug: Bug) -> None:
    files = {f"examples/policy_workers/{path.name}": path.read_bytes() for path in EXAMPLE.glob("*.py")}
    change = change_between(files, {**files, f"examples/policy_workers/{bug.worker}": _planted(bug).encode()})
    rules = load_rules(change, RulesText("rules.yaml", (ROOT / "rules.yaml").read_bytes()))
    report = check_change(rules, change)
    assert any(finding.blocks for finding in report.findings)
    assert bug.job in {each.job for each in report.smoke}


@needs_torch
@pytest.mark.parametrize("bug", BUGS.values(), ids=BUGS)
def test_the_run_sees_each_planted_bug(bug: Bug, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "examples" / "policy_workers")
    (tmp_path / "examples" / "policy_workers" / bug.worker).write_text(_planted(bug))
    job = _jobs()[bug.job]
    environment = os.environ | team_environment(job, bug.settings, "cpu", 2, str(tmp_path / "error"))
    command = ["sh", "-c", job.command]
    done = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.startswith(bug.said)
    assert len(done.stdout.splitlines()) == 1  # that, and nothing else


@needs_torch
def test_workers_in_step_pass_the_jobs_of_the_root_rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    isolate(monkeypatch)
    repository = Repository(tmp_path / "repository")
    shutil.copytree(EXAMPLE, repository.folder / "examples" / "policy_workers")
    shutil.copy(ROOT / "rules.yaml", repository.folder)
    repository.commit()
    monkeypatch.chdir(repository.folder)
    assert main(["smoke", "run", "tp2-sp", "activation-checkpointing", "--device", "cpu"]) == 0
    names = [cell.name for job in ("tp2-sp", "activation-checkpointing") for cell in _cells(repository, job)]
    assert names == ["tp1+sp", "tp2+sp", "tp2+sp+activation_checkpointing"]


def _cells(repository: Repository, job: str) -> tuple[Cell, ...]:
    return read_run(str(repository.folder / "smoke-results" / f"{job}.jsonl")).cells
