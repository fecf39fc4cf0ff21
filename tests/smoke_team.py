"""What a repository under check might have: patches of torch, good and bad ones, and a tiny model of its own."""

from collections.abc import Callable
from contextlib import ExitStack

import torch
from torch import nn
from torch.nn import functional
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils.checkpoint import checkpoint

from consistency_bot.smoke.worker.probes.module import Case

# One operator for each patch: what one of them has cured is not to help the next one.
for _name in ("worked", "untouched", "refused", "once", "doubled"):
    _made = torch.library.custom_op(
        f"team::{_name}", lambda x: x.clone(), mutates_args=(), schema="(Tensor x) -> Tensor"
    )
    _made.register_fake(torch.empty_like)

_DONE: list[str] = []


def _register(name: str) -> None:
    from torch.distributed.tensor._ops._tensor_ops import propagate_single_input_strategy
    from torch.distributed.tensor._ops.utils import register_op_strategy

    register_op_strategy(getattr(torch.ops.team, name).default)(propagate_single_input_strategy)
    _DONE.append(name)


def works() -> bool:
    if "worked" in _DONE:
        return False
    _register("worked")
    return True


def does_nothing() -> bool:
    return True


def sees_no_need() -> bool:
    return False


def cannot_be_applied_twice() -> bool:
    if "once" in _DONE:
        raise RuntimeError("already patched")
    _register("once")
    return True


def says_so_twice() -> bool:
    _register("doubled")
    return True


def raises() -> None:
    raise AttributeError("torch has moved what this patch changes")


class Tiny(nn.Module):
    """One attention and a projection."""

    def __init__(self, case: Case) -> None:
        super().__init__()
        self.recomputes = case.activation_checkpointing != "none"
        self.inputs = nn.Linear(16, 48, bias=False)
        self.outputs = nn.Linear(16, 16, bias=False)
        self.to(case.device, case.dtype)

    def attend(self, x: torch.Tensor) -> torch.Tensor:
        q, k, v = (part.unflatten(-1, (2, 8)).transpose(1, 2) for part in self.inputs(x).chunk(3, -1))
        return functional.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).flatten(2)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.outputs(checkpoint(self.attend, x, use_reentrant=False) if self.recomputes else self.attend(x))


def tiny(case: Case) -> tuple[nn.Module, Callable[[], torch.Tensor]]:
    """A choice of kernel around forward and backward."""
    model, x = _model_and_batch(case)

    def step() -> torch.Tensor:
        with sdpa_kernel([SDPBackend.MATH]):
            loss = model(x).square().mean()
            loss.backward()
        return loss

    return model, step


def tiny_with_a_leak(case: Case) -> tuple[nn.Module, Callable[[], torch.Tensor]]:
    """A choice of kernel that is gone before the backward pass."""
    model, x = _model_and_batch(case)

    def step() -> torch.Tensor:
        with ExitStack() as stack:
            stack.enter_context(sdpa_kernel([SDPBackend.MATH]))
            loss = model(x).square().mean()
        loss.backward()
        return loss

    return model, step


def nothing(_case: Case) -> None:
    return None


def _model_and_batch(case: Case) -> tuple[Tiny, torch.Tensor]:
    x = torch.randn((2, 16, 16), generator=torch.Generator().manual_seed(3))
    return Tiny(case), x.to(case.device, case.dtype)
