from torch.nn.attention import SDPBackend, sdpa_kernel


def choose(cp_size, recompute=False):
    chosen = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
    if cp_size > 1:
        return chosen
    return [*chosen, SDPBackend.MATH] if recompute else [*chosen, SDPBackend.MATH, SDPBackend.CUDNN_ATTENTION]


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        self.backends = choose(cfg.get("cp_size", 1), bool(cfg.get("activation_checkpointing", False)))

    def train(self, batch):
        with sdpa_kernel(self.backends):
            loss = self.model(batch)
            loss.backward()
