from contextlib import ExitStack, contextmanager, nullcontext
from functools import partial

from torch.nn.attention import SDPBackend, sdpa_kernel


class WorkerB:
    def __init__(self, cfg):
        self.cfg = cfg
        if cfg["cp_size"] > 1:
            self.backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
        elif cfg["activation_checkpointing"]:
            self.backends = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]
        else:
            self.backends = [
            SDPBackend.CUDNN_ATTENTION,
            SDPBackend.FLASH_ATTENTION,
            SDPBackend.EFFICIENT_ATTENTION,
            SDPBackend.MATH,
        ]
        self.context = partial(sdpa_kernel, self.backends)

    @contextmanager
    def training(self):
        with ExitStack() as stack:
            for context in (self.context(), nullcontext()):
                stack.enter_context(context)
            yield

    def train(self, batch):
        with self.training(), autocast():
            loss = self.model(batch)
            loss.backward()
