"""Advantage actor-critic, as a graph."""

import graph as tf
from learning import Columns, accumulated, explained_variance


class ActorCriticLoss:
    """The three parts of the loss, as nodes."""

    def __init__(self, actions, logp, entropies, advantages, targets, values, mask, value_weight=0.5, entropy_weight=0.01):
        self.policy_loss = -tf.reduce_sum(tf.boolean_mask(logp * advantages, mask))
        delta = tf.boolean_mask(values - targets, mask)
        self.value_loss = 0.5 * tf.reduce_sum(tf.square(delta))
        self.entropy = tf.reduce_sum(tf.boolean_mask(entropies, mask))
        self.total = self.policy_loss + self.value_loss * value_weight - self.entropy * entropy_weight


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
    chosen = distribution(logits, model)
    if policy.is_recurrent:
        longest = tf.reduce_max(batch["lengths"])
        mask = tf.reshape(tf.sequence_mask(batch["lengths"], longest), [-1])
    else:
        mask = tf.ones_like(batch[Columns.REWARDS], dtype=tf.bool)
    policy.loss = ActorCriticLoss(
        batch[Columns.ACTIONS],
        chosen.logp(batch[Columns.ACTIONS]),
        chosen.entropy(),
        batch[Columns.ADVANTAGES],
        batch[Columns.TARGETS],
        model.value_function(),
        mask,
        policy.config["value_weight"],
        policy.config["entropy_weight"],
    )
    return policy.loss.total


def stats(policy, batch):
    return {
        "rate": policy.learning_rate,
        "policy_loss": policy.loss.policy_loss,
        "value_loss": policy.loss.value_loss,
        "entropy": policy.loss.entropy,
        "explained": explained_variance(batch[Columns.TARGETS], policy.model.value_function()),
    }


def clip(policy, optimizer, loss):
    pairs = optimizer.compute_gradients(loss, policy.variables)
    gradients, _ = tf.clip_by_global_norm([each for each, _ in pairs], policy.config["grad_clip"])
    return list(zip(gradients, policy.variables))
