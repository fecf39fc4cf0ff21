"""The same job through `srun`, on a real one-node Slurm that the tests start. CI installs what it takes (`.ci/run`)."""

import importlib.util
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest
import slurm
from processes import left_behind
from smoke_seen import Seen

from consistency_bot.cli import main
from consistency_bot.jobs import Job
from consistency_bot.smoke.launchers import read_launcher
from consistency_bot.smoke.results import read_run
from consistency_bot.smoke.running import run_jobs
from consistency_bot.smoke.setting import Setting
from consistency_bot.smoke.supervising import Limits
from repositories import Repository, isolate

TEMPLATE = "srun -n1 --cpus-per-task=2 --gpus={gpus} --time={minutes} --job-name={job} {command}"
RULES = """\
version: 1
twins: [{id: t, sides: {a: a.py, b: b.py}}]
smoke:
  good: {command: 'test -n "$SLURM_JOB_ID" && echo "$CONSISTENCY_BOT_TP" >> seen', parallel: {tp: [1, 2]}, gpus: 2}
  bad: {command: "exit 3"}
  tp2-sp: {probe: {name: tp-sp, tp: 2, sp: true, dtypes: fp32, backends: default}, gpus: 2, minutes: 5}
"""
WHY = slurm.missing()
if WHY:  # pytest shows this even where skipped tests are not listed
    warnings.warn(pytest.PytestWarning(f"nothing is tested through Slurm: {WHY}"), stacklevel=1)

pytestmark = [pytest.mark.skipif(bool(WHY), reason=WHY), pytest.mark.filterwarnings("ignore:nothing is tested")]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with slurm.slurm(tmp_path_factory.mktemp("slurm")) as variables:
        yield variables


@pytest.fixture
def repository(cluster: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    isolate(monkeypatch)
    for name, value in cluster.items():
        monkeypatch.setenv(name, value)
    made = Repository(tmp_path / "repository")
    made.write("rules.yaml", RULES)
    made.commit(a="pass\n")
    monkeypatch.chdir(made.folder)
    return made


def run(*arguments: str) -> int:
    return main(["smoke", "run", *arguments, "--device", "cpu", "--launcher", TEMPLATE])


def test_a_command_runs_through_srun_and_its_exit_status_comes_back(repository: Repository) -> None:
    assert run("good") == 0
    assert (repository.folder / "seen").read_text() == "1\n2\n"
    assert run("bad") == 1
    assert read_run("smoke-results/bad.jsonl").cells[0].note == "ended with status 3"


def test_slurm_can_be_asked_what_the_node_has(repository: Repository) -> None:
    template = TEMPLATE.replace("--gpus={gpus} ", "")
    status = main(["smoke", "run", "good", "--device", "auto", "--launcher", template])
    assert status == (0 if importlib.util.find_spec("torch") else 5)


def test_what_slurm_refuses_is_a_job_that_could_not_be_run(repository: Repository) -> None:
    template = TEMPLATE.replace("-n1", "-n1 --partition=none")
    assert main(["smoke", "run", "good", "--device", "cpu", "--launcher", template]) == 5
    assert "invalid partition" in read_run("smoke-results/good.jsonl").problem


def test_what_takes_too_long_is_cancelled_and_nothing_of_it_lives_on(repository: Repository) -> None:
    setting = Setting(
        repository=str(repository.folder),
        commit="c",
        out=str(repository.folder / "out"),
        device="cpu",
        launcher=read_launcher(TEMPLATE),
        limits=Limits(job=2.0, starts_late=True),
    )
    job = Job(name="long", command="setsid sleep 97.7531 & sleep 97.7531")
    (found,) = run_jobs([job], setting, Seen())
    assert [cell.status for cell in found.cells] == ["timeout"]
    assert left_behind("97.7531") == []


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch (extra `smoke`) is missing")
def test_a_probe_runs_its_ranks_through_srun(repository: Repository) -> None:
    assert run("tp2-sp") == 0
    found = read_run("smoke-results/tp2-sp.jsonl")
    assert len(found.cells) == 5
    assert {cell.status for cell in found.cells} == {"pass"}
    assert found.machine is not None
    assert found.machine.world_size == 2
