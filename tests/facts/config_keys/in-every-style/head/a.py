class Worker:
    def setup(self, config):
        self.cfg = config
        self.size = self.cfg["parallel"]["size"]
        if "seed" in config:
            self.seed = config["seed"]
        self.rank = config["parallel"].get("rank", 0)
        self.ready = True
