from torch.nn.attention import SDPBackend, sdpa_kernel


class Worker:
    def __init__(self, cfg):
        self.cfg = cfg
        packed = cfg["packed"]
        self.model = Model.from_pretrained(cfg["name"], attn_implementation="flash_attention_2" if packed else None)
        self.backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH] if cfg["activation_checkpointing"] and not packed else [
            SDPBackend.CUDNN_ATTENTION,
            SDPBackend.FLASH_ATTENTION,
            SDPBackend.EFFICIENT_ATTENTION,
            SDPBackend.MATH,
        ]

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
