class Worker:
    def setup(self, config):
        self.cfg = config
        tp_size = config["parallel"]["tp_size"]
        cp_size = config["parallel"]["cp_size"]
        if cp_size > 1:
            assert not isinstance(self.model, Gemma3ForCausalLM), "context parallel is not supported for Gemma3"
        self.ready = True
