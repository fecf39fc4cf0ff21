"""Updates an actor whose parameters are sharded."""

import tensors as tt
from losses import aggregate, clipped_policy_loss, kl_penalty
from sharding import clip_sharded_norm, sharded_norm
from batching import append_metrics, split_by_length


class ShardedActor:
    """One optimizer step for each part of the batch."""

    def __init__(self, config, module, optimizer):
        self.config = config
        self.module = module
        self.optimizer = optimizer
        self.autocast = tt.autocast("bfloat16")

    def forward(self, micro, temperature):
        with self.autocast:
            logits = self.module(
                micro["input_ids"], attention_mask=micro["attention_mask"], position_ids=micro["position_ids"]
            )
            logits = logits / temperature
            length = micro["responses"].size(-1)
            logits = logits[:, -length - 1 : -1, :]
            logps = tt.log_softmax(logits, dim=-1).gather(-1, micro["responses"].unsqueeze(-1)).squeeze(-1)
            entropy = tt.entropy(logits)
        return logps, entropy

    def step(self):
        if self.config.grad_clip is not None:
            norm = clip_sharded_norm(self.module, self.config.grad_clip)
        else:
            norm = sharded_norm(self.module)
        if not tt.isfinite(norm):
            self.optimizer.zero_grad()
        else:
            self.optimizer.step()
        return norm

    def update(self, batch, temperature):
        self.module.train()
        metrics = {}
        for _ in range(self.config.epochs):
            for mini in batch.split(self.config.mini_batch_size):
                micros = split_by_length(mini, self.config.longest_micro)
                self.optimizer.zero_grad()
                for micro in micros:
                    mask = micro["response_mask"]
                    logps, entropy = self.forward(micro, temperature)
                    loss, clipped = clipped_policy_loss(
                        micro["old_logps"], logps, micro["advantages"], mask, self.config.clip_ratio
                    )
                    if self.config.entropy_weight:
                        loss = loss - self.config.entropy_weight * aggregate(entropy, mask, self.config.aggregation)
                    if self.config.use_kl:
                        penalty = kl_penalty(logps, micro["reference_logps"], self.config.kl_kind)
                        loss = loss + self.config.kl_weight * aggregate(penalty, mask, self.config.aggregation)
                    loss = loss * (mask.shape[0] / self.config.mini_batch_size)
                    loss.backward()
                    append_metrics(metrics, {"loss": loss.detach().item(), "clipped": clipped.item()})
                append_metrics(metrics, {"norm": self.step().item()})
        self.optimizer.zero_grad()
        return metrics
