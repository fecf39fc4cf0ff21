"""Rollouts on one machine."""

from sampling import Sampler, pad_to


class RolloutWorker:
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
            answers = []
            for number in range(self.config["answers"]):
                answer = self.sampler.run(self.model, tokens, seed=prompt.seed + number)
                if answer.is_empty:
                    answer = self.sampler.run(self.model, tokens, seed=prompt.seed - 1)
                answers.append(answer)
            rewards = [self.judge.score(prompt, answer.text) for answer in answers]
            mean = sum(rewards) / len(rewards)
            spread = max(rewards) - min(rewards)
            if spread < self.config["min_spread"]:
                skipped += 1
                continue
            for answer, reward in zip(answers, rewards, strict=True):
                advantage = reward - mean
                advantage /= spread
                advantage *= self.config["advantage_scale"]
                mask = [1] * len(answer.tokens)
                if answer.is_cut:
                    mask[-1] = 0
                records.append(
                    {
                        "tokens": pad_to(tokens + answer.tokens, self.config["length"]),
                        "mask": pad_to([0] * len(tokens) + mask, self.config["length"]),
                        "advantage": advantage,
                        "log_prob": answer.log_prob,
                    }
                )
        self.model.free_cache()
        return {"records": records, "skipped": skipped}
