"""Ranks listings with a model that is spread over machines."""

from pipeline import run_schedule
from ranking import listwise_loss


class SpreadRankTrainer:
    """Hands the loss to a pipeline, which calls it on the last machine."""

    def __init__(self, settings, stages):
        self.settings = settings
        self.stages = stages
        self.step = 0

    def fit(self, visits):
        losses = run_schedule(self.stages, visits.in_parts(self.settings.parts), self.loss_of)
        self.stages.reduce_gradients()
        self.stages.update()
        self.step += len(losses)
        return sum(losses) / max(1, len(losses))

    def loss_of(self, scores, part):
        """What the pipeline asks of the last machine."""
        return listwise_loss(
            scores=scores,
            targets=part["gains"],
            depth=self.settings.depth,
            reduction=self.settings.reduction,
        )
