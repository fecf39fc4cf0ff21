"""Proximal policy optimisation on eager tensors."""

import eager
from bookkeeping import Buffer, Logger, average_gradients, process_count, synchronise
from eager_core import ActorCritic


def train(environment, steps=4000, epochs=50, discount=0.99, lam=0.97, clip_ratio=0.2, policy_rate=3e-4,
          value_rate=1e-3, policy_iterations=80, value_iterations=80, target_kl=0.01, save_every=10):
    """Learns a policy for `environment`; what it learnt is in the logger's folder."""
    logger = Logger()
    observation = environment.observation_space.shape
    action = environment.action_space.shape
    model = ActorCritic(environment.observation_space, environment.action_space)
    synchronise(model)
    local_steps = int(steps / process_count())
    buffer = Buffer(observation, action, local_steps, discount, lam)

    def policy_loss_of(data):
        advantage, old_logp = data["advantage"], data["logp"]
        policy, logp = model.policy(data["observation"], data["action"])
        ratio = eager.exp(logp - old_logp)
        clipped = eager.clamp(ratio, 1 - clip_ratio, 1 + clip_ratio) * advantage
        policy_loss = -(eager.min(ratio * advantage, clipped)).mean()
        approximate_kl = (old_logp - logp).mean().item()
        outside = ratio.gt(1 + clip_ratio) | ratio.lt(1 - clip_ratio)
        fraction = eager.tensor(outside, dtype=eager.float32).mean().item()
        return policy_loss, {"kl": approximate_kl, "entropy": policy.entropy().mean().item(), "fraction": fraction}

    def value_loss_of(data):
        return ((model.value(data["observation"]) - data["returns"]) ** 2).mean()

    policy_optimizer = eager.Adam(model.policy.parameters(), lr=policy_rate)
    value_optimizer = eager.Adam(model.value.parameters(), lr=value_rate)

    def update():
        data = buffer.get()
        for i in range(policy_iterations):
            policy_optimizer.zero_grad()
            policy_loss, info = policy_loss_of(data)
            if info["kl"] > 1.5 * target_kl:
                logger.say(f"stopping early, at step {i}")
                break
            policy_loss.backward()
            average_gradients(model.policy)
            policy_optimizer.step()
        for _ in range(value_iterations):
            value_optimizer.zero_grad()
            value_loss = value_loss_of(data)
            value_loss.backward()
            average_gradients(model.value)
            value_optimizer.step()
        logger.store(policy_loss=policy_loss.item(), value_loss=value_loss.item(), **info)

    state, total = environment.reset(), 0.0
    for epoch in range(epochs):
        for t in range(local_steps):
            act, guess, logp_of_act = model.step(eager.tensor(state, dtype=eager.float32))
            following, reward, done = environment.step(act)
            total += reward
            buffer.store(state, act, reward, guess, logp_of_act)
            state = following
            if done or t == local_steps - 1:
                last = 0 if done else model.step(eager.tensor(state, dtype=eager.float32))[1]
                buffer.finish_path(last)
                logger.store(episode=total)
                state, total = environment.reset(), 0.0
        if epoch % save_every == 0:
            logger.save(model)
        update()
        logger.dump()
