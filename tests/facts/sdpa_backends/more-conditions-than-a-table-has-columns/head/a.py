from torch.nn.attention import SDPBackend, sdpa_kernel


class Worker:
    def __init__(self, cfg):
        self.cfg = cfg
        backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
        if (
            cfg["flag_0"] and
            cfg["flag_1"] and
            cfg["flag_2"] and
            cfg["flag_3"] and
            cfg["flag_4"] and
            cfg["flag_5"] and
            cfg["flag_6"] and
            cfg["flag_7"] and
            cfg["flag_8"] and
            cfg["flag_9"] and
            cfg["flag_10"] and
            cfg["flag_11"] and cfg["flag_12"]
        ):
            backends.append(SDPBackend.MATH)
        self.backends = backends

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
