"""The processes of a run: one group for all cells, and a store beside it through which they tell each other how it went.

Never a collective for that: where one rank has raised, the other may still wait inside one.
"""

import os
from collections.abc import Callable
from datetime import timedelta
from time import monotonic
from typing import Literal

import torch
import torch.distributed as dist
from torch.distributed.device_mesh import DeviceMesh, init_device_mesh

from consistency_bot.errors import UsageError

GRACE = 5.0
"""Seconds that are waited on top of a bound for what is on its way."""


class Ranks:
    """This process among those of its run. `world` is 1 where there is no group."""

    def __init__(self, device: Literal["cpu", "cuda"], timeout: float, wanted: int) -> None:
        self.rank = int(os.environ.get("RANK", "0"))
        started = int(os.environ.get("WORLD_SIZE", "1"))
        local = int(os.environ.get("LOCAL_RANK", "0"))
        self.timeout = timeout
        self._kind = "nccl" if device == "cuda" else "gloo"
        enough = device == "cpu" or torch.cuda.device_count() >= int(os.environ.get("LOCAL_WORLD_SIZE", "1"))
        self.world = started if wanted > 1 and enough else 1
        self.device = torch.device("cuda", local if self.world > 1 else 0) if device == "cuda" else torch.device("cpu")
        self._generation = 0
        self._meshes: dict[tuple[int, int], DeviceMesh] = {}
        if device == "cuda":
            if not torch.cuda.is_available():
                raise UsageError("the order asks for cuda, and torch sees no GPU here; ask for `cpu`")
            torch.cuda.set_device(self.device)
            # Else a collective that is late ends the process from a thread of torch's, and nobody learns in which cell.
            os.environ.setdefault("TORCH_NCCL_BLOCKING_WAIT", "1")
        if self.world > 1:
            self._root = self._connect(is_host=self.rank == 0 and not _is_hosted())
            self._open()

    @property
    def is_idle(self) -> bool:
        """Whether this process has nothing to do, since all cells run in one."""
        return self.world == 1 and self.rank > 0

    @property
    def can_rebuild(self) -> bool:
        """Whether the group can be made anew in the same processes; what NCCL left behind on a GPU cannot be cleared."""
        return self._kind == "gloo"

    def mesh(self, tp: int) -> DeviceMesh:
        """All ranks as `dp` times `tp`."""
        shape = (self.world // tp, tp)
        if shape not in self._meshes:
            self._meshes[shape] = init_device_mesh(self.device.type, shape, mesh_dim_names=("dp", "tp"))
        return self._meshes[shape]

    def share(self, cell: int, report: bytes, patience: float) -> list[bytes | None]:
        """What each rank reports of a cell; None for one that does not within `patience` seconds."""
        if self.world == 1:
            return [report]
        store = dist.PrefixStore("report", self._root)
        store.set(f"{cell}/{self.rank}", report)
        until = monotonic() + patience
        found: list[bytes | None] = []
        for rank in range(self.world):
            # A rank that is late leaves the others their time all the same.
            left = timedelta(seconds=max(until - monotonic(), 0.05))
            try:
                store.wait([f"{cell}/{rank}"], left)
                found.append(store.get(f"{cell}/{rank}"))
            except dist.DistStoreError:
                found.append(None)
        return found

    def place_of(self, cell: int, rank: int) -> str:
        """Where a rank was when it had been in a cell for too long; empty where it could not tell."""
        store = dist.PrefixStore("place", self._root)
        return store.get(f"{cell}/{rank}").decode() if store.check([f"{cell}/{rank}"]) else ""

    def place_teller(self) -> Callable[[int, str], None]:
        """A way to tell the others where this rank is stuck, for another thread: a connection waits for one at a time."""
        if self.world == 1:
            return lambda _cell, _site: None
        store = dist.PrefixStore("place", self._connect(is_host=False))
        return lambda cell, site: store.set(f"{cell}/{self.rank}", site)

    def rebuild(self) -> None:
        """Makes the group anew after ranks have fallen out of step. Raises what torch raises if that fails."""
        self._meshes.clear()
        dist.destroy_process_group()
        self._generation += 1
        self._open()

    def close(self) -> None:
        """Ends the group."""
        if self.world > 1:
            dist.destroy_process_group()

    def _connect(self, *, is_host: bool) -> dist.TCPStore:
        address, port = os.environ["MASTER_ADDR"], int(os.environ["MASTER_PORT"])
        return dist.TCPStore(address, port, None, is_host, timedelta(seconds=60), multi_tenant=True)

    def _open(self) -> None:
        dist.init_process_group(
            self._kind,
            store=dist.PrefixStore(f"group{self._generation}", self._root),
            rank=self.rank,
            world_size=self.world,
            timeout=timedelta(seconds=self.timeout),
            device_id=self.device if self._kind == "nccl" else None,
        )


def _is_hosted() -> bool:
    """Whether torchrun's agent is where all stores connect to."""
    return os.environ.get("TORCHELASTIC_USE_AGENT_STORE") == "True"
