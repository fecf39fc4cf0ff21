"""The built-in probes: one module each, which measures one cell at a time."""

from collections.abc import Callable

from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker.measured import Measured
from consistency_bot.smoke.worker.probes import tp_sp
from consistency_bot.smoke.worker.scene import Scene

PROBES: dict[str, Callable[[Combination, Scene], Measured]] = {
    "tp-sp": tp_sp.measure,
}
"""What measures a cell of each probe that `options.OPTIONS` names."""
