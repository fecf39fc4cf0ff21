"""A policy of eager tensors."""

import eager
from batches import SampleBatch


class EagerPolicy:
    """Actions and updates of one learner, computed as they come."""

    def __init__(self, observations, actions, config, loss, model):
        self.observations = observations
        self.actions = actions
        self.config = config
        self.loss = loss
        self.model = model.to(eager.default_device())
        self.explore_default = config["explore"]
        self.global_step = 0
        self.optimizer = eager.Adam(self.model.parameters(), lr=config["lr"])

    def compute_actions(self, batch, explore=None, step=None):
        """Actions for a batch of observations, the new states, and what else the model tells."""
        explore = self.explore_default if explore is None else explore
        step = self.global_step if step is None else step
        with eager.no_grad():
            batch = self.on_device(SampleBatch(batch))
            batch.set_training(True)
            states = [batch[name] for name in batch if name.startswith("state_in")]
            lengths = eager.ones(len(states[0])) if states else None
            self.exploration.before_compute_actions(timestep=step, explore=explore)
            logits, states = self.model(batch, states, lengths)
            distribution = self.distribution_class(logits, self.model)
            actions, log_probability = self.exploration.sample(distribution, step, explore)
            extra = {"action_logits": logits, "action_log_probability": log_probability}
        self.global_step += len(batch)
        return eager.to_numpy((actions, states, extra))

    def learn_on_batch(self, batch):
        batch = self.on_device(SampleBatch(batch))
        batch.set_training(True)
        self.model.train()
        self.optimizer.zero_grad()
        loss = self.loss(self, self.model, self.distribution_class, batch)
        loss.backward()
        eager.clip_gradients(self.model.parameters(), self.config["grad_clip"])
        self.optimizer.step()
        return {"learner": self.stats(batch), "samples": len(batch)}

    def on_device(self, batch):
        return batch.map(lambda each: eager.tensor(each, device=self.model.device))

    def get_weights(self):
        return {name: each.cpu().numpy() for name, each in self.model.state_dict().items()}

    def set_weights(self, weights):
        self.model.load_state_dict({name: eager.tensor(each) for name, each in weights.items()})
