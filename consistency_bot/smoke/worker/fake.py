"""A group that is not there: its collectives do nothing, so one process can stand for a rank among many.

Shapes, shardings and which operators are met are right; the numbers are not.
"""

import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh


def fake_mesh(device: str, dp: int, tp: int) -> DeviceMesh:
    """A mesh of `dp` times `tp` ranks of which this process is the first."""
    if dist.is_initialized() and (dist.get_world_size() != dp * tp or dist.get_backend() != "fake"):
        dist.destroy_process_group()
    if not dist.is_initialized():
        # Registers the backend `fake`, which is not public (torch 2.8 to 2.13 have it in this place).
        from torch.testing._internal.distributed.fake_pg import FakeStore

        dist.init_process_group("fake", store=FakeStore(), rank=0, world_size=dp * tp)
    return init_device_mesh(device, (dp, tp), mesh_dim_names=("dp", "tp"))
