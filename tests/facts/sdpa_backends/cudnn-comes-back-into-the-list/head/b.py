from torch.nn.attention import SDPBackend, sdpa_kernel


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        cp_size = cfg["cp_size"]
        if cp_size > 1:
            backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
        elif cfg["activation_checkpointing"]:
            backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
        else:
            backends = [
                SDPBackend.CUDNN_ATTENTION,
                SDPBackend.FLASH_ATTENTION,
                SDPBackend.EFFICIENT_ATTENTION,
                SDPBackend.MATH,
            ]
        self.backends = backends

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
