"""Tensor and sequence parallelism, FSDP2 and checkpointing: a step of training against one process that does the same."""

import torch

from consistency_bot.probes import TpSp
from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker.decoder import CPU_SIZES, CUDA_SIZES, Decoder, loss_of, make_batch, make_decoder
from consistency_bot.smoke.worker.fake import fake_mesh
from consistency_bot.smoke.worker.kernels import AttentionLog, choosing, outcome_of_kernels
from consistency_bot.smoke.worker.loading import apply_patches
from consistency_bot.smoke.worker.measured import Measured
from consistency_bot.smoke.worker.numerics import (
    DTYPES,
    Step,
    distance,
    gradients_of,
    reference,
    take_step,
    weights_of,
)
from consistency_bot.smoke.worker.parallel import recompute_layers, shard_over_data, share_out, whole
from consistency_bot.smoke.worker.scene import Scene


def measure(cell: Combination, scene: Scene) -> Measured:
    """One step of training. In a dry run only that it can be taken: its numbers mean nothing."""
    assert isinstance(scene.options, TpSp)
    apply_patches(scene.options.patches, scene.order)
    if scene.options.dry:
        return _dry(cell, scene)
    settings = cell.settings
    sizes = CUDA_SIZES if scene.device.type == "cuda" else CPU_SIZES
    dtype, enable_gqa = str(settings["dtype"]), bool(settings["enable_gqa"])
    wanted = reference(sizes, dtype, scene.device, enable_gqa)
    decoder = make_decoder(sizes, DTYPES[dtype], scene.device, enable_gqa=enable_gqa)
    tp = int(settings["tp"])
    if tp > 1:
        share_out(decoder, scene.ranks.mesh(tp)["tp"], sequence=bool(settings["sp"]))
    recompute_layers(decoder, str(settings["checkpointing"]))
    if settings["fsdp2"]:
        shard_over_data(decoder, scene.ranks.mesh(tp)["dp"])
    loss = train(decoder, make_batch(sizes, scene.device), str(settings["backend"]), scene.log)
    gradients = gradients_of(decoder)
    take_step(decoder)
    off = distance(Step(loss.item(), gradients, weights_of(decoder)), wanted, dtype)
    outcome, note = ("wrong-numerics", off.note) if off.note else outcome_of_kernels(scene.log)
    return Measured(outcome=outcome, note=note, loss_error=off.loss, gradient_error=off.gradient)


def train(decoder: Decoder, batch: tuple[torch.Tensor, torch.Tensor], backend: str, log: AttentionLog) -> torch.Tensor:
    """Forward and backward, with the choice of a kernel around both. The loss comes back."""
    ids, targets = batch
    with log, choosing(backend):
        loss = loss_of(whole(decoder(ids)), targets)
        loss.backward()
    return loss


def _dry(cell: Combination, scene: Scene) -> Measured:
    """The same step as one rank of a group that is not there."""
    settings = cell.settings
    sizes = CUDA_SIZES if scene.device.type == "cuda" else CPU_SIZES
    mesh = fake_mesh(scene.device.type, int(settings["dp"]), int(settings["tp"]))
    decoder = make_decoder(sizes, DTYPES[str(settings["dtype"])], scene.device, enable_gqa=bool(settings["enable_gqa"]))
    if int(settings["tp"]) > 1:
        share_out(decoder, mesh["tp"], sequence=bool(settings["sp"]), is_real=False)
    recompute_layers(decoder, str(settings["checkpointing"]))
    if settings["fsdp2"]:
        shard_over_data(decoder, mesh["dp"])
    train(decoder, make_batch(sizes, scene.device), str(settings["backend"]), scene.log)
    take_step(decoder)
    outcome, note = outcome_of_kernels(scene.log)
    return Measured(outcome=outcome, note=note)
