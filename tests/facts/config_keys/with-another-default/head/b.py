class B:
    def setup(self, config):
        self.cfg = config
        self.size = config["parallel"].get("size", 1)
        self.ready = True
