class FirstLearner:
    def train(self):
        self._update_rate(self.policy.optimizer)
        for sample in self.buffer.get(None):
            values, entropy = self.policy.evaluate(sample.seen, sample.actions)
            loss = (values - sample.returns) ** 2
            loss.backward()
            self.policy.rest()
            self.policy.optimizer.step()
        self.rounds += 1
