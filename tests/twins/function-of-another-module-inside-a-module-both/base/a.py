"""Reads what one job is to do."""

import os

import tensors


class Jobs:
    """Keeps one job."""

    def __init__(self, root, limit=10):
        self.root = root
        self.limit = limit
        self.seen = []

    def read(self, job, model):
        if job in self.seen:
            raise ValueError(f"job {job} was read already")
        self.seen.append(job)
        folder = os.path.join(self.root, job)
        level = os.environ.get("JOB_LEVEL", self.limit)
        norm = tensors.nn.utils.clip_norm(model.weights, level)
        return tensors.nn.Linear(folder, norm)
