import torch
from patches import apply_alias_patch, apply_engine_patch, configure_cache


class WorkerV2:
    def setup(self, config):
        """Sets the worker up."""
        self.cfg = config
        configure_cache()
        apply_alias_patch()
        torch.distributed.init_process_group(backend="nccl")
        self.model = Model.from_pretrained(config["model_name"])
