class B:
    def setup(self, config):
        self.cfg = config
        self.size = self.cfg["parallel"]["size"]
        self.ready = True
