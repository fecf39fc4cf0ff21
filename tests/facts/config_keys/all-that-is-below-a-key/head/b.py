class B:
    def setup(self, config):
        self.cfg = config
        self.size = self.cfg["parallel"]["size"]
        self.scheduler = Scheduler(name=config["scheduler"]["name"])
        self.ready = True
