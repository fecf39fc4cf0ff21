"""How far a sharded model is from one process that does the same."""

from collections.abc import Mapping
from functools import cache

import msgspec
import torch
from torch import nn

from consistency_bot.smoke.worker.decoder import Sizes, loss_of, make_batch, make_decoder
from consistency_bot.smoke.worker.kernels import AttentionLog, choosing, outcome_of_kernels
from consistency_bot.smoke.worker.measured import Measured
from consistency_bot.smoke.worker.parallel import plain_name, whole

DTYPES = {"fp32": torch.float32, "bf16": torch.bfloat16, "fp16": torch.float16}

TOLERANCE = {"fp32": 2e-5, "bf16": 6e-2, "fp16": 1e-2}
"""Largest relative error: four to forty times what sound combinations showed on two CPU ranks with torch 2.13."""


class Step(msgspec.Struct, frozen=True):
    """A loss, its gradients, and the weights after one step of the optimiser, all whole and by plain name."""

    loss: float
    gradients: Mapping[str, torch.Tensor]
    weights: Mapping[str, torch.Tensor]


class Distance(msgspec.Struct, frozen=True):
    """Relative errors of one step against another. `note` says what is too far off, and is empty where nothing is."""

    loss: float
    gradient: float
    note: str


def take_step(model: nn.Module) -> None:
    """One step of an optimiser that is linear in the gradient, so that a wrong step is a wrong step and no rounding."""
    # Parameters may live on meshes of one and of two dimensions, which no operator takes together (`foreach`).
    torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, foreach=False).step()


def gradients_of(model: nn.Module) -> dict[str, torch.Tensor]:
    """Whole gradients by plain name; parameters that have none are left out."""
    found = {plain_name(name): parameter.grad for name, parameter in model.named_parameters()}
    return {name: whole(gradient).detach().float() for name, gradient in found.items() if gradient is not None}


def weights_of(model: nn.Module) -> dict[str, torch.Tensor]:
    """Whole weights by plain name."""
    return {plain_name(name): whole(weight).detach().float().clone() for name, weight in model.named_parameters()}


def step_of(model: nn.Module, loss: float) -> Step:
    """What there is after the backward pass, and after one step of the optimiser, which this makes."""
    gradients = gradients_of(model)
    take_step(model)
    return Step(loss, gradients, weights_of(model))


@cache
def reference(sizes: Sizes, dtype: str, device: torch.device, enable_gqa: bool) -> Step:
    """What one process makes of the decoder's batch, with the plain attention kernel and nothing recomputed."""
    decoder = make_decoder(sizes, DTYPES[dtype], device, enable_gqa=enable_gqa)
    ids, targets = make_batch(sizes, device)
    with choosing("MATH"):
        loss = loss_of(decoder(ids), targets)
        loss.backward()
    return step_of(decoder, loss.item())


def measured_step(found: Step, wanted: Step, dtype: str, log: AttentionLog) -> Measured:
    """What a step came to: too far off, or another kernel where the forward pass ran again, or `ok`."""
    off = distance(found, wanted, dtype)
    outcome, note = ("wrong-numerics", off.note) if off.note else outcome_of_kernels(log)
    return Measured(outcome=outcome, note=note, loss_error=off.loss, gradient_error=off.gradient)


def distance(found: Step, wanted: Step, dtype: str) -> Distance:
    """How far `found` is from `wanted`. What is missing or not finite is infinitely far."""
    tolerance = TOLERANCE[dtype]
    loss = abs(found.loss - wanted.loss) / max(abs(wanted.loss), 1e-6)
    loss = loss if loss == loss else float("inf")  # noqa: PLR0124  # not a number is unlike itself
    gradient, worst = furthest(found.gradients, wanted.gradients)
    weight, heaviest = furthest(found.weights, wanted.weights)
    notes = []
    if loss > tolerance:
        notes.append(f"the loss is off by {loss:.1e}")
    if gradient > tolerance:
        notes.append(f"the gradient of {worst} is off by {gradient:.1e}")
    if weight > tolerance:
        notes.append(f"after the optimiser's step {heaviest} is off by {weight:.1e}")
    return Distance(loss, gradient, f"{', '.join(notes)} (at most {tolerance:.0e})" if notes else "")


def furthest(found: Mapping[str, torch.Tensor], wanted: Mapping[str, torch.Tensor]) -> tuple[float, str]:
    """The largest error among tensors of the same name, relative to the largest value there, and whose it is."""
    furthest, whose = 0.0, ""
    for name, right in wanted.items():
        error = float("inf")
        if name in found and found[name].shape == right.shape:
            off = ((found[name] - right).abs().max() / right.abs().max().clamp_min(1e-6)).item()
            error = off if off == off else error  # noqa: PLR0124  # not a number is unlike itself
        if error > furthest:
            furthest, whose = error, name
    return furthest, whose
