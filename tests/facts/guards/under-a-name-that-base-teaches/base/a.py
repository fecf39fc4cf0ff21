class Worker:
    def setup(self, world):
        self.groups = split(world, self.tp_size)
        log(self.tp_size)

    def train(self, batch):
        logits = gather(self.model(batch), self.tp_size)
        return loss_of(logits, batch)

    def gather_all(self, parts, overlap):
        return merge(parts, self.tp_size, overlap)
