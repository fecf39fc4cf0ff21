"""Advantage actor-critic, on eager tensors."""

import eager
from learning import Columns, accumulated


def postprocess(policy, batch, others=None, episode=None):
    """The batch with advantages; the last value is guessed where the episode goes on."""
    completed = batch[Columns.DONES][-1]
    if policy.is_recurrent:
        states = [batch[f"state_out_{i}"][-1] for i in range(policy.state_count)]
    else:
        states = []
    last = 0.0 if completed else policy.value(batch[Columns.NEXT][-1], *states)
    return accumulated(batch, last, policy.config["discount"], policy.config["lambda"], policy.config["use_gae"])


def loss(policy, model, distribution, batch):
    logits, _ = model.from_batch(batch)
    values = model.value_function()
    chosen = distribution(logits, model)
    logp = chosen.logp(batch[Columns.ACTIONS]).reshape(-1)
    policy.entropy = chosen.entropy().mean()
    policy.policy_loss = -(batch[Columns.ADVANTAGES] * logp).sum()
    policy.value_loss = eager.functional.mse_loss(values.reshape(-1), batch[Columns.TARGETS])
    return sum(
        [
            policy.policy_loss,
            policy.config["value_weight"] * policy.value_loss,
            -policy.config["entropy_weight"] * policy.entropy,
        ]
    )


def stats(policy, batch):
    return {
        "rate": policy.learning_rate,
        "policy_loss": policy.policy_loss.item(),
        "value_loss": policy.value_loss.item(),
        "entropy": policy.entropy.item(),
    }


def clip(policy, optimizer, loss):
    info = {}
    if policy.config["grad_clip"]:
        for group in optimizer.groups:
            parameters = [each for each in group["parameters"] if each.grad is not None]
            info["norm"] = eager.clip_grad_norm(parameters, policy.config["grad_clip"])
    return info
