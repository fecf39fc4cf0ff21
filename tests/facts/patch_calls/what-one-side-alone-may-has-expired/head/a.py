import torch
from patches import apply_alias_patch, apply_engine_patch, configure_cache


class Worker:
    def setup(self, config):
        """Sets the worker up."""
        self.cfg = config
        torch.distributed.init_process_group(backend="nccl")
        self.model = Model.from_pretrained(config["model_name"])
        self.ready = True
