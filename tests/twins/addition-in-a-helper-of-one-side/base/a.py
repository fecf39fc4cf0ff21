"""Trains on one process."""


class Trainer:
    """Steps over batches."""

    def train(self, batches):
        for batch in batches:
            self.optimizer.zero_grad(set_to_none=True)
            output = self.model(batch.inputs, mask=batch.mask)
            loss = self.criterion(output.logits, batch.labels)
            self.scaler.scale(loss).backward()
            self.scaler.step(self.optimizer)
            self.history.append(loss.item())
        return self.history
