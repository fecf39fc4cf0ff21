"""Changes to libraries at run time, each with the versions that need it and where the real fix is.

Every function says whether it changed anything: False means that the library needs no change, or already has it. A
patch that could not be applied raises; a worker that starts unpatched fails much later and far from the cause.
"""

from importlib.metadata import PackageNotFoundError, version

import torch

TORCH_WITH_ALIAS = (2, 10)
"""The first torch that knows how to shard `aten.alias` (pytorch/pytorch#166867)."""

TRANSFORMER_ENGINE_WITH_FIX = (2, 10)
"""The first Transformer Engine whose permute kernels compile under Triton 3.5 (NVIDIA/TransformerEngine#2286)."""


def _release(text: str) -> tuple[int, int]:
    """Return major and minor of a version such as `2.9.1+cu128`."""
    major, minor, *_ = text.split("+")[0].split(".")
    return int(major), int(minor)


def configure_dynamo_cache() -> bool:
    """Keep workers on one machine from reading each other's half-written autotune results."""
    import torch._inductor.config as inductor

    if not inductor.autotune_local_cache:
        return False
    inductor.autotune_local_cache = False
    return True


def apply_torch_aten_alias_patch() -> bool:
    """Teach DTensor to shard `aten.alias`, which a slice over a full range of a dimension becomes.

    Without it torch 2.9 fails with "aten.alias.default does not have a sharding strategy registered" as soon as
    tensor parallelism, sequence parallelism and a language-model head meet.
    """
    if _release(torch.__version__) >= TORCH_WITH_ALIAS:
        return False

    from torch.distributed.tensor import DTensor
    from torch.distributed.tensor._ops._tensor_ops import propagate_single_input_strategy
    from torch.distributed.tensor._ops.utils import register_op_strategy

    alias = torch.ops.aten.alias.default
    if alias in DTensor._op_dispatcher.sharding_propagator.op_strategy_funcs:
        return False
    # An alias is its one input under another name, so it is sharded as that input is.
    register_op_strategy(alias)(propagate_single_input_strategy)
    return True


def apply_transformer_engine_patch() -> bool:
    """Let Transformer Engine's permute kernels call `get_int_dtype` while Triton compiles them.

    Triton 3.5 and later refuse plain Python functions inside a kernel. The function is wrapped where the kernels look
    it up, in Triton's own module, so that no installed file is rewritten and the order of imports does not matter.
    """
    try:
        needed = _release(version("transformer_engine")) < TRANSFORMER_ENGINE_WITH_FIX
        needed = needed and _release(version("triton")) >= (3, 5)
    except PackageNotFoundError:
        return False
    if not needed:
        return False

    import triton
    from triton.language import core

    if isinstance(core.get_int_dtype, type(triton.constexpr_function(len))):
        return False
    core.get_int_dtype = triton.constexpr_function(core.get_int_dtype)
    return True
