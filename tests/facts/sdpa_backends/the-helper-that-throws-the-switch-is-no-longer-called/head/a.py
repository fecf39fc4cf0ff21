import torch


class Worker:
    def __init__(self, cfg):
        self.cfg = cfg
        if cfg["activation_checkpointing"]:
            pass
        self.model = wrap(cfg, activation_checkpointing=cfg["activation_checkpointing"])

    def train(self, batch):
        loss = self.model(batch)
        loss.backward()
