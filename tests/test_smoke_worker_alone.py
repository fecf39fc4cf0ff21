"""Probes that need one process, for real, where torch is installed: all of them in one, which loads torch once."""

from pathlib import Path

import pytest
from smoke_ranks import FAULTS, ROOT, cells, lines, needs_torch, order, ranks

from consistency_bot.smoke.cells import Cell, Order

pytestmark = needs_torch

TEAM = {"repository": str(FAULTS.parent)}
PATCHES = {
    "alias": ("sees_no_need", "aten.alias.default"),
    "works": ("works", "team.worked.default"),
    "nothing": ("does_nothing", "team.untouched.default"),
    "refuses": ("sees_no_need", "team.refused.default"),
    "once": ("cannot_be_applied_twice", "team.once.default"),
    "twice": ("says_so_twice", "team.doubled.default"),
    "raises": ("raises", "team.refused.default"),
    "useless": ("raises", "aten.alias.default"),
}
SHORT: dict[str, object] = {
    "lengths": 64,
    "dtypes": ["fp32", "bf16"],
    "masks": ["causal", "masked"],
    "enable_gqa": [False, True],
    "backends": ["default", "MATH", "FLASH_ATTENTION"],
}

ONE: dict[str, object] = {
    "dry": True,
    "meshes": "dp1xtp2",
    "sp": True,
    "activation_checkpointing": "none",
    "dtypes": "fp32",
}
FIELD = "wrapper/default/bf16/s448/d64/causal"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Order]:
    folder = tmp_path_factory.mktemp("alone")
    probes = {name: {"name": "operators", "operators": operator} for name, (_, operator) in PATCHES.items()}
    versions = {"alias": "torch>=2.9,<2.10", "works": "torch>=1", "nothing": "torch<1"}
    operators = ["aten.alias.default", "aten.embedding.default", "team.worked.default", "team.absent.default"]
    orders = {
        "recompute": order(folder, "recompute", SHORT),
        "all": order(folder, "recompute", {"backends": "all", "lengths": 64}),
        "dry": order(folder, "tp-sp", {"dry": True}),
        "dry-planted": order(
            folder, "tp-sp", {"dry": True, "activation_checkpointing": True, "dtypes": "bf16"}, repository=ROOT
        ),
        "field": order(folder, "recompute", {"backends": "default", "activation_checkpointing": True}),
        "patched": order(
            folder, "tp-sp", ONE | {"patches": "first"}, patches={"first": "smoke_team.py::sees_no_need"}, **TEAM
        ),
        "unpatchable": order(
            folder, "tp-sp", ONE | {"patches": "bad"}, patches={"bad": "smoke_team.py::raises"}, **TEAM
        ),
        "patchless": order(folder, "tp-sp", ONE | {"patches": "missing"}, **TEAM),
        "patch": order(
            folder,
            "patch",
            {"probes": probes, "versions": versions},
            patches={name: f"smoke_team.py::{function}" for name, (function, _) in PATCHES.items()},
            **TEAM,
        ),
        "operators": order(
            folder, "operators", {"operators": operators, "patch": "smoke_team.py::sees_no_need"}, **TEAM
        ),
        "module": order(folder, "module", {"module": "smoke_team.py::tiny", "tp": 1}, **TEAM),
        "leak": order(folder, "module", {"module": "smoke_team.py::tiny_with_a_leak", "tp": 1}, **TEAM),
        "no-model": order(folder, "module", {"module": "smoke_team.py::nothing", "tp": 1}, **TEAM),
        "absent": order(folder, "module", {"module": "models.py::tiny", "tp": 1}, **TEAM),
        "rule": order(folder, "sdpa-rule", {"lengths": 64}),
        "ring": order(folder, "context-parallel", {}),
        "only": order(folder, "operators", {}, only=["aten.cat.default"]),
        "two": order(folder, "tp-sp", {"tp": 2, "sp": False, "backends": "MATH"}),
    }
    planted = {FIELD: "cudnn-then-flash", "dp2+fsdp2+tp4+sp+checkpointing/default/bf16": "unsharded-operator"}
    done = ranks(list(orders.values()), 1, program=(str(FAULTS),), planted=planted)
    assert done.returncode == 0, done.stderr
    return orders


def _ends(one: Order) -> dict[str, tuple[str, str]]:
    return {name: (cell.outcome, cell.status) for name, cell in cells(one).items()}


def test_every_way_to_recompute_ends_as_it_is_expected_to(runs: dict[str, Order]) -> None:
    found = cells(runs["recompute"])
    assert len(found) == 8 * 25
    assert {cell.status for cell in found.values()} == {"pass"}


def test_a_choice_around_the_forward_pass_alone_is_a_mismatch_where_it_is_compared_and_silent_where_not(
    runs: dict[str, Order],
) -> None:
    found = {name.removesuffix("/bf16/s64/d64/causal"): cell for name, cell in cells(runs["all"]).items()}
    compared, silent = found["wrapper/MATH/forward-only"], found["reentrant/MATH/forward-only"]
    assert compared.outcome == found["selective/MATH/forward-only"].outcome == "checkpoint-mismatch"
    assert silent.outcome == "silent-kernel-change"
    for cell in (compared, silent):
        assert (cell.kernels_forward, cell.kernels_recompute) == (("MATH",), ("FLASH_ATTENTION",))
        assert cell.status == "pass"
    held = [found[f"wrapper/MATH/{context}"] for context in ("both", "re-entered", "global")]
    assert {cell.kernels_recompute for cell in held} == {("MATH",)}


def test_a_kernel_that_is_the_default_anyway_is_not_expected_to_change(runs: dict[str, Order]) -> None:
    cell = cells(runs["all"])["wrapper/FLASH_ATTENTION/forward-only/bf16/s64/d64/causal"]
    assert (cell.outcome, cell.expect, cell.status) == ("ok", "ok", "pass")


def test_the_fields_crash_is_recognised_by_its_kernels_and_shapes(runs: dict[str, Order]) -> None:
    cell = cells(runs["field"])[FIELD]
    assert (cell.outcome, cell.status) == ("checkpoint-mismatch", "fail")
    assert (cell.kernels_forward, cell.kernels_recompute) == (("CUDNN_ATTENTION",), ("FLASH_ATTENTION",))
    assert "torch.Size([16, 4, 448, 1])" in cell.errors[0].message
    assert "torch.Size([16, 4, 448])" in cell.errors[0].message


def test_kernels_that_a_cpu_lacks_are_unsupported(runs: dict[str, Order]) -> None:
    absent = {cell.settings["backend"] for cell in cells(runs["all"]).values() if cell.status == "unsupported"}
    assert absent == {"EFFICIENT_ATTENTION", "CUDNN_ATTENTION"}


def test_a_dry_run_stands_for_a_rank_of_larger_meshes(runs: dict[str, Order]) -> None:
    found = cells(runs["dry"])
    assert {cell.status for cell in found.values()} == {"pass"}
    assert {cell.ranks for cell in found.values()} == {1}
    assert "dp2+fsdp2+tp4+sp+checkpointing/default/fp32" in found


def test_a_dry_run_finds_an_operator_without_a_sharding_strategy(runs: dict[str, Order]) -> None:
    found = cells(runs["dry-planted"])
    bad = [cell for cell in found.values() if cell.status != "pass"]
    assert [(cell.name, cell.outcome) for cell in bad] == [
        ("dp2+fsdp2+tp4+sp+checkpointing/default/bf16", "no-strategy")
    ]
    assert bad[0].errors[0].site.startswith("tests/smoke_faults.py:")
    assert bad[0].seconds < 5


def test_patches_that_a_job_names_are_called_before_anything_is_measured(runs: dict[str, Order]) -> None:
    name = "dp1+fsdp2+tp2+sp/default/fp32"
    assert _ends(runs["patched"]) == {name: ("ok", "pass")}
    marked = cells(runs["unpatchable"])[name]
    assert marked.outcome == "error"
    assert marked.errors[0].site.endswith(" in raises")
    assert "rules.yaml has no patch `missing`; there are: none" in _message(runs["patchless"])


def test_each_patch_is_what_it_does(runs: dict[str, Order]) -> None:
    assert _ends(runs["patch"]) == {
        "alias": ("no-longer-needed", "pass"),
        "works": ("needed-and-works", "pass"),
        "nothing": ("silent", "fail"),
        "refuses": ("needed-and-broken", "fail"),
        "once": ("not-idempotent", "fail"),
        "twice": ("not-idempotent", "fail"),
        "raises": ("needed-and-broken", "fail"),
        "useless": ("broken", "fail"),
    }


def test_a_patch_says_why_it_is_judged_so(runs: dict[str, Order]) -> None:
    found = cells(runs["patch"])
    assert found["nothing"].note == (
        "it returned as if it had patched, and still team.untouched.default ends in no-strategy"
    )
    assert found["nothing"].errors[0].rank == 0
    assert found["nothing"].errors[0].site.endswith(" in does_nothing")
    assert found["once"].errors[0].site.split(":")[0] == "smoke_team.py"
    assert found["once"].errors[0].message == "already patched"
    assert found["works"].note == "without it team.worked.default ends in no-strategy"


def test_an_operator_is_asked_for_its_strategy_by_being_called(runs: dict[str, Order]) -> None:
    found = {name: end for name, end in _ends(runs["operators"]).items() if not name.endswith("/patched")}
    assert found == {
        "aten.alias.default": ("ok", "pass"),
        "aten.embedding.default": ("ok", "pass"),
        "team.worked.default": ("ok", "pass"),  # the probe before this one has registered it
        "team.absent.default": ("no-operator", "fail"),
    }


def test_a_repositorys_own_step_runs_under_its_own_contexts(runs: dict[str, Order]) -> None:
    found = cells(runs["module"])
    assert {cell.status for cell in found.values()} == {"pass"}
    assert found["tp1+checkpointing/default/fp32"].kernels_recompute == ("MATH",)


def test_a_repositorys_context_that_ends_too_early_is_caught_at_its_line(runs: dict[str, Order]) -> None:
    found = cells(runs["leak"])
    assert found["tp1/default/fp32"].status == "pass"
    cell = found["tp1+checkpointing/default/fp32"]
    assert (cell.outcome, cell.status) == ("checkpoint-mismatch", "fail")
    assert cell.errors[0].site.endswith(" in step")


def test_a_function_that_is_not_there_or_gives_something_else_is_told_so(runs: dict[str, Order]) -> None:
    assert _message(runs["no-model"]).endswith("expected a model and a function that makes one step; found NoneType")
    assert "expected a file models.py" in _message(runs["absent"])


def _message(one: Order) -> str:
    cell: Cell = next(iter(cells(one).values()))
    assert cell.status == "fail"
    return cell.errors[0].message


def test_rules_about_kernels_are_measured_as_far_as_this_machine_goes(runs: dict[str, Order]) -> None:
    statuses = {cell.name: cell.status for cell in cells(runs["rule"]).values()}
    assert statuses["checkpointing/MATH/forward-only/bf16/s64"] == "pass"
    assert statuses["checkpointing/CUDNN_ATTENTION/both/bf16/s64"] == "unsupported"
    assert {status for name, status in statuses.items() if name.startswith("cp2")} == {"skipped-needs-gpu"}


def test_what_needs_more_ranks_or_gpus_is_left_out_and_says_so(runs: dict[str, Order]) -> None:
    for name, note in (("ring", "not measured: needs 2 GPUs"), ("two", "not measured: needs 2 ranks, this run has 1")):
        found = cells(runs[name]).values()
        assert {(cell.outcome, cell.status, cell.note) for cell in found} == {("", "skipped-needs-gpu", note)}


def test_only_the_cells_that_are_named_are_run(runs: dict[str, Order]) -> None:
    assert list(cells(runs["only"])) == ["aten.cat.default"]


def test_a_name_that_is_no_cell_is_an_error_before_anything_is_run(tmp_path: Path) -> None:
    one = order(tmp_path, "operators", {}, only=["aten.dog.default"])
    done = ranks([one], 1)
    assert done.returncode == 1
    assert "probe operators has no cell `aten.dog.default`" in done.stderr
    assert not lines(one)
