class Trainer:
    def step(self, batch):
        loss = self.forward(batch)
        loss.backward()
        self.optimizer.step()
        return loss
