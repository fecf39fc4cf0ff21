from torch.nn.attention import SDPBackend as Backend


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        if cfg["cp_size"] > 1:
            self.backends = [Backend.FLASH_ATTENTION, Backend.EFFICIENT_ATTENTION]
        elif cfg["activation_checkpointing"]:
            self.backends = [Backend.FLASH_ATTENTION, Backend.EFFICIENT_ATTENTION, Backend.MATH]
        else:
            self.backends = [
            Backend.CUDNN_ATTENTION,
            Backend.FLASH_ATTENTION,
            Backend.EFFICIENT_ATTENTION,
            Backend.MATH,
        ]

    def train(self, batch):
        from torch.nn import attention
        from torch.nn.attention import sdpa_kernel as kernel

        with kernel(backends=self.backends):
            loss = self.model(batch)
            loss.backward()
