from torch.nn.attention import SDPBackend


class WorkerB:
    def __init__(self, config):
        self.cfg = config
        cp = self.cfg["parallel"]["cp_size"]
        if cp > 1:
            sdpa_method = [SDPBackend.FLASH_ATTENTION, SDPBackend.EFFICIENT_ATTENTION]
        else:
            sdpa_method = None
        self.model = Model.from_pretrained(self.cfg["name"])
        self.manager = Manager(activation_checkpointing=self.cfg["parallel"]["activation_checkpointing"])

    def train(self, batches):
        for batch in batches:
            loss = self.model(batch)
            loss.backward()
