"""The worker whose plan is written by hand."""

from tensors import all_reduce, build_model, clip_gradients, make_optimizer

from fixes import install_alias_rule, install_kernel_rule


class LegacyWorker:
    """Trains one shard."""

    BUCKET_SIZE = 25

    def __init__(self, config, rank, seed=0):
        install_kernel_rule()
        install_alias_rule()
        self.config = config
        self.rank = rank
        self.tensor_ranks = config["parallel"]["tensor"]
        self.ring_ranks = config["parallel"]["ring"]
        if self.ring_ranks > 1 and config["packed"]:
            raise ValueError("ring attention cannot read packed input")
        self.model = build_model(config["model"], seed=seed, dtype=config["precision"])
        self.optimizer = make_optimizer(self.model, lr=config["lr"], fused=True)

    def train(self, batch, loss_fn, micro=4):
        """One optimizer step."""
        losses = []
        for chunk in batch.split(micro):
            logits = self.model(chunk["tokens"], chunk["positions"])
            logits /= self.config["temperature"]
            loss, metrics = loss_fn(logits, chunk, normalize=True)
            loss *= self.tensor_ranks * self.ring_ranks
            loss.backward()
            losses.append(loss.item())
        norm = clip_gradients(self.model, limit=self.config["max_norm"])
        self.optimizer.step()
        total = all_reduce(sum(losses), group="data")
        return {"loss": total, "norm": norm, "rank": self.rank}

    def save(self, path, with_optimizer=True):
        state = {"model": self.model.state(), "rank": self.rank}
        if with_optimizer:
            state["optimizer"] = self.optimizer.state()
        path.write(state)
