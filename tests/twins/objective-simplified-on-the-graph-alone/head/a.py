"""Proximal policy optimisation on a graph."""

import graph as tf
from bookkeeping import Buffer, Logger, average_gradients, process_count
from graph_core import actor_critic, entropy, placeholders


def train(environment, steps=4000, epochs=50, discount=0.99, lam=0.97, clip_ratio=0.2, policy_rate=3e-4,
          value_rate=1e-3, policy_iterations=80, value_iterations=80, target_kl=0.01, save_every=10):
    """Learns a policy for `environment`; what it learnt is in the logger's folder."""
    logger = Logger()
    observation = environment.observation_space.shape
    action = environment.action_space.shape
    x, a, advantage, returns, old_logp = placeholders(observation, action, None, None, None)
    policy, logp, logp_of_policy, value = actor_critic(x, a, environment.action_space)
    local_steps = int(steps / process_count())
    buffer = Buffer(observation, action, local_steps, discount, lam)

    ratio = tf.exp(logp - old_logp)
    clipped = tf.where(advantage > 0, (1 + clip_ratio) * advantage, (1 - clip_ratio) * advantage)
    policy_loss = -tf.reduce_mean(tf.minimum(ratio * advantage, clipped))
    value_loss = tf.reduce_mean((returns - value) ** 2)
    approximate_kl = tf.reduce_mean(old_logp - logp)
    fraction = tf.reduce_mean(tf.cast(tf.abs(ratio - 1) > clip_ratio, tf.float32))

    train_policy = average_gradients(tf.Adam(policy_rate)).minimize(policy_loss)
    train_value = average_gradients(tf.Adam(value_rate)).minimize(value_loss)
    session = tf.Session()
    session.run(tf.initialize_all())

    def update():
        feeds = dict(zip((x, a, advantage, returns, old_logp), buffer.get()))
        old = session.run([policy_loss, value_loss, approximate_kl], feeds)
        for i in range(policy_iterations):
            _, kl = session.run([train_policy, approximate_kl], feeds)
            if kl > 1.5 * target_kl:
                logger.say(f"stopping early, at step {i}")
                break
        for _ in range(value_iterations):
            session.run(train_value, feeds)
        new = session.run([policy_loss, value_loss, approximate_kl, fraction], feeds)
        logger.store(policy_loss=old[0], value_loss=old[1], kl=new[2], fraction=new[3])

    state, total = environment.reset(), 0.0
    for epoch in range(epochs):
        for t in range(local_steps):
            act, guess, logp_of_act = session.run([policy, value, logp_of_policy], {x: state[None]})
            following, reward, done = environment.step(act[0])
            total += reward
            buffer.store(state, act, reward, guess, logp_of_act)
            state = following
            if done or t == local_steps - 1:
                last = 0 if done else session.run(value, {x: state[None]})
                buffer.finish_path(last)
                logger.store(episode=total)
                state, total = environment.reset(), 0.0
        if epoch % save_every == 0:
            logger.save(session)
        update()
        logger.dump()
