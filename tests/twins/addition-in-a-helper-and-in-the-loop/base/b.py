"""Trains in stages."""


class StagedTrainer:
    """Steps over batches, stage by stage."""

    def train(self, batches):
        for batch in batches:
            self.pipeline.run(self.one_stage, batch)
        return self.history

    def one_stage(self, batch):
        """What a stage does with its share."""
        output = self.model(batch.inputs, mask=batch.mask)
        loss = self.criterion(output.logits, batch.labels)
        self.scaler.scale(loss).backward()
        self.history.append(loss.item())
