"""A repository's own tiny model under its own contexts: docs/smoke/probes.md says what its function is to give."""

import msgspec
import torch
from torch import nn
from torch.distributed.device_mesh import DeviceMesh

from consistency_bot.errors import UsageError
from consistency_bot.probes import Mode, Module
from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker.kernels import choosing, outcome_of_kernels
from consistency_bot.smoke.worker.loading import load_function
from consistency_bot.smoke.worker.measured import Measured
from consistency_bot.smoke.worker.numerics import DTYPES, Step, measured_step, step_of
from consistency_bot.smoke.worker.scene import Scene


class Case(msgspec.Struct, frozen=True):
    """What a repository's function is asked to build. `tp_mesh` and `dp_mesh` are None where there is one rank of each.

    `backend` is the kernel that a cell asks for. The probe chooses it around the whole step; a step that chooses for
    itself overrules that.
    """

    device: torch.device
    dtype: torch.dtype
    tp_mesh: DeviceMesh | None
    dp_mesh: DeviceMesh | None
    sequence_parallel: bool
    activation_checkpointing: Mode
    backend: str


def measure(cell: Combination, scene: Scene) -> Measured:
    """One step of the repository's own, against the same without parallelism and recomputation."""
    assert isinstance(scene.options, Module)
    settings = cell.settings
    tp = int(settings["tp"])
    dtype = str(settings["dtype"])
    alone = Case(scene.device, DTYPES[dtype], None, None, False, "none", "default")
    wanted = _step(alone, scene) if scene.options.reference else None
    mesh = scene.ranks.mesh(tp) if scene.ranks.world > 1 else None
    case = msgspec.structs.replace(
        alone,
        tp_mesh=mesh["tp"] if mesh is not None and tp > 1 else None,
        dp_mesh=mesh["dp"] if mesh is not None and scene.options.dp > 1 else None,
        sequence_parallel=bool(settings["sp"]),
        activation_checkpointing=str(settings["checkpointing"]),
        backend=str(settings["backend"]),
    )
    with scene.log, choosing(case.backend):
        found = _step(case, scene)
    if wanted is None:
        outcome, note = outcome_of_kernels(scene.log)
        return Measured(outcome=outcome, note=note or "compared with nothing: `reference` is false")
    return measured_step(found, wanted, dtype, scene.log)


def _step(case: Case, scene: Scene) -> Step:
    """Builds the model, lets it make its own step forward and backward, and makes one of the optimiser."""
    assert isinstance(scene.options, Module)
    named = scene.options.module
    torch.manual_seed(0)
    given = load_function(named, scene.repository)(case)
    if not (isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], nn.Module) and callable(given[1])):
        raise UsageError(f"{named}: expected a model and a function that makes one step; found {type(given).__name__}")
    model, step = given
    loss = step()
    return step_of(model, float(loss.detach() if isinstance(loss, torch.Tensor) else loss))
