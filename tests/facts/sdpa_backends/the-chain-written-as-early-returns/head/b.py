from torch.nn.attention import SDPBackend, sdpa_kernel


ALL = [
    SDPBackend.CUDNN_ATTENTION,
    SDPBackend.FLASH_ATTENTION,
    SDPBackend.EFFICIENT_ATTENTION,
    SDPBackend.MATH,
]


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        self.backends = self._backends()

    def _backends(self):
        if self.cfg["cp_size"] > 1:
            return [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
        if self.cfg["activation_checkpointing"]:
            return [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
        return list(ALL)

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
