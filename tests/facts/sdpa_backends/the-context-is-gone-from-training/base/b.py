from torch.nn.attention import SDPBackend, sdpa_kernel


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        if cfg["cp_size"] > 1:
            self.backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
        elif cfg["activation_checkpointing"]:
            self.backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
        else:
            self.backends = [
            SDPBackend.CUDNN_ATTENTION,
            SDPBackend.FLASH_ATTENTION,
            SDPBackend.EFFICIENT_ATTENTION,
            SDPBackend.MATH,
        ]

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
