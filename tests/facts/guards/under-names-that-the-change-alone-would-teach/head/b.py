class WorkerV2:
    def setup(self, world):
        self.groups = split(world, self.tensor_ranks)
        log(self.tensor_ranks)

    def train(self, batch):
        if self.tensor_ranks > batch.heads:
            raise ValueError("too many ranks")
        if batch.packed and self.tensor_ranks == 3:
            raise ValueError("three ranks cannot be packed")
        logits = gather(self.model(batch), self.tensor_ranks)
        return loss_of(logits, batch)

    def gather_all(self, parts, overlap):
        return merge(parts, self.tensor_ranks, overlap)
