class Trainer:
    def step(self, batch):
        loss = self.model.loss(batch)
        loss.backward()
        self.clip(1.0, 2)
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()
