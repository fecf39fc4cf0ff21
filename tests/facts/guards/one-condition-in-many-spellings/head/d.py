class Worker:
    def setup(self, config):
        self.cfg = config
        tp_size = config["parallel"]["tp_size"]
        cp_size = config["parallel"]["cp_size"]
        self._check(config["sequence_parallel"], tp_size)
        self.ready = True

    def _check(self, wanted, size):
        if not wanted:
            return
        if size > 1:
            raise RuntimeError("sequence parallel is broken")
