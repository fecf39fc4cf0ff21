"""Tensor and sequence parallelism, FSDP2 and checkpointing: a step of training against one process that does the same."""

import torch
from torch.distributed.device_mesh import DeviceMesh

from consistency_bot.probes import TpSp
from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker.decoder import CPU_SIZES, CUDA_SIZES, Decoder, loss_of, make_batch, make_decoder
from consistency_bot.smoke.worker.fake import fake_mesh
from consistency_bot.smoke.worker.kernels import AttentionLog, choosing, outcome_of_kernels
from consistency_bot.smoke.worker.loading import apply_patches
from consistency_bot.smoke.worker.measured import Measured
from consistency_bot.smoke.worker.numerics import DTYPES, measured_step, reference, step_of, take_step
from consistency_bot.smoke.worker.parallel import recompute_layers, shard_over_data, share_out, whole
from consistency_bot.smoke.worker.scene import Scene


def measure(cell: Combination, scene: Scene) -> Measured:
    """One step of training. In a dry run only that it can be taken: its numbers mean nothing."""
    assert isinstance(scene.options, TpSp)
    apply_patches(scene.options.patches, scene.order)
    settings, is_real = cell.settings, not scene.options.dry
    sizes = CUDA_SIZES if scene.device.type == "cuda" else CPU_SIZES
    dtype, enable_gqa = str(settings["dtype"]), bool(settings["enable_gqa"])
    wanted = reference(sizes, dtype, scene.device, enable_gqa) if is_real else None
    mesh = _mesh(cell, scene) if is_real else fake_mesh(scene.device.type, int(settings["dp"]), int(settings["tp"]))
    decoder = make_decoder(sizes, DTYPES[dtype], scene.device, enable_gqa=enable_gqa)
    if mesh is not None and int(settings["tp"]) > 1:
        share_out(decoder, mesh["tp"], sequence=bool(settings["sp"]), is_real=is_real)
    recompute_layers(decoder, str(settings["checkpointing"]))
    if mesh is not None and settings["fsdp2"]:
        shard_over_data(decoder, mesh["dp"])
    loss = train(decoder, make_batch(sizes, scene.device), str(settings["backend"]), scene.log)
    if wanted is not None:
        return measured_step(step_of(decoder, loss.item()), wanted, dtype, scene.log)
    take_step(decoder)
    outcome, note = outcome_of_kernels(scene.log)
    return Measured(outcome=outcome, note=note)


def _mesh(cell: Combination, scene: Scene) -> DeviceMesh | None:
    """All ranks of the run; None where the cell shares nothing out."""
    tp = int(cell.settings["tp"])
    return scene.ranks.mesh(tp) if tp > 1 or cell.settings["fsdp2"] else None


def train(decoder: Decoder, batch: tuple[torch.Tensor, torch.Tensor], backend: str, log: AttentionLog) -> torch.Tensor:
    """Forward and backward, with the choice of a kernel around both. The loss comes back."""
    ids, targets = batch
    with log, choosing(backend):
        loss = loss_of(whole(decoder(ids)), targets)
        loss.backward()
    return loss
