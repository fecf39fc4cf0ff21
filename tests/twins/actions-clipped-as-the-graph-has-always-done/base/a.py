"""A policy built as a graph."""

import graph as tf
from graph_layers import encoder, gaussian, recurrent
from policy_base import ActionInfo, Policy


class GraphPolicy(Policy):
    """Evaluates the graph for the agents of one behaviour."""

    def __init__(self, seed, behaviour, settings, condition_sigma=False, squash=False):
        super().__init__(seed, behaviour, settings)
        self.condition_sigma = condition_sigma
        self.squash = squash
        self.graph = tf.Graph()
        with self.graph.as_default():
            tf.set_random_seed(seed)
            self.session = tf.Session(graph=self.graph)
            self.build(settings.network)
            self.session.run(tf.initialize_all())

    def build(self, network):
        """Inputs, encoder and the nodes that sample an action."""
        self.observation = tf.placeholder((None, self.behaviour.observation_size), name="observation")
        self.epsilon = tf.random_normal((self.behaviour.action_size,))
        hidden = encoder(self.observation, network.layers, network.hidden_units, network.normalize)
        if network.memory is not None:
            self.memory_in = tf.placeholder((None, network.memory.size), name="memory")
            hidden, self.memory_out = recurrent(hidden, self.memory_in, network.memory.sequence_length)
        mu, sigma = gaussian(hidden, self.behaviour.action_size, self.condition_sigma)
        sampled = mu + sigma * tf.stop_gradient(self.epsilon)
        self.logp = -0.5 * tf.square((sampled - mu) / sigma) - tf.log(sigma)
        if self.squash:
            self.action = tf.tanh(sampled)
            self.logp -= tf.log(1 - tf.square(self.action) + 1e-7)
        else:
            self.action = tf.clip_by_value(sampled, -3, 3) / 3
        self.entropy = tf.reduce_mean(tf.log(sigma) + 1.42)
        self.ops = {"action": self.action, "logp": self.logp, "entropy": self.entropy}

    def evaluate(self, requests, agents):
        feeds = {self.observation: requests.observations}
        if self.uses_memory:
            feeds[self.memory_in] = self.memories(agents)
        return self.session.run(self.ops, feeds)

    def action_of(self, requests, worker=0):
        if len(requests) == 0:
            return ActionInfo.empty()
        agents = [f"{worker}-{each}" for each in requests.agents]
        out = self.evaluate(requests, agents)
        self.save_memories(agents, out.get("memory"))
        self.check_for_nans(out["action"])
        return ActionInfo(action=out["action"], value=out.get("value"), outputs=out, agents=requests.agents)

    def update_normalization(self, observations):
        if self.normalizes:
            self.session.run(self.update_op, {self.observation: observations})
