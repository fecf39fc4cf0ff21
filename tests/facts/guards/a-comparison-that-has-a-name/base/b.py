class Sampler:
    def setup(self, config):
        heat = config["heat"]
        if not heat >= 0:
            raise ValueError("too cold")
        self.heat = heat
