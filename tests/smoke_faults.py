"""The ranks of a smoke job with faults planted in them: `python tests/smoke_faults.py ORDER…`, started as the worker is.

Which fault, in which cell stands in the environment (PLANTED: {cell: fault} as JSON), so that an order has no option
that only tests need. Several orders are done one after the other, which loads torch once.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import msgspec
import torch

from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker import __main__ as worker
from consistency_bot.smoke.worker import decoder, kernels, numerics, parallel
from consistency_bot.smoke.worker.measured import Measured
from consistency_bot.smoke.worker.probes import PROBES, recompute, tp_sp
from consistency_bot.smoke.worker.running import read_order, run
from consistency_bot.smoke.worker.scene import Scene

PLANTED: dict[str, str] = json.loads(os.environ.get("PLANTED", "{}"))
RANK = int(os.environ.get("RANK", "0"))


@contextmanager
def raising(rank: int) -> Iterator[None]:
    plain = decoder.FeedForward.forward

    def forward(self: decoder.FeedForward, x: torch.Tensor) -> torch.Tensor:
        if rank == RANK:
            raise ValueError("planted: this rank raises")
        return plain(self, x)

    with patch.object(decoder.FeedForward, "forward", forward):
        yield


@contextmanager
def hanging(rank: int) -> Iterator[None]:
    plain = decoder.FeedForward.forward

    def forward(self: decoder.FeedForward, x: torch.Tensor) -> torch.Tensor:
        if rank == RANK:
            time.sleep(600)
        return plain(self, x)

    with patch.object(decoder.FeedForward, "forward", forward):
        yield


@contextmanager
def killed() -> Iterator[None]:
    if RANK == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    yield


@contextmanager
def forward_only() -> Iterator[None]:
    """The choice of a kernel holds while going forward, and is gone when the forward pass runs again."""

    def train(
        model: decoder.Decoder, batch: tuple[torch.Tensor, torch.Tensor], backend: str, log: kernels.AttentionLog
    ) -> torch.Tensor:
        ids, targets = batch
        with log:
            with kernels.choosing(backend):
                loss = decoder.loss_of(parallel.whole(model(ids)), targets)
            loss.backward()
        return loss

    with patch.object(tp_sp, "train", train):
        yield


def _copy(x: torch.Tensor) -> torch.Tensor:
    return x.clone()


@contextmanager
def unsharded_operator() -> Iterator[None]:
    """An operator of ours that DTensor knows nothing of, where the decoder slices its hidden states."""
    keep = torch.library.custom_op("planted::keep", _copy, mutates_args=())
    keep.register_fake(torch.empty_like)
    keep.register_autograd(lambda _context, gradient: gradient)

    def forward(self: decoder.Decoder, ids: torch.Tensor) -> torch.Tensor:
        x = self.embed(ids)
        for layer in self.layers:
            x = layer(x)
        return self.lm_head(keep(self.norm(x)))

    with patch.object(decoder.Decoder, "forward", forward):
        yield


@contextmanager
def wrong_gradient() -> Iterator[None]:
    plain = numerics.step_of

    def step_of(model: torch.nn.Module, loss: float) -> numerics.Step:
        found = plain(model, loss)
        name = "layers.1.mlp.up_proj.weight"
        wrong = found.gradients[name].clone()
        flat = wrong.view(-1)
        flat[flat.abs().argmax()] *= 1.001
        return msgspec.structs.replace(found, gradients={**found.gradients, name: wrong})

    with patch.object(tp_sp, "step_of", step_of):
        yield


@contextmanager
def cudnn_then_flash() -> Iterator[None]:
    """The field's crash without a GPU: cuDNN's kernel at first, flash attention when it runs again, on no device."""
    seen: list[torch.Tensor] = []

    def attend(_shape: recompute.Shape, q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        seen.append(q)
        if len(seen) == 1:
            return torch.ops.aten._scaled_dot_product_cudnn_attention(q, k, v, None, True, 0.0, True)[0]
        return torch.ops.aten._scaled_dot_product_flash_attention(q, k, v, 0.0, True)[0]

    def inputs(shape: recompute.Shape) -> list[torch.Tensor]:
        made = (torch.empty((16, 4, shape.length, 64), device="meta", dtype=torch.bfloat16) for _ in range(3))
        return [each.requires_grad_() for each in made]

    with patch.object(recompute, "attend", attend), patch.object(recompute, "_inputs", inputs):
        yield


FAULTS = {
    "cudnn-then-flash": cudnn_then_flash,
    "forward-only": forward_only,
    "hang-0": lambda: hanging(0),
    "hang-1": lambda: hanging(1),
    "killed-1": killed,
    "raise-1": lambda: raising(1),
    "unsharded-operator": unsharded_operator,
    "wrong-gradient": wrong_gradient,
}


def planted(plain: Callable[[Combination, Scene], Measured]) -> Callable[[Combination, Scene], Measured]:
    """A probe with the faults that are planted in its cells."""

    def measure(cell: Combination, scene: Scene) -> Measured:
        if cell.name not in PLANTED:
            return plain(cell, scene)
        with FAULTS[PLANTED[cell.name]]():
            return plain(cell, scene)

    return measure


if __name__ == "__main__":
    PROBES.update({name: planted(PROBES[name]) for name in ("tp-sp", "recompute")})
    torch.set_num_threads(1)
    statuses = [run(read_order(Path(order))) for order in sys.argv[1:]]
    worker.leave(max(statuses))
