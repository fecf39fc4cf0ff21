"""A trainer for many machines: the same steps as methods."""

from metrics import Meter, explained_variance
from schedule import warm_up

SCALES = frozenset({"head.scale", "body.scale"})


def is_exported(name):
    if name.endswith(".frozen"):
        return False
    if name in SCALES:
        return name.startswith("head.")
    return not name.startswith("buffer.")


class ClusterTrainer:
    """Holds what the functions of the other side are given."""

    def __init__(self, settings, model, cluster):
        self.settings = settings
        self.model = model
        self.cluster = cluster

    def prepare(self):
        rings = self.settings["parallel"]["rings"]
        if self.settings["accumulate"] < 1:
            raise ValueError("accumulate must be at least 1")
        optimizer = self.model.optimizer(lr=self.settings["lr"], betas=(0.9, 0.95))
        schedule = warm_up(optimizer, steps=self.settings["warm_up"], floor=0.1)
        return optimizer, schedule, rings

    def update(self, optimizer, batch):
        meter = Meter()
        advantages = batch["returns"] - batch["values"]
        spread = advantages.std() + 1e-8
        advantages = (advantages - advantages.mean()) / spread
        for epoch in range(self.settings["epochs"]):
            for part in batch.shuffled(self.settings["minibatch"]):
                ratio = (self.model.log_prob(part) - part["old_log_prob"]).exp()
                clipped = ratio.clamp(1 - self.settings["clip"], 1 + self.settings["clip"])
                loss = -(ratio * part["advantages"]).minimum(clipped * part["advantages"]).mean()
                if self.settings["entropy"] > 0 and epoch > 0:
                    loss -= self.settings["entropy"] * self.model.entropy(part)
                optimizer.zero_grad()
                loss.backward()
                self.cluster.reduce_gradients(self.model)
                optimizer.step()
                meter.add(loss=float(loss), kl=float((1 - ratio).mean()))
            if meter.mean("kl") > self.settings["stop_kl"]:
                break
        quality = explained_variance(batch["values"], batch["returns"])
        return {"quality": quality, **meter.means()}

    def export(self, folder):
        weights = {}
        for name, tensor in self.model.items():
            if not is_exported(name):
                continue
            weights[name] = tensor.to(self.settings["export_type"])
        folder.write("weights", weights)
        folder.write("settings", self.settings)
