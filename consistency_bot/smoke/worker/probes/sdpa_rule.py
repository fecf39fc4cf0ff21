"""What rules about attention kernels speak of, measured: `confront.py` then holds the rules against it."""

from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker.measured import Measured
from consistency_bot.smoke.worker.probes import context_parallel, recompute
from consistency_bot.smoke.worker.scene import Scene


def measure(cell: Combination, scene: Scene) -> Measured:
    """One kernel under one condition."""
    if cell.settings["cp"] == 1:
        return recompute.measure(cell, scene)
    return context_parallel.measure(cell, scene)


def expectation(cell: Combination, scene: Scene) -> str:
    """What else than in general is expected on this machine; empty if nothing."""
    return recompute.expectation(cell, scene) if cell.settings["cp"] == 1 else ""
