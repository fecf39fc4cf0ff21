"""An optimizer whose states and gradients are partitioned."""

import tensors as tt
from collectives import all_reduce, average
from scaling import make_scaler


class GradientPartitions:
    """Every rank keeps the states of its own part of the parameters."""

    def __init__(self, groups, optimizer, dtype, config, group=None):
        self.groups = groups
        self.optimizer = optimizer
        self.dtype = dtype
        self.group = group
        self.clip = config.clip
        self.scaler = make_scaler(dtype, config)
        self.overflow = False
        self.averaged = {}
        self.bucket = []
        self.bucket_size = 0
        self.bucket_limit = config.bucket_limit

    def scale(self):
        return self.scaler.current

    def reduce_bucket(self):
        flat = tt.flatten([each.grad for each in self.bucket])
        reduced = average(flat, self.group)
        for each, grad in zip(self.bucket, tt.unflatten_like(reduced, self.bucket)):
            owner = self.owner_of(each)
            if owner == self.group.rank:
                self.averaged.setdefault(owner, []).append(grad)
            each.grad = None
        self.bucket.clear()
        self.bucket_size = 0

    def add_to_bucket(self, parameter):
        if self.bucket_size + parameter.numel() > self.bucket_limit:
            self.reduce_bucket()
        self.bucket.append(parameter)
        self.bucket_size += parameter.numel()

    def has_overflow(self):
        bad = any(not tt.isfinite(grad).all() for grads in self.averaged.values() for grad in grads)
        return all_reduce(bad, self.group)

    def unscale_and_clip(self, flat, norm):
        combined = self.scale() if self.dtype == tt.float16 else 1.0
        if self.clip > 0:
            clip = (norm / self.scale() + 1e-6) / self.clip
            if clip > 1:
                combined = clip * combined
        for grad in flat:
            grad.data.mul_(1.0 / combined)

    def step(self):
        previous = self.scale()
        self.overflow = self.has_overflow()
        self.scaler.update(self.overflow)
        if self.overflow:
            self.averaged.clear()
            return
        for index, group in enumerate(self.groups):
            flat = tt.flatten(self.averaged[index]).to(group.master.dtype)
            group.master.grad = flat
            self.unscale_and_clip([flat], tt.norm(flat) / previous)
            self.optimizer.step(index)
            group.master.grad = None
            group.half.copy_(group.master)
        self.averaged.clear()
        self.gather_updated()

    def backward(self, loss):
        self.scaler.backward(loss.float())
        if self.bucket:
            self.reduce_bucket()
