class Sampler:
    def setup(self, config):
        temperature = config["temperature"]
        if temperature < 0:
            raise ValueError("too cold")
        self.temperature = temperature
