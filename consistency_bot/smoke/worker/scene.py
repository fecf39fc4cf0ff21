"""What a probe has at hand while it measures a cell."""

from pathlib import Path

import msgspec
import torch

from consistency_bot.smoke.cells import Order
from consistency_bot.smoke.options import Options
from consistency_bot.smoke.worker.ranks import Ranks


class Scene(msgspec.Struct, frozen=True):
    """The order, what its options mean, and the processes of the run."""

    order: Order
    options: Options
    ranks: Ranks

    @property
    def device(self) -> torch.device:
        """This rank's device."""
        return self.ranks.device

    @property
    def repository(self) -> Path:
        """The checkout of the code under check."""
        return Path(self.order.repository).resolve()
