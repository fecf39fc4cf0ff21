from torch.nn.attention import SDPBackend, sdpa_kernel


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
        if (
            cfg["flag_7"] and
            cfg["flag_8"] and
            cfg["flag_9"] and
            cfg["flag_10"] and
            cfg["flag_11"] and
            cfg["flag_12"] and
            cfg["flag_13"]
        ):
            backends.append(SDPBackend.MATH)
        self.backends = backends

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
