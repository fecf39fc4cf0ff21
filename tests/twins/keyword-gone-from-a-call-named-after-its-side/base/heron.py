"""A model of the heron family."""

from models.common import Block
from models.heron.sharding import set_heron_sharding


class HeronModel:
    """Decoder of Heron."""

    def __init__(self, config, parallel):
        self.blocks = [Block(config) for _ in range(config.layers)]
        self.width = config.width
        self.shard(parallel)

    def shard(self, parallel):
        set_heron_sharding(
            self.blocks,
            loss_parallel=not parallel.whole_loss,
            sequence=parallel.sequence,
        )
