import torch
from torch.nn.attention import SDPBackend


class TrainerV2:
    def __init__(self, cfg):
        self.cfg = cfg
        self.tp_size = cfg["mesh"]["tp_size"]
        torch.distributed.init_process_group("nccl")
        cp_size = cfg["mesh"]["cp_size"]
        kernels = None
        if cp_size > 1 or cfg["memory"]["recompute"]:
            kernels = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
        self.net = AutoNet.from_config(cfg["net"], sdpa_method=kernels)
        self.plan = Plan(cp_size=cp_size, activation_checkpointing=cfg["memory"]["recompute"])

    def fit(self, shards):
        for shard_of_rank in shards:
            self.net(shard_of_rank).loss.backward()
