class Sampler:
    def setup(self, config):
        heat = config["heat"]
        if heat <= 0:
            raise ValueError("too cold")
        self.heat = heat
