"""One run: every cell in turn, in one process group."""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.probes import decode_options
from consistency_bot.smoke.cells import Ended, Order, Started
from consistency_bot.smoke.combinations import Combination, cells_of, ranks_of
from consistency_bot.smoke.worker.joining import are_out_of_step, cut_short, joined, left_out
from consistency_bot.smoke.worker.kernels import AttentionLog
from consistency_bot.smoke.worker.machine import this_machine
from consistency_bot.smoke.worker.measured import Measured, is_caused_by_another
from consistency_bot.smoke.worker.probes import measured_by
from consistency_bot.smoke.worker.ranks import GRACE, Ranks
from consistency_bot.smoke.worker.results import Results
from consistency_bot.smoke.worker.scene import Scene
from consistency_bot.smoke.worker.watch import Watch

OUT_OF_STEP = 3
"""Exit status of a run that ended before its end: what is left has to be started again in fresh processes."""


def run(order: Order) -> int:
    """Measures the cells of an order and returns the exit status: 0 at the end of all cells, whatever they say."""
    started = monotonic()
    options = decode_options(order.probe, order.options)
    cells = _chosen(order, cells_of(options, order.patches))
    ranks = Ranks(order.device, order.collective_timeout, ranks_of(options, order.device))
    if ranks.is_idle:
        return 0
    results = Results(order.results)
    scene = Scene(order, options, ranks, AttentionLog())
    one = _Run(scene, results, Watch(ranks.rank, results, scene.repository, ranks.place_teller()))
    if ranks.rank == 0:
        results.add(this_machine(ranks))
    for at, cell in enumerate(cells):
        if ranks.rank == 0:
            results.add(Started(name=cell.name, at=at + 1, total=len(cells)))
        if not one.measure(at, cell):
            return OUT_OF_STEP
    if ranks.rank == 0:
        results.add(Ended(cells=len(cells), seconds=round(monotonic() - started, 3)))
    ranks.close()
    return 0


def _chosen(order: Order, cells: Sequence[Combination]) -> list[Combination]:
    """The cells that were asked for. Raises UsageError for one that the probe does not have."""
    known = {cell.name for cell in cells}
    for name in order.only:
        if name not in known:
            raise UsageError(
                f"job {order.job}: probe {order.probe} has no cell `{name}`; the first of {len(known)} are: "
                f"{', '.join(sorted(known)[:3])}"
            )
    return [cell for cell in cells if not order.only or cell.name in order.only]


class _Run:
    """The cells of one run, on this rank."""

    def __init__(self, scene: Scene, results: Results, watch: Watch) -> None:
        self._scene = scene
        self._ranks = scene.ranks
        self._results = results
        self._watch = watch

    def measure(self, at: int, cell: Combination) -> bool:
        """Measures one cell and writes it down; False where nothing more can be measured in these processes."""
        wanting = _wanting(cell, self._ranks)
        if wanting:
            if self._ranks.rank == 0:
                self._results.add(left_out(cell, wanting))
            return True
        timeout, begun = self._ranks.timeout, monotonic()
        self._watch.begin(at, cell.name, timeout + GRACE / 2)
        _forget_shardings()
        mine = _measured(cell, self._scene)
        if mine.error is not None:
            self._watch.failed(mine.error.site)
        # A rank that waited for another in vain need not wait for it as long once more.
        was_waiting = mine.error is not None and is_caused_by_another(mine.error)
        patience = GRACE if was_waiting else timeout + GRACE
        reports = self._ranks.share(at, msgspec.json.encode(mine), patience)
        self._watch.end()
        found = [None if report is None else msgspec.json.decode(report, type=Measured) for report in reports]
        present = [each for each in found if each is not None]
        if len(present) < len(found):
            self._write_cut_short(at, cell, found, monotonic() - begun)
            return False
        if self._ranks.rank == 0:
            self._results.add(joined(cell, present))
        return not are_out_of_step(present) or self._back_in_step()

    def _write_cut_short(self, at: int, cell: Combination, found: Sequence[Measured | None], seconds: float) -> None:
        """Written by the first rank that is still there."""
        if found[: self._ranks.rank].count(None) < self._ranks.rank:
            return
        sites = {rank: self._ranks.place_of(at, rank) for rank, each in enumerate(found) if each is None}
        self._results.add(cut_short(cell, found, sites, seconds))

    def _back_in_step(self) -> bool:
        if not self._ranks.can_rebuild:
            return False
        with suppress(RuntimeError):
            self._ranks.rebuild()
            return True
        return False


def _wanting(cell: Combination, ranks: Ranks) -> str:
    """What a cell needs that this run does not have; empty if nothing."""
    is_cpu = ranks.device.type == "cpu"
    if is_cpu and cell.needs_gpu:
        return f"not measured: needs {cell.ranks} GPUs"
    what = "ranks" if is_cpu else "GPUs"
    return f"not measured: needs {cell.ranks} {what}, this run has {ranks.world}" if cell.ranks > ranks.world else ""


def _measured(cell: Combination, scene: Scene) -> Measured:
    """What one rank finds, with the kernels that ran until its end or its error."""
    begun = monotonic()
    scene = msgspec.structs.replace(scene, log=AttentionLog())
    found = measured_by(scene.order.probe, cell, scene)
    return msgspec.structs.replace(
        found, kernels_forward=scene.log.forward, kernels_recompute=scene.log.again, seconds=monotonic() - begun
    )


def _forget_shardings() -> None:
    """Empties DTensor's caches.

    Up to torch 2.10 a placement that the masked embedding has filled in is kept, and fails the next cell that has
    another type (pytorch/torch/distributed/tensor/_redistribute.py).
    """
    from torch.distributed.tensor import _redistribute, debug

    for cached in ("_gen_transform_infos", "_gen_transform_infos_non_cached"):
        clear = getattr(getattr(_redistribute, cached, None), "cache_clear", None)
        if clear is not None:
            clear()
    # Not in every torch, nor does it find what it clears in every one.
    with suppress(AttributeError):
        debug._clear_sharding_prop_cache()  # noqa: SLF001  # what pytorch's own tests call


def read_order(path: Path) -> Order:
    """The order in a file. Raises UsageError where there is none."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Order)
    except (OSError, msgspec.DecodeError) as error:
        raise UsageError(f"{path}: expected an order (consistency_bot/smoke/cells.py); found {error}") from None
