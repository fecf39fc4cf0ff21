"""Attention kernels: how one is chosen, and which one ran."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.utils._python_dispatch import TorchDispatchMode

from consistency_bot.probes import KERNELS

_RUN = (
    ("_flash_attention", "FLASH_ATTENTION"),
    ("_efficient_attention", "EFFICIENT_ATTENTION"),
    ("_cudnn_attention", "CUDNN_ATTENTION"),
    ("_overrideable", "OVERRIDEABLE"),
)
_SOFTMAX = ("aten::_softmax", "aten::_safe_softmax")
"""What the plain kernel is made of; the decoder has no other softmax (its loss takes `_log_softmax`)."""

_SWITCHES = {
    "MATH": torch.backends.cuda.enable_math_sdp,
    "FLASH_ATTENTION": torch.backends.cuda.enable_flash_sdp,
    "EFFICIENT_ATTENTION": torch.backends.cuda.enable_mem_efficient_sdp,
    "CUDNN_ATTENTION": torch.backends.cuda.enable_cudnn_sdp,
}
"""Process-wide, and for all devices in spite of their name."""


class AttentionLog(TorchDispatchMode):
    """The attention kernels that run while this is active: in the forward pass, and again in the backward pass."""

    def __init__(self) -> None:
        super().__init__()
        self._forward: list[str] = []
        self._again: list[str] = []

    @property
    def forward(self) -> tuple[str, ...]:
        """What ran in the forward pass, in order."""
        return tuple(self._forward)

    @property
    def again(self) -> tuple[str, ...]:
        """What ran again while gradients were computed, in order."""
        return tuple(self._again)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):  # type: ignore[no-untyped-def]
        """Notes the kernel of a call and makes the call."""
        kernel = _kernel(func.name().split(".")[0])
        if kernel:
            # Autograd knows whether it is at work, also in the thread that it has for a GPU.
            again = torch._C._current_graph_task_id() != -1  # noqa: SLF001  # as torch.utils.checkpoint asks
            (self._again if again else self._forward).append(kernel)
        return func(*args, **(kwargs or {}))


def _kernel(name: str) -> str:
    """The kernel that an operator is, or is the mark of; empty for all others and for backward kernels."""
    if name in _SOFTMAX:
        return "MATH"
    if not name.startswith("aten::_scaled_dot_product") or name.endswith("backward"):
        return ""
    return next((kernel for part, kernel in _RUN if part in name), "")


def choosing(backend: str) -> AbstractContextManager[None]:
    """Holds the choice of `default`, one kernel, several joined by `+`, or `any`."""
    if backend == "default":
        return nullcontext()
    return sdpa_kernel([getattr(SDPBackend, name) for name in _listed(backend)])


def _listed(backend: str) -> Sequence[str]:
    return KERNELS if backend == "any" else backend.split("+")


@contextmanager
def switched(backend: str) -> Iterator[None]:
    """The same choice by the process-wide switches."""
    were = {name: bool(_is_on(name)) for name in KERNELS}
    chosen = KERNELS if backend == "default" else _listed(backend)
    try:
        for name, switch in _SWITCHES.items():
            switch(name in chosen)
        yield
    finally:
        for name, switch in _SWITCHES.items():
            switch(were[name])


def _is_on(name: str) -> bool:
    match name:
        case "MATH":
            return torch.backends.cuda.math_sdp_enabled()
        case "FLASH_ATTENTION":
            return torch.backends.cuda.flash_sdp_enabled()
        case "EFFICIENT_ATTENTION":
            return torch.backends.cuda.mem_efficient_sdp_enabled()
    return torch.backends.cuda.cudnn_sdp_enabled()


def outcome_of_kernels(log: AttentionLog) -> tuple[str, str]:
    """Whether the same kernels ran again as at first; a kernel whose result was kept need not run again."""
    first, again = sorted(set(log.forward)), sorted(set(log.again))
    if again and first != again:
        return "silent-kernel-change", f"{' and '.join(first)} at first, {' and '.join(again)} when it ran again"
    return "ok", ""
