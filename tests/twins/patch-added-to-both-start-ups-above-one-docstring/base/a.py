import contextlib

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel


class Trainer:
    def __init__(self, cfg):
        """Starts a trainer on this rank."""
        self.cfg = cfg
        self.cp_size = cfg["mesh"]["cp_size"]
        self.tp_size = cfg["mesh"]["tp_size"]
        if cfg["mesh"]["sequence_parallel"] and self.tp_size > 1:
            raise RuntimeError("sequence parallel is broken in this version of torch")
        torch.distributed.init_process_group("nccl")
        self.net = shard(load(cfg["net"]), activation_checkpointing=cfg["memory"]["recompute"])

    @contextlib.contextmanager
    def step_context(self, split):
        with contextlib.ExitStack() as opened:
            if split is not None:
                opened.enter_context(sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION, SDPBackend.FLASH_ATTENTION]))
                opened.enter_context(split)
            yield

    def fit(self, shards):
        for shard_of_rank in shards:
            split = split_sequence(self.mesh) if self.cp_size > 1 else None
            with self.step_context(split):
                self.net(shard_of_rank).loss.backward()
