"""Which attention kernel runs in the forward pass and which when it runs again, for each way to choose one."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from functools import cache

import msgspec
import torch
from torch.nn import functional
from torch.utils.checkpoint import checkpoint

from consistency_bot.smoke.cells import Settings
from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker.kernels import AttentionLog, choosing, outcome_of_kernels, switched
from consistency_bot.smoke.worker.measured import Measured
from consistency_bot.smoke.worker.numerics import DTYPES, TOLERANCE, furthest
from consistency_bot.smoke.worker.parallel import Contexts, selective_contexts
from consistency_bot.smoke.worker.scene import Scene

HEADS, KV_HEADS, BATCH = 4, 2, 2

Gradients = dict[str, torch.Tensor]


class Shape(msgspec.Struct, frozen=True):
    """One attention, as far as the choice of a kernel depends on it."""

    dtype: str
    length: int
    head_dim: int
    mask: str
    enable_gqa: bool
    device: torch.device


def shape_of(settings: Settings, device: torch.device) -> Shape:
    """What a cell's settings ask for."""
    return Shape(
        dtype=str(settings["dtype"]),
        length=int(settings["length"]),
        head_dim=int(settings.get("head_dim", 64)),
        mask=str(settings.get("mask", "causal")),
        enable_gqa=bool(settings.get("enable_gqa", False)),
        device=device,
    )


def measure(cell: Combination, scene: Scene) -> Measured:
    """Forward and backward of one attention that is recomputed, with the choice of a kernel where the cell has it."""
    shape = shape_of(cell.settings, scene.device)
    backend, context = str(cell.settings["backend"]), str(cell.settings["context"])
    found = _gradients(shape, str(cell.settings["checkpointing"]), backend, context, scene.log)
    off, whose = furthest(found, reference(shape))
    outcome, note = outcome_of_kernels(scene.log)
    if off > TOLERANCE[shape.dtype]:
        outcome, note = "wrong-numerics", f"the gradient of {whose} is off by {off:.1e}"
    return Measured(outcome=outcome, note=note, gradient_error=off)


def expectation(cell: Combination, scene: Scene) -> str:
    """What the cell is to end in on this machine: a kernel that is the default anyway needs no context to run again.

    It is called with what the cell has logged. Empty where nothing else is expected than in general.
    """
    plain = default_kernels(shape_of(cell.settings, scene.device))
    if cell.settings["context"] == "forward-only" and set(scene.log.forward) == set(plain):
        return "ok"
    return ""


@cache
def default_kernels(shape: Shape) -> tuple[str, ...]:
    """What PyTorch picks by itself; empty where it finds nothing."""
    log = AttentionLog()
    inputs = _inputs(shape)
    try:
        with log:
            attend(shape, *inputs)
    except RuntimeError:
        return ()
    return log.forward


@cache
def reference(shape: Shape) -> Gradients:
    """The gradients that the plain kernel gives without recomputation."""
    return _gradients(shape, "none", "MATH", "both", AttentionLog())


def attend(shape: Shape, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """The attention of a shape."""
    mask = _mask(shape) if shape.mask == "masked" else None
    # `enable_gqa` came with torch 2.5; it is left out where it says nothing, so that a model's own call is met.
    grouped = {"enable_gqa": True} if shape.enable_gqa else {}
    return functional.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=mask is None, **grouped)


def _gradients(shape: Shape, mode: str, backend: str, context: str, log: AttentionLog) -> Gradients:
    inputs = _inputs(shape)
    with log, ExitStack() as stack:
        with _around_forward(backend, context, stack):
            out = _call(shape, inputs, mode, backend if context == "re-entered" else "default")
        generator = torch.Generator().manual_seed(2)
        weights = torch.randn(out.shape, generator=generator).to(out.device)
        (out.float() * weights).sum().backward()
    return {name: each.grad.float() for name, each in zip("qkv", inputs, strict=True)}


def _around_forward(backend: str, context: str, stack: ExitStack) -> AbstractContextManager[None]:
    """The context of the forward pass; what holds for both passes is put on `stack`."""
    match context:
        case "both":
            stack.enter_context(choosing(backend))
        case "global":
            stack.enter_context(switched(backend))
        case _:
            return choosing(backend)
    return nullcontext()


def _call(shape: Shape, inputs: list[torch.Tensor], mode: str, again: str) -> torch.Tensor:
    """The attention, recomputed as `mode` says; `again` is the kernel that is chosen once more when it runs again."""

    def plain(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return attend(shape, q, k, v)

    match mode:
        case "none":
            return plain(*inputs)
        case "reentrant":
            return checkpoint(plain, *inputs, use_reentrant=True)
        case "selective":
            return checkpoint(
                plain, *inputs, use_reentrant=False, context_fn=_chosen_again(again, selective_contexts())
            )
    return checkpoint(plain, *inputs, use_reentrant=False, context_fn=_chosen_again(again, _no_contexts))


def _no_contexts() -> tuple[AbstractContextManager[None], AbstractContextManager[None]]:
    return nullcontext(), nullcontext()


def _chosen_again(backend: str, contexts: Contexts) -> Callable[[], tuple[AbstractContextManager[object], ...]]:
    """`context_fn` that chooses a kernel for the second forward pass too."""

    def both() -> tuple[AbstractContextManager[object], ...]:
        first, second = contexts()
        return first, _together(second, choosing(backend))

    return both


@contextmanager
def _together(*contexts: AbstractContextManager[object]) -> Iterator[None]:
    with ExitStack() as stack:
        for each in contexts:
            stack.enter_context(each)
        yield


def _inputs(shape: Shape) -> list[torch.Tensor]:
    """Queries, keys and values, the same in every run."""
    generator = torch.Generator().manual_seed(1)
    heads = (HEADS, KV_HEADS, KV_HEADS) if shape.enable_gqa else (HEADS,) * 3
    made = (torch.randn((BATCH, count, shape.length, shape.head_dim), generator=generator) for count in heads)
    return [each.to(shape.device, DTYPES[shape.dtype]).requires_grad_() for each in made]


def _mask(shape: Shape) -> torch.Tensor:
    """Causal, and the second sequence begins with padding, which only the first position of each row sees."""
    causal = torch.ones((shape.length, shape.length), dtype=torch.bool, device=shape.device).tril()
    padded = causal.clone()
    padded[:, : shape.length // 4] = False
    padded.fill_diagonal_(fill_value=True)
    return torch.stack([causal, padded])[:, None]
