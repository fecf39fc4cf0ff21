"""An optimizer that shards everything."""


class WholeShards:
    """Keeps master weights."""

    def __init__(self, model, device):
        self.model = model
        self.device = device
        self.masters = [weight.float() for weight in model.weights()]
        self.norms = {}
        self.parked = set()
        self.steps = 0

    def step(self, gradients):
        for master, gradient in zip(self.masters, gradients):
            master.sub_(gradient)
        self.steps += len(self.parked) + 1
