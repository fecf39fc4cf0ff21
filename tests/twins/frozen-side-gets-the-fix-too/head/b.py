class Trainer:
    def step(self, batch):
        loss = self.forward(batch)
        self.scaler.scale(loss).backward()
        self.optimizer.step()
        return loss
