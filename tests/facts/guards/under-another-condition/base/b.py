class WorkerV2:
    def setup(self, config):
        self.cfg = config
        tp_size = config["parallel"]["tp_size"]
        cp_size = config["parallel"]["cp_size"]
        if config["sequence_parallel"] and tp_size > 1:
            raise RuntimeError("sequence parallel is broken")
        self.ready = True
