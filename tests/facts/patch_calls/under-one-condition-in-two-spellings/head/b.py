import torch
from patches import apply_alias_patch, apply_engine_patch, configure_cache


class WorkerV2:
    def setup(self, config):
        """Sets the worker up."""
        self.cfg = config
        self._patch(config)
        torch.distributed.init_process_group(backend="nccl")
        self.model = Model.from_pretrained(config["model_name"])

    def _patch(self, cfg):
        if cfg["eager"]:
            return
        if 1 < cfg["parallel"].get("tp_size", 1):
            apply_alias_patch()
