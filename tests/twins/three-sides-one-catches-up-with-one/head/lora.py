class Trainer:
    def step(self, batch):
        loss = self.model.loss(batch)
        loss.backward()
        self.clip(self.max_norm)
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()
