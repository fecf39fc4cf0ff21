class WorkerV2:
    def setup(self, config):
        self.cfg = config
        tp_size = config["parallel"]["tp_size"]
        cp_size = config["parallel"]["cp_size"]
        if config["packing"]:
            self.packer = Packer(config)
        self.ready = True
