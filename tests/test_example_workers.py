"""The example workers for real, where torch is installed: a core install has none."""

import importlib.util
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parent.parent / "examples" / "policy_workers"

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="torch (extra `smoke`) is missing")


@needs_torch
def test_both_workers_train_and_print_the_same_losses() -> None:
    first, second = (_train(worker) for worker in ("v1", "v2"))
    assert len(first) == 2
    assert [line.removeprefix("v1 ") for line in first] == [line.removeprefix("v2 ") for line in second]


def _train(worker: str) -> list[str]:
    """What two steps of one worker print."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = str(probe.getsockname()[1])
    environment = os.environ | {"MASTER_PORT": port, "OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "run.py", worker, "--steps", "2"]
    done = subprocess.run(command, cwd=EXAMPLE, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()
