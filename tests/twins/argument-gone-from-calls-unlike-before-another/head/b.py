class Twin(Learner):
    def __init__(self, policy, env, rate, size):
        super().__init__(policy, env, TwinPolicy, rate, self.delay, True, self.seed, device=env.device, verbose=env.verbose)
        self.size = size
        self.rate = rate
