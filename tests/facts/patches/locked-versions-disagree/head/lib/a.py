import torch.distributed as dist
from lib.patches import apply_alias_patch


class Worker:
    def setup(self, config):
        apply_alias_patch()
        dist.init_process_group(config["backend"])
