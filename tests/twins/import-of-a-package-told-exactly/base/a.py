"""Loads weights for one process serving."""

import logging
from typing import Mapping

from serving.weights import patch_loader, read_shards
from serving.memory import release

log = logging.getLogger(__name__)


def load(model, folder, device):
    patch_loader(model)
    for name, shard in read_shards(folder):
        model.load(name, shard.to(device))
        log.info("loaded %s", name)
    release()
    return model
