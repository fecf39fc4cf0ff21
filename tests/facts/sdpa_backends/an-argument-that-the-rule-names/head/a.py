from torch.nn.attention import SDPBackend


class Worker:
    def __init__(self, cfg):
        self.cfg = cfg
        chosen = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH] if cfg["packed"] and not cfg["fast"] else None
        self.model = Model(cfg["name"], kernels=chosen)

    def train(self, batch):
        loss = self.model(batch)
        loss.backward()
