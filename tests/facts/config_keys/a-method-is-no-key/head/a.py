class Worker:
    def setup(self, config):
        self.cfg = config
        self.size = self.cfg["parallel"]["size"]
        for name, value in config.items():
            self.log(name, value)
        config["done"] = True
        self.first = batch["ids"]
        self.ready = True
