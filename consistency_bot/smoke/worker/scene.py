"""What a probe has at hand while it measures a cell."""

from pathlib import Path

import msgspec
import torch

from consistency_bot.probes import Options
from consistency_bot.smoke.cells import Order
from consistency_bot.smoke.worker.kernels import AttentionLog
from consistency_bot.smoke.worker.ranks import Ranks


class Scene(msgspec.Struct, frozen=True):
    """The order, what its options mean, the processes of the run, and the log of this cell's attention kernels.

    What the log holds at the end goes into the cell, also where it ends in an error.
    """

    order: Order
    options: Options
    ranks: Ranks
    log: AttentionLog

    @property
    def device(self) -> torch.device:
        """This rank's device."""
        return self.ranks.device

    @property
    def repository(self) -> Path:
        """The checkout of the code under check."""
        return Path(self.order.repository).resolve()
