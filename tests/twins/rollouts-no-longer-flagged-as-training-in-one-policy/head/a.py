"""A policy that runs in a graph session."""

import numpy as np
from batches import SampleBatch
from graph import Session, placeholder


class GraphPolicy:
    """Actions and updates of one learner, as nodes of a graph."""

    def __init__(self, observations, actions, config, loss):
        self.observations = observations
        self.actions = actions
        self.config = config
        self.loss = loss
        self.session = Session(config["session"])
        self.explore_default = config["explore"]
        self.global_step = 0
        self.inputs = {"obs": placeholder(observations.shape), "is_training": placeholder(())}

    def compute_actions(self, batch, explore=None, step=None):
        """Actions for a batch of observations, the new states, and what else the model tells."""
        explore = self.explore_default if explore is None else explore
        step = self.global_step if step is None else step
        batch = SampleBatch(batch)
        batch.set_training(False)
        builder = self.session.builder("compute_actions")
        feeds = {self.inputs[name]: batch[name] for name in self.inputs if name in batch}
        builder.add_feeds(feeds)
        builder.add_feeds({self.explore_flag: explore, self.step_input: step})
        fetches = builder.add_fetches([self.sampled, *self.state_outputs, self.extra_outputs])
        self.exploration.before_compute_actions(timestep=step, explore=explore)
        actions, *states, extra = builder.get(fetches)
        self.global_step += len(batch)
        return actions, states, extra

    def learn_on_batch(self, batch):
        batch = SampleBatch(batch)
        batch.set_training(True)
        builder = self.session.builder("learn_on_batch")
        builder.add_feeds({self.inputs[name]: batch[name] for name in self.inputs if name in batch})
        fetches = builder.add_fetches([self.apply_op, self.stats])
        _, stats = builder.get(fetches)
        return {"learner": stats, "samples": len(batch)}

    def get_weights(self):
        return {variable.name: np.array(variable.value) for variable in self.variables}

    def set_weights(self, weights):
        for variable in self.variables:
            variable.load(weights[variable.name], self.session)
