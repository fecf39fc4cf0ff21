class Soft(Learner):
    def __init__(self, policy, env, rate, size):
        super().__init__(policy, env, rate, size, self.noise, self.seed, device=env.device, verbose=env.verbose)
        self.size = size
        self.rate = rate
