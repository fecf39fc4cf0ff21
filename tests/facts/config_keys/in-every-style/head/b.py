class Worker:
    def setup(self, config):
        self.cfg = config
        parallel = config["parallel"]
        self.size = parallel["size"]
        self.seed = config.get("seed")
        self.rank = getattr(parallel, "rank", 0)
        self.ready = True
