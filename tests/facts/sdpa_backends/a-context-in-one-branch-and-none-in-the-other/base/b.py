from torch.nn.attention import SDPBackend, sdpa_kernel


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = wrap(cfg)

    def train(self, batch):
        if self.cfg["skip"]:
            return
        with autocast():
            if self.cfg["cp_size"] > 1:
                with sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]):
                    loss = self.model(batch)
                    loss.backward()
            else:
                loss = self.model(batch)
                loss.backward()
