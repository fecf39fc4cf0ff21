class WorkerV2:
    def setup(self, config):
        self.cfg = config
        tp_size = config["parallel"]["tp_size"]
        cp_size = config["parallel"]["cp_size"]
        try:
            self.load()
        except OSError:
            self.close()
            raise
        self.ready = True

    def later(self):
        raise NotImplementedError("later")
