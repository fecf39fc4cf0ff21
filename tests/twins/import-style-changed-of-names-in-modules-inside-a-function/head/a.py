"""Reads what one job is to do."""

from os import environ, path


class Jobs:
    """Keeps one job."""

    def __init__(self, root, limit=10):
        self.root = root
        self.limit = limit
        self.seen = []

    def read(self, job, model):
        from tensors import nn
        from tensors.nn.utils import clip_norm

        if job in self.seen:
            raise ValueError(f"job {job} was read already")
        self.seen.append(job)
        folder = path.join(self.root, job)
        level = environ.get("JOB_LEVEL", self.limit)
        norm = clip_norm(model.weights, level)
        return nn.Linear(folder, norm)
