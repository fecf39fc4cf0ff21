class Worker:
    def setup(self, config):
        self.cfg = config
        tp_size = config["parallel"]["tp_size"]
        cp_size = config["parallel"]["cp_size"]
        assert not (1 < tp_size and config["sequence_parallel"]), "sequence parallel is broken"
        self.ready = True
