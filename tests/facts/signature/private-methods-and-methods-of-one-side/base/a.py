class Worker:
    def __init__(self, config, *, seed=0):
        self.config = config

    def train(self, data, loss_fn, eval_mode=False):
        return data

    def _step(self, data):
        return data
