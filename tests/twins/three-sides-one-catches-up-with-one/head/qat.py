class Trainer:
    def step(self, batch):
        loss = self.model.loss(batch)
        loss.backward()
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()
