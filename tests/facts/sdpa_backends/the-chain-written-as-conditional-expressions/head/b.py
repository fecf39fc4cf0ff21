from torch.nn.attention import SDPBackend, sdpa_kernel


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        recompute = self.cfg["activation_checkpointing"]
        several = self.cfg["cp_size"] >= 2
        everything = [
            SDPBackend.CUDNN_ATTENTION,
            SDPBackend.FLASH_ATTENTION,
            SDPBackend.EFFICIENT_ATTENTION,
            SDPBackend.MATH,
        ]
        self.backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION] if several else ([SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH] if recompute else everything)

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
