import contextlib


class Worker:
    def __init__(self, config):
        self.cfg = config
        self.cp_size = self.cfg["parallel"]["cp_size"]
        self.model = parallelize(
            build(self.cfg), activation_checkpointing=self.cfg["parallel"]["activation_checkpointing"]
        )

    def make_cp_context(self, mesh):
        return context_parallel(mesh)

    @staticmethod
    @contextlib.contextmanager
    def train_context(cp_context=None):
        with contextlib.ExitStack() as stack:
            if cp_context is not None:
                from torch.nn.attention import SDPBackend, sdpa_kernel

                stack.enter_context(sdpa_kernel([SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]))
                stack.enter_context(cp_context)
            yield

    def train(self, batches):
        for batch in list(batches):
            cp_context = None
            if self.cp_size > 1:
                cp_context = self.make_cp_context(self.mesh)
            with Worker.train_context(cp_context):
                loss = self.model(batch)
                loss.backward()
