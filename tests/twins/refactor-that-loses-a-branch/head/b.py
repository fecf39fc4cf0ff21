"""Rollouts on many machines."""

from cluster import barrier
from sampling import Sampler, pad_to


class ClusterRolloutWorker:
    """Samples answers and scores them."""

    def __init__(self, config, model, judge):
        self.config = config
        self.model = model
        self.judge = judge
        self.sampler = Sampler(config["temperature"], top_p=config["top_p"])

    def rollout(self, prompts):
        """Answers, rewards and what the learner needs to know about them."""
        records = []
        skipped = 0
        for prompt in prompts:
            tokens = self.model.tokenize(prompt.text)
            if len(tokens) > self.config["max_prompt"]:
                skipped += 1
                continue
            answers = self._sample(prompt, tokens)
            rewards = [self.judge.score(prompt, answer.text) for answer in answers]
            mean = sum(rewards) / len(rewards)
            spread = max(rewards) - min(rewards)
            if spread < self.config["min_spread"]:
                skipped += 1
                continue
            for answer, reward in zip(answers, rewards, strict=True):
                advantage = self._advantage(reward, mean, spread)
                records.append(self._record(tokens, answer, advantage))
        self.model.free_cache()
        barrier("rollout")
        return {"records": records, "skipped": skipped}

    def _sample(self, prompt, tokens):
        answers = []
        for number in range(self.config["answers"]):
            answer = self.sampler.run(self.model, tokens, seed=prompt.seed + number)
            answers.append(answer)
        return answers

    def _advantage(self, reward, mean, spread):
        advantage = reward - mean
        advantage /= spread
        advantage *= self.config["advantage_scale"]
        return advantage

    def _record(self, tokens, answer, advantage):
        mask = [1] * len(answer.tokens)
        if answer.is_cut:
            mask[-1] = 0
        return {
            "tokens": pad_to(tokens + answer.tokens, self.config["length"]),
            "mask": pad_to([0] * len(tokens) + mask, self.config["length"]),
            "advantage": advantage,
            "log_prob": answer.log_prob,
        }
