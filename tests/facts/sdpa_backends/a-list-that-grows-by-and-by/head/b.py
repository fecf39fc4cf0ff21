from torch.nn.attention import SDPBackend, sdpa_kernel


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        cp = cfg["cp_size"]
        backends = [SDPBackend.FLASH_ATTENTION]
        backends.append(SDPBackend.EFFICIENT_ATTENTION)
        if cp == 1:
            backends += [SDPBackend.MATH, SDPBackend.CUDNN_ATTENTION]
            if cfg["activation_checkpointing"]:
                backends.remove(SDPBackend.CUDNN_ATTENTION)
        self.backends = backends

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
