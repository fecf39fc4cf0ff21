from torch.nn.attention import SDPBackend, sdpa_kernel

ALL = {SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH}


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        if cfg["cp_size"] > 1:
            self.backends = ALL - {SDPBackend.CUDNN_ATTENTION, SDPBackend.MATH}
        elif cfg["activation_checkpointing"]:
            self.backends = [each for each in ALL if each is not SDPBackend.CUDNN_ATTENTION]
        else:
            self.backends = list(ALL)

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
