"""Where a run takes place."""

import platform
import socket

import torch

from consistency_bot.smoke.cells import Machine
from consistency_bot.smoke.worker.ranks import Ranks


def this_machine(ranks: Ranks) -> Machine:
    """Names and versions of this machine; on a CPU those of CUDA are left empty."""
    on_gpu = ranks.device.type == "cuda"
    gpus = tuple(torch.cuda.get_device_name(at) for at in range(torch.cuda.device_count())) if on_gpu else ()
    return Machine(
        host=socket.gethostname(),
        device="cuda" if on_gpu else "cpu",
        gpus=gpus,
        python=platform.python_version(),
        torch=str(torch.__version__),
        cuda=(torch.version.cuda or "") if on_gpu else "",
        cudnn=str(torch.backends.cudnn.version() or "") if on_gpu else "",
        nccl=".".join(map(str, torch.cuda.nccl.version())) if on_gpu else "",
        world_size=ranks.world,
    )
