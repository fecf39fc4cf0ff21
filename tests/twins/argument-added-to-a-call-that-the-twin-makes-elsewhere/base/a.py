"""Ranks listings with one model that fits into memory."""

from ranking import listwise_loss, pairs_of
from schedules import decayed


class RankTrainer:
    """Fits the model to what visitors clicked."""

    def __init__(self, settings, model, optimizer):
        self.settings = settings
        self.model = model
        self.optimizer = optimizer
        self.step = 0

    def fit(self, visits):
        """One pass over the visits; returns the mean loss."""
        total = 0.0
        for visit in visits:
            scores = self.model(visit["listings"])
            clicks = visit["clicks"]
            margin = decayed(self.settings.margin, self.step)
            loss = listwise_loss(
                scores=scores,
                clicks=clicks,
                margin=margin,
                pairs=pairs_of(clicks),
                reduction=self.settings.reduction,
            )
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.step += 1
            total += float(loss)
        return total / max(1, len(visits))
