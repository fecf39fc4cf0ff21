"""A run with real ranks, where torch is installed: each planted fault is named with its cell, rank and site."""

import json
import os
import sys
from pathlib import Path

import pytest
from smoke_ranks import FAULTS, needs_torch
from smoke_seen import Seen

from consistency_bot.jobs import Job, Option
from consistency_bot.smoke import probing
from consistency_bot.smoke.launchers import Launcher
from consistency_bot.smoke.results import JobRun, exit_status
from consistency_bot.smoke.running import run_jobs
from consistency_bot.smoke.setting import Setting
from consistency_bot.smoke.supervising import Limits

PLAIN, WRAPPED, SELECTIVE = (f"tp2{word}/default/fp32" for word in ("", "+checkpointing", "+selective-checkpointing"))
pytestmark = needs_torch


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, planted: dict[str, str]) -> JobRun:
    def worker_command(order: str, ranks: int) -> list[str]:
        torchrun = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}"]
        return [sys.executable, *torchrun, str(FAULTS), order]

    monkeypatch.setattr(probing, "worker_command", worker_command)
    options: dict[str, Option] = {"tp": 2, "sp": False, "activation_checkpointing": ("none", "wrapper", "selective")}
    job = Job(
        name="planted",
        probe="tp-sp",
        options={**options, "backends": "default", "dtypes": "fp32"},
        gpus=2,
        env={"PLANTED": json.dumps(planted)},
    )
    setting = Setting(
        repository=str(folder),
        commit="c",
        out=str(folder / "out"),
        device="cpu",
        launcher=Launcher(),
        limits=Limits(job=240.0, start=120.0, cell=60.0, collective=2.0),  # four times a rank waits that long in vain
    )
    (found,) = run_jobs([job], setting, Seen())
    return found


def ranks_that_run() -> list[str]:
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path(f"/proc/{name}/cmdline").read_bytes()
        except OSError:
            continue
        found += [name] if str(FAULTS).encode() in words else []
    return found


def test_a_rank_that_is_killed_is_named_and_the_other_cells_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run(tmp_path, monkeypatch, {WRAPPED: "killed-1"})
    assert {cell.name: cell.status for cell in found.cells} == {PLAIN: "pass", WRAPPED: "crash", SELECTIVE: "pass"}
    died = found.cells[1]
    assert (1, "killed by SIGKILL; by the system, for want of memory?") in [(e.rank, e.message) for e in died.errors]
    assert died.confirmed == "crash"
    assert exit_status([found]) == 1
    assert ranks_that_run() == []


def test_a_rank_that_hangs_and_one_that_raises_are_named_with_their_sites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run(tmp_path, monkeypatch, {PLAIN: "raise-1", SELECTIVE: "hang-1"})
    assert {cell.name: cell.status for cell in found.cells} == {PLAIN: "fail", WRAPPED: "pass", SELECTIVE: "timeout"}
    raised, _, hung = found.cells
    first = raised.errors[0]
    assert (first.rank, first.type) == (1, "ValueError")
    assert "decoder.py" in first.site
    assert any(error.rank == 1 and "decoder.py" in error.site for error in hung.errors)
    assert (raised.confirmed, hung.confirmed) == ("error", "timeout")
    assert ranks_that_run() == []
