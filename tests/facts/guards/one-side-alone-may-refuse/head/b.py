class WorkerV2:
    def setup(self, config):
        self.cfg = config
        tp_size = config["parallel"]["tp_size"]
        cp_size = config["parallel"]["cp_size"]
        assert not (config["lora"] and tp_size > 1), "no LoRA with tensor parallel"
        self.ready = True
