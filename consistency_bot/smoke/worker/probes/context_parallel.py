"""Ring attention over two GPUs. A machine with fewer leaves these cells out: it has no kernel for a CPU.

Not yet run on a GPU: written after torch's documentation of `context_parallel` (2.8 to 2.13).
"""

import torch
import torch.distributed as dist
from torch.distributed.tensor.experimental import context_parallel

from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker.decoder import CUDA_SIZES, loss_of, make_batch, make_decoder
from consistency_bot.smoke.worker.kernels import choosing
from consistency_bot.smoke.worker.measured import Measured
from consistency_bot.smoke.worker.numerics import DTYPES, measured_step, reference, step_of
from consistency_bot.smoke.worker.parallel import recompute_layers
from consistency_bot.smoke.worker.scene import Scene


def measure(cell: Combination, scene: Scene) -> Measured:
    """One step of training with the sequence split in two, against one process."""
    dtype = str(cell.settings["dtype"])
    wanted = reference(CUDA_SIZES, dtype, scene.device, False)
    decoder = make_decoder(CUDA_SIZES, DTYPES[dtype], scene.device, enable_gqa=False)
    recompute_layers(decoder, str(cell.settings["checkpointing"]))
    mesh = scene.ranks.mesh(2)["tp"]
    # They are cut in place: each rank is left with its own part of the sequence.
    ids, targets = make_batch(CUDA_SIZES, scene.device)
    cut = context_parallel(mesh, buffers=[ids, targets], buffer_seq_dims=[1, 1], no_restore_buffers={ids, targets})
    with scene.log, choosing(str(cell.settings["backend"])), cut:
        loss = loss_of(decoder(ids), targets)
        loss.backward()
    mean = _mean_of([loss.detach(), *(each.grad for each in decoder.parameters())], mesh.get_group())
    return measured_step(step_of(decoder, mean), wanted, dtype, scene.log)


def _mean_of(tensors: list[torch.Tensor], group: object) -> float:
    """Makes each tensor the mean over both ranks, in place, and returns the first: all parts are of the same length."""
    for each in tensors:
        dist.all_reduce(each, group=group)
        each.div_(2)
    return tensors[0].item()
