"""Two ranks of a smoke job for real, where torch is installed: what they measure, and what they make of planted faults."""

import subprocess
from pathlib import Path

import pytest
from smoke_ranks import FAULTS, ROOT, cells, lines, needs_torch, order, ranks

from consistency_bot.smoke.cells import Ended, Machine, Order, Started, Stopped

pytestmark = needs_torch

MATRIX = {"backends": ["default", "MATH", "EFFICIENT_ATTENTION"], "dtypes": ["fp32"]}
FIELD = "fsdp2+tp2+sp+checkpointing/MATH/fp32"
TWO = {"tp": 2, "activation_checkpointing": ["none", True], "backends": ["MATH"], "dtypes": ["fp32"]}


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Order:
    one = order(tmp_path_factory.mktemp("matrix"), "tp-sp", MATRIX)
    done = ranks([one], 2)
    assert done.returncode == 0, done.stderr
    return one


def test_every_combination_that_this_machine_has_a_kernel_for_agrees_with_one_process(matrix: Order) -> None:
    found = cells(matrix)
    assert len(found) == 37
    assert {cell.settings["backend"] for cell in found.values() if cell.status == "unsupported"} == {
        "EFFICIENT_ATTENTION"
    }
    rest = [cell for cell in found.values() if cell.settings["backend"] != "EFFICIENT_ATTENTION"]
    assert {cell.status for cell in rest} == {"pass"}
    assert all(cell.gradient_error is not None and cell.gradient_error < 2e-5 for cell in rest)


def test_the_fields_cell_is_among_them_by_name(matrix: Order) -> None:
    cell = cells(matrix)["fsdp2+tp2+sp+checkpointing/default/fp32"]
    assert cell.kernels_forward == cell.kernels_recompute == ("FLASH_ATTENTION",) * 2
    assert cell.ranks == 2


def test_kernels_that_ran_are_those_that_were_asked_for(matrix: Order) -> None:
    found = cells(matrix)
    assert found["tp2+sp+reentrant-checkpointing/MATH/fp32"].kernels_recompute == ("MATH", "MATH")
    assert found["tp2+selective-checkpointing/default/fp32"].kernels_recompute == ()


def test_the_file_says_where_what_comes_next_and_that_it_is_whole(matrix: Order) -> None:
    first, second, *_, last = lines(matrix)
    assert isinstance(first, Machine)
    assert (first.device, first.world_size) == ("cpu", 2)
    assert second == Started(name="tp1/default/fp32", at=1, total=37)
    assert isinstance(last, Ended)
    assert last.cells == 37


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> Order:
    one = order(tmp_path_factory.mktemp("planted"), "tp-sp", TWO, repository=ROOT, collective_timeout=3)
    faults = {
        "tp2/MATH/fp32": "wrong-gradient",
        "tp2+checkpointing/MATH/fp32": "forward-only",
        "tp2+sp/MATH/fp32": "raise-1",
        FIELD: "unsharded-operator",
    }
    done = ranks([one], 2, program=(str(FAULTS),), planted=faults)
    assert done.returncode == 0, done.stderr
    return one


def test_a_gradient_that_is_wrong_by_a_thousandth_is_caught(planted: Order) -> None:
    cell = cells(planted)["tp2/MATH/fp32"]
    assert (cell.outcome, cell.status) == ("wrong-numerics", "fail")
    assert "layers.1.mlp.up_proj.weight is off by 1.0e-03" in cell.note


def test_a_choice_of_kernel_around_the_forward_pass_alone_is_a_mismatch_at_its_place(planted: Order) -> None:
    cell = cells(planted)["tp2+checkpointing/MATH/fp32"]
    assert (cell.outcome, cell.status) == ("checkpoint-mismatch", "fail")
    assert set(cell.kernels_forward) == {"MATH"}
    assert "FLASH_ATTENTION" in cell.kernels_recompute
    assert [(error.rank, error.type) for error in cell.errors] == [(0, "CheckpointError"), (1, "CheckpointError")]
    assert all(error.site.startswith(_SITE) and error.site.endswith("in train") for error in cell.errors)


def test_one_rank_that_raises_is_told_from_the_one_that_waited_for_it(planted: Order) -> None:
    cell = cells(planted)["tp2+sp/MATH/fp32"]
    raised, waited = cell.errors
    assert (cell.outcome, cell.status) == ("error", "fail")
    assert (raised.rank, raised.type, raised.message) == (1, "ValueError", "planted: this rank raises")
    assert raised.site.startswith(_SITE)
    assert raised.site.endswith("in forward")
    assert "Timed out" in waited.message
    assert "kernels.py" not in waited.site


def test_cells_after_ranks_fell_out_of_step_are_measured_in_a_group_made_anew(planted: Order) -> None:
    assert cells(planted)["tp2+sp+checkpointing/MATH/fp32"].status == "pass"
    assert isinstance(lines(planted)[-1], Ended)


def test_an_operator_without_a_sharding_strategy_is_named_in_the_fields_cell(planted: Order) -> None:
    cell = cells(planted)[FIELD]
    assert (cell.outcome, cell.status) == ("no-strategy", "fail")
    assert "planted.keep.default" in cell.errors[0].message
    assert [error.rank for error in cell.errors] == [0, 1]
    assert all(error.site.startswith(_SITE) and error.site.endswith("in forward") for error in cell.errors)


def test_a_rank_that_hangs_is_named_with_its_place_and_ends_the_run(tmp_path: Path) -> None:
    # Rank 0, which writes the lines of all other cells: here another one has to.
    one = order(tmp_path, "tp-sp", TWO, repository=ROOT, collective_timeout=2)
    done = _with(one, {"tp2+checkpointing/MATH/fp32": "hang-0"})
    cell = cells(one)["tp2+checkpointing/MATH/fp32"]
    hung = next(error for error in cell.errors if error.rank == 0)
    assert done.returncode != 0
    assert (cell.outcome, cell.status, cell.note) == ("", "timeout", "rank 0 hung")
    assert (hung.type, hung.site.split(":")[0], hung.site.split()[-1]) == ("Hung", _SITE, "forward")
    assert list(cells(one)) == ["tp2/MATH/fp32", "tp2+checkpointing/MATH/fp32"]
    assert not any(isinstance(line, Ended) for line in lines(one))


def test_a_rank_that_is_killed_leaves_a_line_of_where_the_other_one_was(tmp_path: Path) -> None:
    one = order(tmp_path, "tp-sp", TWO, repository=ROOT, collective_timeout=3)
    done = _with(one, {"tp2+checkpointing/MATH/fp32": "killed-1"})
    started = [line.name for line in lines(one) if isinstance(line, Started)]
    stopped = [line for line in lines(one) if isinstance(line, Stopped)]
    assert done.returncode != 0
    assert started[-1] == "tp2+checkpointing/MATH/fp32"
    assert list(cells(one)) == ["tp2/MATH/fp32"]
    assert [(line.name, line.rank) for line in stopped] == [("tp2+checkpointing/MATH/fp32", 0)]
    assert stopped[0].site


_SITE = "tests/smoke_faults.py"


def _with(one: Order, faults: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return ranks([one], 2, program=(str(FAULTS),), planted=faults)
