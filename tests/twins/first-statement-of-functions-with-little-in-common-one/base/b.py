class SecondLearner:
    def train(self):
        self._update_rate(self.policy.optimizer)
        reach = self.reach(self.left)
        for epoch in range(self.epochs):
            for sample in self.buffer.get(self.size):
                ratio = self.ratio_of(sample)
                bounded = clamp(ratio, 1 - reach, 1 + reach)
                self.descend(-minimum(ratio, bounded))
