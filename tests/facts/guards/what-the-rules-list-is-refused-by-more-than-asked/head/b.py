class WorkerV2:
    def setup(self, config):
        self.cfg = config
        tp_size = config["parallel"]["tp_size"]
        cp_size = config["parallel"]["cp_size"]
        if tp_size > 1:
            if config["sequence_parallel"] and cp_size > 1:
                raise RuntimeError("not with cp")
            if config["sequence_parallel"] and cp_size == 1:
                raise RuntimeError("nor without")
        self.ready = True
