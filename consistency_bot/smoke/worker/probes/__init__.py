"""The built-in probes: one module each, which measures one cell at a time."""

from collections.abc import Callable
from warnings import WarningMessage, catch_warnings, showwarning, simplefilter

import msgspec

from consistency_bot.smoke.combinations import Combination, is_told
from consistency_bot.smoke.worker.measured import Measured, measured_error
from consistency_bot.smoke.worker.probes import (
    context_parallel,
    module,
    operators,
    patch,
    recompute,
    sdpa_rule,
    tp_sp,
)
from consistency_bot.smoke.worker.scene import Scene

PROBES: dict[str, Callable[[Combination, Scene], Measured]] = {
    "tp-sp": tp_sp.measure,
    "recompute": recompute.measure,
    "context-parallel": context_parallel.measure,
    "operators": operators.measure,
    "patch": patch.measure,
    "sdpa-rule": sdpa_rule.measure,
    "module": module.measure,
}
"""What measures a cell of each probe that `consistency_bot.probes.OPTIONS` names."""

EXPECTATIONS: dict[str, Callable[[Combination, Scene], str]] = {
    "recompute": recompute.expectation,
    "operators": operators.expectation,
    "patch": patch.expectation,
    "sdpa-rule": sdpa_rule.expectation,
}
"""What a cell is to end in that only measuring can tell; empty where it is as the cell says."""

_REASONS = 400
"""Characters of the reasons why there is no kernel."""

_SHOWN: set[str] = set()
"""Warnings that this process has shown."""


def measured_by(probe: str, cell: Combination, scene: Scene) -> Measured:
    """What this rank finds in a cell, or what it fails with; and what is to be expected of it here."""
    with catch_warnings(record=True) as warned:
        simplefilter("always")
        found = _measured(probe, cell, scene)
    for each in warned:
        _show(each)
    if found.outcome == "no-kernel":
        # PyTorch warns of its reasons for each kernel that it cannot take, and then raises without them.
        return msgspec.structs.replace(found, note=" ".join(str(each.message) for each in warned)[:_REASONS])
    if probe not in EXPECTATIONS or found.outcome == "error" or is_told(cell.name, scene.options):
        return found
    return msgspec.structs.replace(found, expect=EXPECTATIONS[probe](cell, scene))


def _show(warned: WarningMessage) -> None:
    """Once for all cells, as Python does by itself where nobody listens."""
    if str(warned.message) not in _SHOWN:
        _SHOWN.add(str(warned.message))
        showwarning(warned.message, warned.category, warned.filename, warned.lineno)


def _measured(probe: str, cell: Combination, scene: Scene) -> Measured:
    try:
        return PROBES[probe](cell, scene)
    # What torch, a driver or a team's own model raises nobody can list; it is what a smoke job is there to find out.
    except Exception as error:  # noqa: BLE001
        return measured_error(error, scene.ranks.rank, scene.repository)
