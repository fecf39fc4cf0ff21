class Worker:
    def setup(self, config):
        self.cfg = config
        tp_size = config["parallel"]["tp_size"]
        cp_size = config["parallel"]["cp_size"]
        self.ready = True
