class Worker:
    def setup(self, world):
        self.groups = split(world, self.tp_size)
        log(self.tp_size)

    def train(self, batch):
        if self.tp_size > batch.heads:
            raise ValueError("too many ranks")
        if self.tp_size == 3 and batch.packed:
            raise ValueError("three ranks cannot be packed")
        logits = gather(self.model(batch), self.tp_size)
        return loss_of(logits, batch)

    def gather_all(self, parts, overlap):
        return merge(parts, self.tp_size, overlap)
