"""Trains a policy on answers, each measured against the others."""

import time

import tensors as tt
from online_base import OnlineTrainer, gather, nested_mean
from scoring import reward_functions
from sampling import Sampler


class LeaveOneOutTrainer(OnlineTrainer):
    """Takes the mean of the other answers as the baseline of one."""

    def __init__(self, model, rewards, config, dataset, processor=None, callbacks=None):
        super().__init__(model, config, dataset, processor=processor, callbacks=callbacks)
        self.rewards = reward_functions(rewards)
        self.group_size = config.group_size
        self.beta = config.beta
        self.clip_low = config.clip_low
        self.clip_high = config.clip_high or config.clip_low
        self.sampler = Sampler(dataset, repeats=self.group_size, shuffle=config.shuffle)
        self.offload_context = self.activation_offload_context(config)
        self.metrics = {"train": {}, "eval": {}}
        self.seconds = 0.0
        if config.seed is not None:
            tt.manual_seed(config.seed)
        if self.beta and self.reference is None:
            self.reference = self.frozen_copy(model)

    def prepare_inputs(self, batch):
        if self.model.training:
            every = self.config.steps_per_generation
            if self.step % every == 0 or self.buffered is None:
                scored = self.generate_and_score(batch)
                self.buffered = self.split(scored, every)
            return self.buffered[self.step % every]
        return self.generate_and_score(batch)

    def generate_and_score(self, batch):
        answers = self.generate(batch["prompt"])
        scores = gather(self.score(batch, answers))
        if self.beta:
            scores = scores - self.beta * self.sequence_divergence(answers)
        grouped = scores.view(-1, self.group_size)
        others = (grouped.sum(dim=1, keepdim=True) - grouped) / (self.group_size - 1)
        advantages = (grouped - others).view(-1)
        if self.config.normalize:
            advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-4)
        return {**batch, "answers": answers, "advantages": advantages}

    def training_step(self, model, inputs, items):
        begun = time.perf_counter()
        loss = super().training_step(model, inputs, items)
        self.step += 1
        self.seconds += time.perf_counter() - begun
        if self.step % self.config.steps_per_generation == 0:
            self.metrics["train"].setdefault("step_time", []).append(self.seconds)
            self.seconds = 0.0
        return loss

    def compute_loss(self, model, inputs):
        logps = self.token_logps(model, inputs["answers"]).sum(dim=1)
        ratio = tt.exp(logps - inputs["old_logps"].sum(dim=1))
        clipped = tt.clamp(ratio, 1 - self.clip_low, 1 + self.clip_high)
        advantages = inputs["advantages"]
        return -tt.minimum(ratio * advantages, clipped * advantages).mean()
