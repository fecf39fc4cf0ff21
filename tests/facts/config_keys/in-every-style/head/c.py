class Worker:
    def setup(self, config):
        self.cfg = config
        self.parallel = config.parallel
        self.seed = config.get("seed", None)
        self.ready = True

    def run(self):
        return self.parallel.size + self.parallel.get("rank", 0)
