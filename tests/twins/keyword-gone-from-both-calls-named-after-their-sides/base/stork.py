"""A model of the stork family."""

from models.common import Block
from models.stork.sharding import set_stork_sharding


class StorkModel:
    """Decoder of Stork."""

    def __init__(self, config, parallel):
        self.blocks = [Block(config) for _ in range(config.layers)]
        self.width = config.width
        self.shard(parallel)

    def shard(self, parallel):
        set_stork_sharding(
            self.blocks,
            loss_parallel=not parallel.whole_loss,
            sequence=parallel.sequence,
        )
