import torch.distributed as dist
from . import patches as fixes


class Worker:
    def setup(self, config):
        fixes.apply_alias_patch()
        dist.init_process_group(config["backend"])
