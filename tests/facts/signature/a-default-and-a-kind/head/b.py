class WorkerV2:
    def __init__(self, config, *, seed=0):
        self.config = config

    def train(self, data, loss_fn, eval_mode=True, *, gbs=1):
        return data

    def _step(self, data):
        return data
