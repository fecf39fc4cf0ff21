"""A training loop of plain functions, for one machine."""

from metrics import Meter, explained_variance
from schedule import warm_up


def prepare(settings, model):
    """The optimizer and its schedule."""
    rings = settings["parallel"]["rings"]
    if settings["accumulate"] < 1:
        raise ValueError("accumulate must be at least 1")
    optimizer = model.optimizer(lr=settings["lr"], betas=(0.9, 0.95))
    schedule = warm_up(optimizer, steps=settings["warm_up"], floor=0.1)
    return optimizer, schedule, rings


def update(settings, model, optimizer, batch):
    """One update; returns the metrics."""
    meter = Meter()
    advantages = batch["returns"] - batch["values"]
    spread = advantages.std() + 1e-8
    advantages = (advantages - advantages.mean()) / spread
    for epoch in range(settings["epochs"]):
        for part in batch.shuffled(settings["minibatch"]):
            ratio = (model.log_prob(part) - part["old_log_prob"]).exp()
            clipped = ratio.clamp(1 - settings["clip"], 1 + settings["clip"])
            loss = -(ratio * part["advantages"]).minimum(clipped * part["advantages"]).mean()
            if settings["entropy"] > 0 and epoch > 0:
                loss -= settings["entropy"] * model.entropy(part)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            meter.add(loss=float(loss), kl=float((1 - ratio).mean()))
        if meter.mean("kl") > settings["stop_kl"]:
            break
    quality = explained_variance(batch["values"], batch["returns"])
    return {"quality": quality, **meter.means()}


def export(settings, model, folder):
    """Writes the weights that an inference server reads."""

    def is_exported(name):
        if name.endswith(".frozen"):
            return False
        if name.endswith(".scale"):
            return False
        return not name.startswith("buffer.")

    weights = {}
    for name, tensor in model.items():
        if not is_exported(name):
            continue
        weights[name] = tensor.to(settings["export_type"])
    folder.write("weights", weights)
    folder.write("settings", settings)
