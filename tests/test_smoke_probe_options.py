"""What probes can be told, and which cells that makes: no torch is needed to say so."""

from pathlib import Path

import pytest

from consistency_bot.errors import UsageError
from consistency_bot.probes import FIELD_OPERATORS, OPTIONS, Patch, TpSp, decode_options
from consistency_bot.smoke.combinations import cells_of, ranks_of

NAMES = [
    ({"tp": 1, "activation_checkpointing": "none", "backends": "MATH", "dtypes": "fp32"}, ["tp1/MATH/fp32"]),
    (
        {"tp": 2, "sp": True, "activation_checkpointing": [False, True], "backends": "default", "dtypes": "bf16"},
        ["tp2+sp/default/bf16", "tp2+sp+checkpointing/default/bf16", "fsdp2+tp2+sp+checkpointing/default/bf16"],
    ),
    (
        {"tp": 2, "sp": False, "fsdp2": [False, True], "activation_checkpointing": "selective", "dtypes": "fp32"}
        | {"backends": "default"},
        ["tp2+selective-checkpointing/default/fp32", "fsdp2+tp2+selective-checkpointing/default/fp32"],
    ),
    (
        {"dry": True, "meshes": "dp2xtp4", "sp": True, "activation_checkpointing": True, "enable_gqa": True},
        ["dp2+fsdp2+tp4+sp+checkpointing/default/fp32/gqa"],
    ),
]


@pytest.mark.parametrize(("raw", "names"), NAMES)
def test_a_cell_is_named_after_what_is_switched_on_in_it(raw: dict[str, object], names: list[str]) -> None:
    assert [cell.name for cell in cells_of(decode_options("tp-sp", raw))] == names


def test_the_default_matrix_is_72_combinations_and_the_fields_own() -> None:
    cells = cells_of(TpSp())
    assert len(cells) == 72 + 2
    assert [cell.name for cell in cells[72:]] == [
        "fsdp2+tp2+sp+checkpointing/default/fp32",
        "fsdp2+tp2+sp+checkpointing/default/bf16",
    ]


@pytest.mark.parametrize("probe", OPTIONS)
def test_no_two_cells_of_a_probe_have_one_name(probe: str) -> None:
    needed: dict[str, dict[str, object]] = {
        "module": {"module": "models.py::tiny"},
        "patch": {"probes": {"a": {}, "b": {}}},
    }
    names = [cell.name for cell in cells_of(decode_options(probe, needed.get(probe, {})), ["a", "b"])]
    assert names
    assert len(set(names)) == len(names)


RANKS: list[tuple[str, dict[str, object], int, int]] = [
    ("tp-sp", {}, 2, 2),
    ("tp-sp", {"tp": 4, "dp": 2}, 8, 8),
    ("tp-sp", {"tp": 1, "fsdp2": True}, 2, 2),
    ("tp-sp", {"dry": True}, 1, 1),
    ("recompute", {}, 1, 1),
    ("context-parallel", {}, 1, 2),
    ("sdpa-rule", {}, 1, 2),
    ("sdpa-rule", {"cp": False}, 1, 1),
]


@pytest.mark.parametrize(("probe", "raw", "on_cpu", "on_cuda"), RANKS)
def test_ranks_that_only_a_gpu_could_use_are_not_asked_for_on_a_cpu(
    probe: str, raw: dict[str, object], on_cpu: int, on_cuda: int
) -> None:
    options = decode_options(probe, raw)
    assert (ranks_of(options, "cpu"), ranks_of(options, "cuda")) == (on_cpu, on_cuda)


def test_a_choice_around_the_forward_pass_alone_is_expected_to_fail() -> None:
    raw = {"backends": ["default", "MATH"], "activation_checkpointing": ["wrapper", "reentrant", "none"]}
    expected = {cell.name.split("/bf16")[0]: cell.expect for cell in cells_of(decode_options("recompute", raw))}
    assert expected == {
        "wrapper/default": "ok",
        "wrapper/MATH/forward-only": "checkpoint-mismatch",
        "wrapper/MATH/both": "ok",
        "wrapper/MATH/re-entered": "ok",
        "wrapper/MATH/global": "ok",
        "reentrant/default": "ok",
        "reentrant/MATH/forward-only": "silent-kernel-change",
        "reentrant/MATH/both": "ok",
        "reentrant/MATH/global": "ok",
        "none/default": "ok",
        "none/MATH/forward-only": "ok",
        "none/MATH/both": "ok",
        "none/MATH/global": "ok",
    }


def test_a_job_can_say_what_else_is_right() -> None:
    raw = {"expect": ["*=no-strategy", "aten.cat.*=ok"]}
    expected = {cell.name: cell.expect for cell in cells_of(decode_options("operators", raw))}
    assert expected["aten.alias.default"] == "no-strategy"
    assert expected["aten.cat.default"] == "ok"


def test_operators_as_they_are_come_before_any_patch() -> None:
    cells = cells_of(decode_options("operators", {"patch": "workers/patches.py::apply"}))
    assert [cell.settings["patched"] for cell in cells] == [False] * len(FIELD_OPERATORS) + [True] * len(
        FIELD_OPERATORS
    )


def test_a_patch_that_nobody_can_make_fail_is_judged_only_if_it_is_named() -> None:
    probes: dict[str, dict[str, object]] = {"alias": {"name": "operators"}}
    assert [cell.name for cell in cells_of(Patch(probes=probes), ["alias", "cache"])] == ["alias"]
    assert [cell.name for cell in cells_of(Patch(probes=probes, patches=("cache",)), ["alias", "cache"])] == ["cache"]


MISTAKES = [
    ("tpsp", {}, "there is no probe `tpsp` (did you mean `tp-sp`?); there are: tp-sp, recompute, "),
    ("tp-sp", {"backend": "MATH"}, "it takes no option `backend` (did you mean `backends`?); it takes: activation_"),
    ("tp-sp", {"backends": "FLASHY"}, "`backends`: expected `default`, `any`, or names of kernels joined by `+`"),
    ("tp-sp", {"tp": [1, "two"]}, "`tp`: expected `int`, got `str`; found (1, 'two')"),
    ("tp-sp", {"tp": []}, "`tp` is an empty list, which leaves nothing to run; give it a value"),
    ("tp-sp", {"meshes": "2x4"}, "`meshes`: expected a mesh such as `dp2xtp4`; found ('2x4',)"),
    ("tp-sp", {"dry": 1}, "`dry`: expected `bool`, got `int`; found 1"),
    ("recompute", {"contexts": "backward"}, "`contexts`: invalid enum value 'backward'; found ('backward',)"),
    ("operators", {"patch": "patches.py"}, "`patch`: expected `path.py::function`; found 'patches.py'"),
    ("module", {}, "it needs the option `module`: expected `path.py::function`"),
]


@pytest.mark.parametrize(("probe", "raw", "said"), MISTAKES)
def test_a_mistake_says_what_is_taken_and_what_was_found(probe: str, raw: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        decode_options(probe, raw)
    assert said in str(caught.value)


KEYS = ["activation_checkpointing", "backends", "contexts", "dtypes", "enable_gqa", "head_dims", "lengths", "masks"]


@pytest.mark.parametrize("key", KEYS)
def test_all_is_more_than_what_is_not_said_and_no_less(key: str) -> None:
    everything = getattr(decode_options("recompute", {key: "all"}), key)
    assert set(getattr(decode_options("recompute", {}), key)) <= set(everything)
    assert len(everything) > 1
    assert decode_options("recompute", {key: list(everything)}) == decode_options("recompute", {key: "all"})


@pytest.mark.parametrize("probe", OPTIONS)
def test_the_page_names_every_option_of_a_probe_and_every_probe(probe: str) -> None:
    page = (Path(__file__).parent.parent / "docs" / "smoke" / "probes.md").read_text()
    common, _, _ = page.partition("\n## tp-sp")
    _, heading, rest = page.partition(f"\n## {probe}\n")
    own = rest.split("\n## ")[0]
    assert heading
    for option in OPTIONS[probe].__struct_fields__:
        assert f"`{option}`" in own or f"`{option}:" in own or f"| `{option}` |" in common, option
