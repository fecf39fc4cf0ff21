class Worker:
    def setup(self, world):
        self.groups = split(world, self.ranks)
        log(self.ranks)

    def train(self, batch):
        logits = gather(self.model(batch), self.ranks)
        return loss_of(logits, batch)

    def gather_all(self, parts, overlap):
        return merge(parts, self.ranks, overlap)
