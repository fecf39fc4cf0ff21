"""Processes that should not be there any more."""

import os
import time
from pathlib import Path


def left_behind(argument: str) -> list[int]:
    """Processes that have this argument, once the system has had a moment."""
    found: list[int] = []
    for _ in range(50):
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                words = Path(f"/proc/{name}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            found += [int(name)] if argument.encode() in words else []
        if not found:
            return []
        time.sleep(0.1)
    return found
