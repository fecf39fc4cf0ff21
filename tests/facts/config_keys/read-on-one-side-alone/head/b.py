class B:
    def setup(self, config):
        self.cfg = config
        self.size = self.cfg["parallel"]["size"]
        self.rank = self.cfg["parallel"]["rank"]
        self.ready = True
