"""An optimizer whose parameters are partitioned too."""

import tensors as tt
from collectives import all_gather, all_reduce, reduce_scatter
from scaling import make_scaler
from swapping import Swapper


class ParameterPartitions:
    """Every rank keeps a part of each parameter, and gathers what a layer needs."""

    def __init__(self, subgroups, optimizer, dtype, config, group=None, coordinator=None):
        self.subgroups = subgroups
        self.optimizer = optimizer
        self.dtype = dtype
        self.group = group
        self.coordinator = coordinator
        self.clip = config.clip
        self.scaler = make_scaler(dtype, config)
        self.overflow = False
        self.partitioned = {}
        self.swapper = Swapper(config.swap_folder) if config.swap_folder else None

    def scale(self):
        return self.scaler.current

    def reduce_parameter(self, parameter):
        piece = reduce_scatter(parameter.grad.flatten(), self.group)
        self.partitioned[parameter.id] = piece
        parameter.grad = None
        self.coordinator.release(parameter)

    def has_overflow(self):
        bad = any(not tt.isfinite(piece).all() for piece in self.partitioned.values())
        return all_reduce(bad, self.group)

    def unscale_and_clip(self, subgroup, norm):
        combined = self.scale()
        if self.clip > 0:
            clip = (norm / self.scale() + 1e-6) / self.clip
            if clip > 1:
                combined = clip * combined
        self.subgroups[subgroup].master.grad.mul_(1.0 / combined)

    def step(self):
        previous = self.scale()
        self.overflow = self.has_overflow()
        self.scaler.update(self.overflow)
        if self.overflow:
            self.partitioned.clear()
            return
        norms = [tt.norm(self.partitioned[each.id]) for group in self.subgroups for each in group.parameters]
        norm = tt.norm(tt.stack(norms)) / previous
        for index, group in enumerate(self.subgroups):
            if self.swapper is not None:
                self.swapper.swap_in(group)
            pieces = [self.partitioned[each.id] for each in group.parameters]
            group.master.grad = tt.flatten(pieces).to(group.master.dtype)
            self.unscale_and_clip(index, norm)
            self.optimizer.step(index)
            group.master.grad = None
            group.half.copy_(group.master)
            if self.swapper is not None:
                self.swapper.swap_out(group)
        self.partitioned.clear()
        self.coordinator.reset()

    def backward(self, loss):
        self.scaler.backward(loss.float())
        self.coordinator.wait_for_reductions()
