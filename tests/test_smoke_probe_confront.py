"""Rules about attention kernels held against measured cells."""

import msgspec
import pytest

from consistency_bot.model import Rule, RuleKeys
from consistency_bot.probes import SdpaRule
from consistency_bot.smoke.cells import Cell
from consistency_bot.smoke.combinations import cells_of
from consistency_bot.smoke.confront import Claim, Verdict, claims_of, confront

RULE = Rule(
    "cudnn-off", "workers", "sdpa_backends", RuleKeys(forbid={"CUDNN_ATTENTION": "activation_checkpointing or cp"})
)


def _claim(rule: Rule, backend: str, *, checkpointing: bool, cp: bool) -> Claim:
    return next(
        claim
        for claim in claims_of(rule)
        if (claim.backend, claim.activation_checkpointing, claim.cp) == (backend, checkpointing, cp)
    )


def _measured(name: str, outcome: str, **changed: object) -> Cell:
    """A cell of `sdpa-rule` as if it had been measured."""
    cell = next(cell for cell in cells_of(SdpaRule()) if cell.name == f"{name}/bf16/s448")
    made = Cell(name=cell.name, settings=cell.settings, outcome=outcome, status="pass" if outcome == "ok" else "fail")
    return msgspec.structs.replace(made, **changed)


def test_what_a_rule_does_not_forbid_it_allows() -> None:
    allowed = {(each.backend, each.condition): each.allowed for each in claims_of(RULE)}
    assert len(allowed) == 4 * 4
    assert [key for key, value in allowed.items() if not value] == [
        ("CUDNN_ATTENTION", "not activation_checkpointing and cp"),
        ("CUDNN_ATTENTION", "activation_checkpointing and not cp"),
        ("CUDNN_ATTENTION", "activation_checkpointing and cp"),
    ]


def test_conditions_are_known_by_the_spellings_of_their_atoms() -> None:
    rule = msgspec.structs.replace(
        RULE,
        keys=RuleKeys(forbid={"MATH": "recomputes and not ring"}),
        atoms={"recomputes": ("cfg['activation_checkpointing']",), "ring": ("cp_size > 1",)},
    )
    assert _claim(rule, "MATH", checkpointing=True, cp=False).allowed is False
    assert _claim(rule, "MATH", checkpointing=True, cp=True).allowed is True


@pytest.mark.parametrize(
    ("cells", "backend", "checkpointing", "verdict"),
    [
        ([], "MATH", True, "not-measured"),
        ([_measured("checkpointing/MATH/both", "ok")], "MATH", True, "confirmed"),
        ([_measured("checkpointing/MATH/both", "wrong-numerics")], "MATH", True, "too-lax"),
        ([_measured("checkpointing/MATH/both", "", status="crash")], "MATH", True, "too-lax"),
        ([_measured("plain/MATH/both", "ok")], "MATH", True, "not-measured"),
        ([_measured("checkpointing/MATH/forward-only", "checkpoint-mismatch")], "MATH", True, "not-measured"),
        ([_measured("checkpointing/MATH/both", "", status="skipped-needs-gpu")], "MATH", True, "not-measured"),
        ([_measured("checkpointing/MATH/both", "error", status="flaky")], "MATH", True, "not-measured"),
        ([_measured("checkpointing/MATH/both", "no-kernel", status="unsupported")], "MATH", True, "not-measured"),
        ([_measured("checkpointing/CUDNN_ATTENTION/both", "ok")], "CUDNN_ATTENTION", True, "stricter-than-needed-here"),
        (
            [_measured("checkpointing/CUDNN_ATTENTION/both", "checkpoint-mismatch")],
            "CUDNN_ATTENTION",
            True,
            "confirmed",
        ),
        ([_measured("plain/CUDNN_ATTENTION/both", "ok")], "CUDNN_ATTENTION", False, "confirmed"),
        ([_measured("checkpointing/any/both", "ok")], "MATH", True, "not-measured"),
        ([_measured("checkpointing/any/both", "ok", kernels_forward=("MATH",))], "MATH", True, "confirmed"),
    ],
)
def test_a_claim_is_what_the_cells_that_speak_of_it_say(
    cells: list[Cell], backend: str, checkpointing: bool, verdict: Verdict
) -> None:
    claim = _claim(RULE, backend, checkpointing=checkpointing, cp=False)
    (found,) = confront([claim], cells)
    assert found.verdict == verdict
    assert found.cells == (() if verdict == "not-measured" else (cells[0].name,))


def test_a_choice_that_is_gone_when_the_forward_pass_runs_again_counts_where_somebody_makes_it() -> None:
    cells = [_measured("checkpointing/MATH/forward-only", "checkpoint-mismatch")]
    claim = _claim(RULE, "MATH", checkpointing=True, cp=False)
    (found,) = confront([claim], cells, contexts=("both", "forward-only"))
    assert found.verdict == "too-lax"
    assert found.note == "the rule allows it, and here it ends in checkpoint-mismatch"


def test_a_claim_that_depends_on_what_no_probe_brings_about_is_never_confirmed() -> None:
    rule = msgspec.structs.replace(RULE, keys=RuleKeys(forbid={"MATH": "cp or packed"}))
    alone, ring = (_claim(rule, "MATH", checkpointing=False, cp=cp) for cp in (False, True))
    assert (alone.allowed, alone.asks, ring.allowed) == (None, ("packed",), False)
    (found,) = confront([alone], [_measured("plain/MATH/both", "ok")])
    assert (found.verdict, found.note) == ("not-measured", "it depends on packed, which no probe brings about")
