"""Loads weights for staged serving."""

import logging

from serving.weights import patch_loader, read_shards
from serving.memory import release

log = logging.getLogger(__name__)


def load(model, folder, stage):
    patch_loader(model)
    for name, shard in read_shards(folder):
        model.load(name, shard.to(stage))
        log.info("loaded %s", name)
    release()
    return model
