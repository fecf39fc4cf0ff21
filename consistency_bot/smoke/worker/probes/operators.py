"""Whether DTensor knows how to shard an operator: it is called with a tensor that is sharded in a fake group."""

import torch
from torch.distributed.tensor import DTensor, Replicate, Shard

from consistency_bot.probes import Operators
from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker.fake import fake_mesh
from consistency_bot.smoke.worker.loading import apply_once, load_function
from consistency_bot.smoke.worker.measured import Measured, outcome_of
from consistency_bot.smoke.worker.parallel import operator_named
from consistency_bot.smoke.worker.scene import Scene

_REGISTRIES = ("op_to_rules", "op_strategy_funcs", "op_single_dim_strategy_funcs")
"""Where DTensor keeps what it knows (torch 2.8 to 2.13; the last since 2.11)."""


def measure(cell: Combination, scene: Scene) -> Measured:
    """`ok` or `no-strategy`; `no-operator` where this torch has no such thing."""
    assert isinstance(scene.options, Operators)
    # The file of the patch is run before anything is measured: it may define the very operator.
    patch = load_function(scene.options.patch, scene.repository) if scene.options.patch else None
    if cell.settings["patched"] and patch is not None:
        apply_once(patch)
    return measured_operator(str(cell.settings["operator"]), scene)


def expectation(cell: Combination, scene: Scene) -> str:
    """Where a patch is given, `no-strategy` is as fine as `ok` without it: which of them the cell is there to tell."""
    assert isinstance(scene.options, Operators)
    if not scene.options.patch or cell.settings["patched"]:
        return ""
    outcome = measured_operator(str(cell.settings["operator"]), scene).outcome
    return outcome if outcome == "no-strategy" else ""


def measured_operator(name: str, scene: Scene) -> Measured:
    """What comes of calling an operator with made-up arguments on a sharded tensor."""
    try:
        operator = operator_named(name)
    except (AttributeError, RuntimeError):
        return Measured(outcome="no-operator", note=f"torch {torch.__version__} has no operator {name}")
    arguments = _arguments(operator, scene)
    if arguments is None:
        return _by_registry(operator, "no arguments could be made up for it")
    try:
        operator(*arguments)  # type: ignore[operator]
    except (NotImplementedError, RuntimeError, ValueError, IndexError, TypeError, AssertionError) as error:
        if outcome_of(error) == "no-strategy":
            return Measured(outcome="no-strategy", note=" ".join(str(error).split())[:200])
        return _by_registry(operator, f"it could not be called with made-up arguments ({type(error).__name__})")
    return Measured(outcome="ok")


def _by_registry(operator: object, why: str) -> Measured:
    known = DTensor._op_dispatcher.sharding_propagator  # noqa: SLF001  # there is no public way to ask
    is_known = any(operator in getattr(known, each, {}) for each in _REGISTRIES)
    outcome = "ok" if is_known else "no-strategy"
    return Measured(outcome=outcome, note=f"read from DTensor's tables: {why}")


def _arguments(operator: object, scene: Scene) -> list[object] | None:
    """One value for each argument that has no default; None where there is a type for which none can be made up."""
    mesh = fake_mesh(scene.device.type, 1, 2)["tp"]

    def sharded() -> DTensor:
        local = torch.arange(64.0, device=scene.device).reshape(2, 8, 4)
        return DTensor.from_local(local, mesh, [Shard(1)], run_check=False)

    def indices() -> DTensor:
        local = torch.zeros((2, 8, 4), dtype=torch.int64, device=scene.device)
        return DTensor.from_local(local, mesh, [Replicate()], run_check=False)

    def weight() -> DTensor:
        local = torch.ones((8, 4), device=scene.device)
        return DTensor.from_local(local, mesh, [Shard(1)], run_check=False)

    made: list[object] = []
    plain = {"int": -1, "SymInt": -1, "bool": False, "float": 1.0, "number": 1.0}
    for argument in operator._schema.arguments:  # type: ignore[attr-defined]  # noqa: SLF001
        kind = str(argument.type)
        if argument.has_default_value() or argument.kwarg_only:
            break
        if kind == "Tensor":
            made.append({"index": indices, "indices": indices, "weight": weight}.get(argument.name, sharded)())
        elif kind == "List[Tensor]":
            made.append([sharded(), sharded()])
        elif kind in plain:
            made.append(plain[kind])
        else:
            return None
    return made
