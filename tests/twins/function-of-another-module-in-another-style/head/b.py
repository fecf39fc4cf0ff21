"""Reads what one job is to do, for callers that wait."""

from os import environ, path

from tensors import nn
from tensors.nn.utils import clip_norm


class AsyncJobs:
    """Keeps one job."""

    def __init__(self, root, limit=10):
        self.root = root
        self.limit = limit
        self.seen = []

    async def read(self, job, model):
        if job in self.seen:
            raise ValueError(f"job {job} was read already")
        self.seen.append(job)
        folder = path.join(self.root, job)
        level = environ.get("JOB_LEVEL", self.limit)
        norm = clip_norm(model.weights, level)
        return nn.Linear(folder, norm)
