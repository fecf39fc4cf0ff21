"""A policy of eager modules."""

import eager
from eager_networks import SharedActorCritic, SeparateActorCritic
from policy_base import ActionInfo, Policy


class EagerPolicy(Policy):
    """Runs the modules for the agents of one behaviour."""

    def __init__(self, seed, behaviour, settings, separate_critic=True, condition_sigma=False, squash=False):
        super().__init__(seed, behaviour, settings)
        self.condition_sigma = condition_sigma
        self.squash = squash
        eager.manual_seed(seed)
        kind = SeparateActorCritic if separate_critic else SharedActorCritic
        self.network = kind(
            behaviour.observation_size,
            settings.network,
            behaviour.action_size,
            condition_sigma=condition_sigma,
            squash=squash,
        )
        self.network.to(eager.default_device())

    def sample(self, observations, memories=None, length=1):
        """Actions for observations, with what the trainer needs of them."""
        distributions, memories = self.network.distributions(observations, memories, length)
        sampled = [each.sample() for each in distributions]
        logp = eager.stack([each.log_prob(action) for each, action in zip(distributions, sampled)])
        entropy = eager.stack([each.entropy() for each in distributions]).mean()
        action = eager.stack(sampled, dim=-1)
        return action, logp, entropy, memories

    def evaluate(self, requests, agents):
        observations = eager.tensor(requests.observations)
        memories = eager.tensor(self.memories(agents)) if self.uses_memory else None
        with eager.no_grad():
            action, logp, entropy, memories = self.sample(observations, memories)
        out = {"action": eager.to_numpy(action), "logp": eager.to_numpy(logp), "entropy": eager.to_numpy(entropy)}
        if self.uses_memory:
            out["memory"] = eager.to_numpy(memories)
        return out

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
            self.network.update_normalization(observations)
