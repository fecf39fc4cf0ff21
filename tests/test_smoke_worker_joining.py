"""The results of several ranks as one cell: pure, and tried without torch."""

from pathlib import Path

import pytest

from consistency_bot.smoke.cells import RankError, Status
from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker.joining import are_out_of_step, cut_short, joined, left_out, status_of
from consistency_bot.smoke.worker.measured import Measured, is_caused_by_another, measured_error, outcome_of, site_of

CELL = Combination(name="tp2/MATH/fp32", settings={"tp": 2}, ranks=2)
WAITED = Measured(
    outcome="error",
    error=RankError(rank=0, type="RuntimeError", message="Timed out waiting 5000ms for recv operation"),
    place="_functional_collectives.py:12",
)
RAISED = Measured(
    outcome="no-strategy", error=RankError(rank=1, type="NotImplementedError", message="no strategy"), place="x.py:1"
)


@pytest.mark.parametrize(
    ("outcome", "expect", "status"),
    [
        ("ok", "ok", "pass"),
        ("checkpoint-mismatch", "checkpoint-mismatch", "pass"),
        ("ok", "checkpoint-mismatch", "fail"),
        ("error", "ok", "fail"),
        ("no-kernel", "ok", "unsupported"),
        ("no-kernel", "no-kernel", "pass"),
    ],
)
def test_an_outcome_passes_if_it_is_the_expected_one(outcome: str, expect: str, status: Status) -> None:
    assert status_of(outcome, expect) == status


def test_the_outcome_is_that_of_the_rank_that_failed_first_hand() -> None:
    cell = joined(CELL, [WAITED, RAISED])
    assert (cell.outcome, cell.status) == ("no-strategy", "fail")
    assert [error.rank for error in cell.errors] == [1, 0]


def test_what_is_wrong_on_one_rank_alone_says_on_which() -> None:
    wrong = Measured(outcome="wrong-numerics", note="the loss is off by 1.0e-03", gradient_error=1e-3)
    cell = joined(CELL, [Measured(outcome="ok", gradient_error=1e-7), wrong])
    assert (cell.outcome, cell.note, cell.gradient_error) == (
        "wrong-numerics",
        "on rank 1: the loss is off by 1.0e-03",
        1e-3,
    )


def test_ranks_that_ran_other_kernels_are_noted() -> None:
    found = [Measured(outcome="ok", kernels_forward=(kernel,)) for kernel in ("MATH", "FLASH_ATTENTION")]
    assert joined(CELL, found).note == "ranks ran other kernels (rank 0: MATH, rank 1: FLASH_ATTENTION)"


def test_what_measuring_has_shown_to_be_right_replaces_what_was_expected() -> None:
    cell = joined(CELL, [Measured(outcome="no-longer-needed", expect="no-longer-needed")])
    assert (cell.expect, cell.status) == ("no-longer-needed", "pass")


def test_ranks_are_out_of_step_if_they_ended_in_different_places_or_in_a_collective() -> None:
    assert are_out_of_step([WAITED, RAISED])
    assert are_out_of_step([RAISED, Measured(outcome="ok")])
    assert are_out_of_step([WAITED, WAITED])
    assert not are_out_of_step([RAISED, RAISED])
    assert not are_out_of_step([Measured(outcome="ok"), Measured(outcome="wrong-numerics")])


def test_a_rank_that_did_not_come_back_is_named_and_is_no_outcome() -> None:
    cell = cut_short(CELL, [WAITED, None], {1: "model.py:7 in forward"}, 25.0)
    assert (cell.outcome, cell.status, cell.note) == ("", "timeout", "rank 1 hung")
    assert [(error.rank, error.type, error.site) for error in cell.errors] == [
        (1, "Hung", "model.py:7 in forward"),
        (0, "RuntimeError", ""),
    ]


def test_a_cell_that_is_left_out_is_never_a_pass() -> None:
    assert (left_out(CELL, "not measured: needs 2 GPUs").status, left_out(CELL, "").outcome) == (
        "skipped-needs-gpu",
        "",
    )


@pytest.mark.parametrize(
    ("kind", "message", "outcome"),
    [
        (
            "CheckpointError",
            "Recomputed values for the following tensors have different metadata",
            "checkpoint-mismatch",
        ),
        (
            "RuntimeError",
            "aten.mm.default encountered during backward, but not found in storage",
            "checkpoint-mismatch",
        ),
        ("NotImplementedError", "Operator a.b.default does not have a sharding strategy registered.", "no-strategy"),
        ("RuntimeError", "There was no fake impl registered for a. Sharding propagation failed for a", "no-strategy"),
        ("RuntimeError", "There was no fake impl registered for a.", "error"),
        ("RuntimeError", "No available kernel. Aborting execution.", "no-kernel"),
        ("OutOfMemoryError", "CUDA out of memory.", "out-of-memory"),
        ("ValueError", "anything", "error"),
    ],
)
def test_errors_that_have_a_word_are_called_by_it(kind: str, message: str, outcome: str) -> None:
    error: Exception = type(kind, (Exception,), {})(message)
    assert outcome_of(error) == outcome


@pytest.mark.parametrize(
    ("kind", "message", "caused"),
    [
        ("RuntimeError", "Timed out waiting 5000ms for recv operation to complete", True),
        ("RuntimeError", "Connection closed by peer [127.0.0.1]:1234", True),
        ("DistBackendError", "NCCL watchdog timeout", True),
        ("ValueError", "timeout must be positive", False),
        ("RuntimeError", "shape mismatch", False),
    ],
)
def test_an_error_that_another_rank_has_caused_is_known_by_its_words(kind: str, message: str, caused: bool) -> None:
    assert is_caused_by_another(RankError(rank=0, type=kind, message=message)) is caused


def test_a_site_is_the_innermost_line_of_the_repository_and_no_librarys(tmp_path: Path) -> None:
    frames = [
        (str(tmp_path / "train.py"), 10, "main"),
        (str(tmp_path / "models" / "tiny.py"), 20, "forward"),
        (str(tmp_path / ".venv" / "lib" / "site-packages" / "torch" / "nn.py"), 30, "linear"),
        ("/elsewhere/torch/nn.py", 40, "linear"),
    ]
    assert site_of(frames, tmp_path) == "models/tiny.py:20 in forward"
    assert not site_of(frames[3:], tmp_path)


def test_an_error_is_placed_where_it_was_raised_and_named_where_it_is_ours() -> None:
    with pytest.raises(ValueError, match="seven") as caught:
        int("seven")
    found = measured_error(caught.value, 3, Path(__file__).parent)
    assert found.error is not None
    assert (found.outcome, found.error.rank, found.error.type) == ("error", 3, "ValueError")
    assert found.error.site.startswith("test_smoke_worker_joining.py:")
    assert found.place == found.error.site.split(" in ")[0]
