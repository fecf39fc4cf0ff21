from torch.nn.attention import SDPBackend, sdpa_kernel


class Worker:
    def __init__(self, cfg):
        self.cfg = cfg
        if cfg["cp_size"] > 1:
            self.backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
        elif cfg["flag_0"] and cfg["flag_1"] and cfg["flag_2"] and cfg["flag_3"] and cfg["flag_4"] and cfg["flag_5"] and cfg["flag_6"] and cfg["flag_7"] and cfg["flag_8"] and cfg["flag_9"] and cfg["flag_10"] and cfg["flag_11"]:
            self.backends = [
        SDPBackend.CUDNN_ATTENTION,
        SDPBackend.FLASH_ATTENTION,
        SDPBackend.EFFICIENT_ATTENTION,
        SDPBackend.MATH,
    ]
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
