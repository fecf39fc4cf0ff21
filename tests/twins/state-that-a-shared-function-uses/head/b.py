"""An optimizer that shards gradients."""


class HalfShards:
    """Keeps master weights."""

    def __init__(self, model, device):
        self.model = model
        self.device = device
        self.masters = [weight.float() for weight in model.weights()]
        self.norms = {}
        self.steps = 0

    def step(self, gradients):
        for master, gradient in zip(self.masters, gradients):
            master.sub_(gradient)
        self.steps += 1
