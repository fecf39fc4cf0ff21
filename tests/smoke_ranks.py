"""Starting the ranks of a smoke job in tests, and reading what they wrote. Nothing here loads torch."""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import pytest

from consistency_bot.smoke.cells import Cell, Line, Order

FAULTS = Path(__file__).parent / "smoke_faults.py"
ROOT = str(Path(__file__).parent.parent)
WORKER = ("-m", "consistency_bot.smoke.worker")

needs_torch = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None, reason="torch (extra `smoke`) is missing: NO SMOKE PROBE WAS TRIED"
)


def order(folder: Path, probe: str, options: Mapping[str, object], **more: object) -> Order:
    """An order whose results go to a file of their own in `folder`."""
    results = folder / f"{probe}-{len(list(folder.iterdir()))}.jsonl"
    results.touch()
    told = {"job": probe, "probe": probe, "options": options, "results": str(results), "repository": str(folder)}
    return msgspec.convert(told | more, Order)


def ranks(
    orders: Sequence[Order], count: int, *, program: Sequence[str] = WORKER, planted: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs orders to their end, or to that of the processes, on `count` ranks."""
    paths = [Path(each.results).with_suffix(".order") for each in orders]
    for path, each in zip(paths, orders, strict=True):
        path.write_bytes(msgspec.json.encode(each))
    torchrun = ("-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={count}") if count > 1 else ()
    environment = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": ROOT, "PLANTED": json.dumps(planted or {})}
    command = [sys.executable, *torchrun, *program, *map(str, paths)]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False, timeout=300)


def lines(one: Order) -> list[Line]:
    """Every line that an order's ranks have written."""
    return [msgspec.json.decode(line, type=Line) for line in Path(one.results).read_bytes().splitlines()]


def cells(one: Order) -> dict[str, Cell]:
    """The measured cells by name."""
    return {line.name: line for line in lines(one) if isinstance(line, Cell)}
