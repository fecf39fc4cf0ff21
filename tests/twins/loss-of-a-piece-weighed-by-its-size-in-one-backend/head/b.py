"""Updates an actor that is cut into stages and slices."""

import tensors as tt
from losses import aggregate, clipped_policy_loss, kl_penalty
from stages import forward_backward, gather_vocabulary, is_last_stage
from batching import append_metrics, split_by_length


class StagedActor:
    """One optimizer step for each part of the batch, run through the stages."""

    def __init__(self, config, chunks, optimizer):
        self.config = config
        self.chunks = chunks
        self.optimizer = optimizer

    def loss_of(self, output, micro):
        """What the last stage makes of its output for one piece."""
        metrics = {}
        mask = micro["response_mask"]
        length = micro["responses"].size(-1)
        logits = output[:, -length - 1 : -1, :]
        logps, entropy = gather_vocabulary(logits, micro["responses"])
        loss, clipped = clipped_policy_loss(
            micro["old_logps"], logps, micro["advantages"], mask, self.config.clip_ratio
        )
        if self.config.entropy_weight:
            loss = loss - self.config.entropy_weight * aggregate(entropy, mask, self.config.aggregation)
        if self.config.use_kl:
            penalty = kl_penalty(logps, micro["reference_logps"], self.config.kl_kind)
            loss = loss + self.config.kl_weight * aggregate(penalty, mask, self.config.aggregation)
        append_metrics(metrics, {"loss": loss.detach().item(), "clipped": clipped.item()})
        return loss, metrics

    def forward_step(self, iterator, chunk):
        micro = next(iterator)
        output = chunk(
            micro["input_ids"], attention_mask=micro["attention_mask"], position_ids=micro["position_ids"]
        )
        return output, lambda output: self.loss_of(output, micro)

    def update(self, batch, temperature):
        metrics = {}
        for chunk in self.chunks:
            chunk.train()
        for _ in range(self.config.epochs):
            for mini in batch.split(self.config.mini_batch_size):
                micros = split_by_length(mini, self.config.longest_micro)
                self.optimizer.zero_grad()
                for chunk in self.chunks:
                    chunk.zero_grad_buffer()
                results = forward_backward(self.forward_step, micros, self.chunks, count=len(micros))
                if is_last_stage():
                    for result in results:
                        append_metrics(metrics, result)
                done, norm, _ = self.optimizer.step()
                if not done:
                    raise RuntimeError("an update of staged parameters must not be skipped")
                append_metrics(metrics, {"norm": norm})
        self.optimizer.zero_grad()
        return metrics
