"""Do both workers do the same when they run? The twins' smoke job: `consistency-bot smoke run tp2-sp`.

Trains v1 and v2 for two steps on two ranks under the configuration that is in the environment (CONSISTENCY_BOT_TP,
_SP, _ACTIVATION_CHECKPOINTING, _RANKS), and compares what can be seen of them: patches and the order of start-up, which
attention kernels each pass may choose from, losses, gradient norms, and what they refuse. Ends with 1 where they differ.
"""

import json
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

STEPS = 2
HERE = Path(__file__).resolve().parent
MODULES = {"v1": "dtensor_policy_worker", "v2": "dtensor_policy_worker_v2"}
REFUSED = {
    "context parallel with sequence parallel": {"cp": 2, "sp": True},
    "a precision that nobody knows": {"precision": "float8"},
    "three tensor-parallel ranks of two": {"tp": 3},
}
"""Configurations that a worker may have to refuse, by what is odd about them."""


def main() -> int:
    """Start the ranks; or be one of them."""
    if "RANK" in os.environ:
        observe()
        return 0
    ranks = os.environ.get("CONSISTENCY_BOT_RANKS", "2")
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={ranks}", __file__]
        environment = os.environ | {"AGREE_OUT": folder, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
        status = subprocess.run(command, env=environment, check=False).returncode
        if status:
            return status
        first, second = (json.loads((Path(folder) / f"{worker}.json").read_text()) for worker in ("v1", "v2"))
    differences = [name for name in first if first[name] != second[name]]
    for name in differences:
        print(f"{name}: v1 has {first[name]}, v2 has {second[name]}")
    return 1 if differences else 0


def observe() -> None:
    """What each worker does on this rank, written down by rank 0."""
    sys.path.insert(0, str(HERE))
    import torch

    warnings.simplefilter("ignore")
    found = {worker: observed(worker) for worker in ("v1", "v2")}
    if torch.distributed.is_initialized():
        torch.distributed.destroy_process_group()
    if os.environ["RANK"] == "0":
        for worker, seen in found.items():
            (Path(os.environ["AGREE_OUT"]) / f"{worker}.json").write_text(json.dumps(seen))


def observed(name: str) -> dict[str, Any]:
    """What can be seen of one worker."""
    import torch
    from run import make_batch, make_config, make_worker, nll_loss

    seen: dict[str, Any] = {"start-up": [], "attention kernels": []}
    with ExitStack() as stack:
        for function in ("configure_dynamo_cache", "apply_torch_aten_alias_patch"):
            _record(stack, name, function, seen["start-up"])
        _record_start(stack, seen["start-up"], name)
        _record_kernels(stack, seen["attention kernels"])
        worker = make_worker(name, configuration(make_config))
        ranks = worker.dp_size
        losses, norms = [], []
        for step in range(STEPS):
            batch = make_batch(
                worker.cfg["train_global_batch_size"] // ranks, seed=10 * step + worker.dp_mesh.get_local_rank()
            )
            result = worker.train(batch, nll_loss)
            losses.append(f"{result['global_loss'][0]:.5f}")
            norms.append(f"{result['grad_norm']:.4f}")
        worker.shutdown()
    seen |= {"losses": losses, "gradient norms": norms}
    seen["attention kernels"] = sorted(set(map(tuple, seen["attention kernels"])))
    for odd, changes in REFUSED.items():
        seen[f"refusal of {odd}"] = refusal(name, changes, make_config, make_worker)
        if torch.distributed.is_initialized():
            torch.distributed.destroy_process_group()
    return seen


def configuration(make_config: Callable[..., dict[str, Any]]) -> dict[str, Any]:
    """The configuration that is in the environment."""
    tp = int(os.environ.get("CONSISTENCY_BOT_TP", "2"))
    sp, checkpointing = (
        os.environ.get(f"CONSISTENCY_BOT_{name}", "0") == "1" for name in ("SP", "ACTIVATION_CHECKPOINTING")
    )
    return make_config(tp=tp, sp=sp, activation_checkpointing=checkpointing)


def refusal(name: str, changes: dict[str, Any], make_config: Any, make_worker: Any) -> str:
    """What a worker says to a configuration as if it stood on a GPU, where more is asked of it; nothing is put there."""
    import torch

    config = make_config(**{key: value for key, value in changes.items() if key != "precision"})
    config["precision"] = changes.get("precision", config["precision"])
    from torch.testing._internal.distributed.fake_pg import FakeStore  # a group of one process that talks to nobody

    start = torch.distributed.init_process_group

    def alone(**_: Any) -> None:
        start(backend="fake", store=FakeStore(), rank=0, world_size=2)

    with ExitStack() as stack:
        stack.enter_context(patch("torch.cuda.is_available", return_value=True))
        stack.enter_context(patch("torch.cuda.device_count", return_value=1))
        stack.enter_context(patch("torch.distributed.init_process_group", alone))
        stack.enter_context(patch("torch.distributed.device_mesh.init_device_mesh", side_effect=_Accepted))
        if hasattr(sys.modules[MODULES[name]], "init_device_mesh"):
            stack.enter_context(patch(f"{MODULES[name]}.init_device_mesh", side_effect=_Accepted))
        try:
            make_worker(name, config)
        except _Accepted:
            return "none"
        except (ValueError, AssertionError, NotImplementedError) as error:
            return f"{type(error).__name__}: {error}"
    return "none"


class _Accepted(Exception):
    """A worker got so far that it would have used the device."""


def _record(stack: ExitStack, worker: str, function: str, into: list[str]) -> None:
    """Let a function of `patches` note that a worker called it."""
    module = __import__(MODULES[worker])
    known = getattr(module, function)

    def noted() -> Any:
        into.append(function)
        return known()

    stack.enter_context(patch.object(module, function, noted))


def _record_start(stack: ExitStack, into: list[str], worker: str) -> None:
    """The same for the start of the process group, which each worker gets with keys of its own in the launcher's store."""
    import torch.distributed as dist

    start = dist.init_process_group

    def noted(backend: str) -> None:
        into.append("init_process_group")
        rank, size = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
        store = dist.TCPStore(os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"]), is_master=False)
        start(backend=backend, store=dist.PrefixStore(worker, store), rank=rank, world_size=size)

    stack.enter_context(patch.object(dist, "init_process_group", noted))


def _record_kernels(stack: ExitStack, into: list[list[str]]) -> None:
    """Let every call of attention, in the forward pass and when it runs again, note which kernels it may choose from."""
    import torch
    from torch.nn import functional

    attention = functional.scaled_dot_product_attention
    asked = {
        "FLASH": torch.backends.cuda.flash_sdp_enabled,
        "EFFICIENT": torch.backends.cuda.mem_efficient_sdp_enabled,
        "MATH": torch.backends.cuda.math_sdp_enabled,
        "CUDNN": torch.backends.cuda.cudnn_sdp_enabled,
    }

    def noted(*args: Any, **kwargs: Any) -> torch.Tensor:
        into.append([name for name, is_enabled in asked.items() if is_enabled()])
        return attention(*args, **kwargs)

    stack.enter_context(patch.object(functional, "scaled_dot_product_attention", noted))


if __name__ == "__main__":
    sys.exit(main())
