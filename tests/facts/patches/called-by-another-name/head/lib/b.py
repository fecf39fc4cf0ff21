import torch.distributed as dist
from lib import apply_alias_patch as mend


class WorkerV2:
    def setup(self, config):
        mend()
        dist.init_process_group(config["backend"])
