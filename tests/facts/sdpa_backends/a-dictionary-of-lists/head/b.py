from torch.nn.attention import SDPBackend, sdpa_kernel

BACKENDS = {
    "ring": [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION],
    "recompute": [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH],
    "plain": [
        SDPBackend.CUDNN_ATTENTION,
        SDPBackend.FLASH_ATTENTION,
        SDPBackend.EFFICIENT_ATTENTION,
        SDPBackend.MATH,
    ],
}


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        kind = "ring" if cfg["cp_size"] > 1 else "recompute" if cfg["activation_checkpointing"] else "plain"
        self.backends = BACKENDS[kind]

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
