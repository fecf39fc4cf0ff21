"""How a decoder is shared out over ranks, and how its layers are recomputed."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial

import torch
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import CheckpointImpl, checkpoint_wrapper
from torch.distributed.device_mesh import DeviceMesh
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    ParallelStyle,
    PrepareModuleInput,
    RowwiseParallel,
    SequenceParallel,
    parallelize_module,
)
from torch.utils.checkpoint import create_selective_checkpoint_contexts

from consistency_bot.smoke.worker.decoder import Decoder

Contexts = Callable[[], tuple[AbstractContextManager[object], AbstractContextManager[object]]]
"""`context_fn` of `torch.utils.checkpoint`: what holds in the first forward pass, and what when it runs again."""

_COLUMNS = ("attention.q_proj", "attention.k_proj", "attention.v_proj", "mlp.gate_proj", "mlp.up_proj")
_ROWS = ("attention.o_proj", "mlp.down_proj")


def share_out(decoder: Decoder, mesh: DeviceMesh, *, sequence: bool, is_real: bool = True) -> None:
    """Splits the weights over `mesh`, and with `sequence` the norms and residuals along the sequence.

    In a fake group (not `is_real`) nobody sends the weights of rank 0: each rank splits what it has.
    """
    # Before torch 2.8 there is no such parameter, and a fake group then scatters rubbish, which harms nobody.
    take = {} if is_real or "src_data_rank" not in parallelize_module.__annotations__ else {"src_data_rank": None}
    parallelize_module(decoder, mesh, _outer_plan(sequence), **take)
    for layer in decoder.layers:
        parallelize_module(layer, mesh, _layer_plan(sequence), **take)


def _outer_plan(sequence: bool) -> dict[str, ParallelStyle]:
    if not sequence:
        return {
            "embed": RowwiseParallel(input_layouts=Replicate(), output_layouts=Replicate()),
            "lm_head": ColwiseParallel(output_layouts=Replicate()),
        }
    return {
        "embed": RowwiseParallel(input_layouts=Replicate(), output_layouts=Shard(1), use_local_output=False),
        "norm": SequenceParallel(),
        "lm_head": ColwiseParallel(input_layouts=Shard(1), output_layouts=Replicate()),
    }


def _layer_plan(sequence: bool) -> dict[str, ParallelStyle]:
    plan: dict[str, ParallelStyle] = {name: ColwiseParallel() for name in _COLUMNS}
    if not sequence:
        return plan | {name: RowwiseParallel() for name in _ROWS}
    plan |= {name: RowwiseParallel(output_layouts=Shard(1), use_local_output=False) for name in _ROWS}
    plan |= {name: SequenceParallel() for name in ("input_norm", "post_norm")}
    for name in ("attention", "mlp"):
        plan[name] = PrepareModuleInput(input_layouts=(Shard(1),), desired_input_layouts=(Replicate(),))
    return plan


def shard_over_data(decoder: Decoder, mesh: DeviceMesh) -> None:
    """FSDP2 for each layer and for the rest."""
    from torch.distributed.fsdp import fully_shard

    for layer in decoder.layers:
        fully_shard(layer, mesh=mesh)
    fully_shard(decoder, mesh=mesh)


def recompute_layers(decoder: Decoder, mode: str) -> None:
    """Wraps each layer so that its activations are thrown away and computed again, in one of the modes of `consistency_bot.probes`."""
    if mode == "none":
        return
    how = {"checkpoint_impl": CheckpointImpl.REENTRANT if mode == "reentrant" else CheckpointImpl.NO_REENTRANT}
    keep = {"context_fn": selective_contexts()} if mode == "selective" else {}
    for at, layer in enumerate(decoder.layers):
        decoder.layers[at] = checkpoint_wrapper(layer, **how, **keep)


def selective_contexts() -> Contexts:
    """Keeps the results of matrix products and of attention kernels; all else is computed again."""
    names = (
        "mm.default",
        "_scaled_dot_product_flash_attention_for_cpu.default",
        "_scaled_dot_product_flash_attention.default",
        "_scaled_dot_product_efficient_attention.default",
        "_scaled_dot_product_cudnn_attention.default",
    )
    return partial(create_selective_checkpoint_contexts, [operator_named(f"aten.{name}") for name in names])


def operator_named(name: str) -> object:
    """`aten.alias.default` as torch has it. Raises AttributeError where this torch has none."""
    found: object = torch.ops
    for part in name.split("."):
        found = getattr(found, part)
    return found


def whole(tensor: torch.Tensor) -> torch.Tensor:
    """The full tensor on every rank, whether or not it is shared out."""
    return tensor.full_tensor() if isinstance(tensor, DTensor) else tensor


def plain_name(name: str) -> str:
    """A parameter's name without the wrappers around its modules."""
    return (
        name.replace("_checkpoint_wrapped_module.", "").replace("_fsdp_wrapped_module.", "").replace("_orig_mod.", "")
    )
