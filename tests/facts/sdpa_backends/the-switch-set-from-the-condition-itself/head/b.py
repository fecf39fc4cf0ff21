import torch


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        if cfg["activation_checkpointing"]:
            torch.backends.cuda.enable_cudnn_sdp(False)
        self.model = wrap(cfg, activation_checkpointing=cfg["activation_checkpointing"])

    def train(self, batch):
        loss = self.model(batch)
        loss.backward()
