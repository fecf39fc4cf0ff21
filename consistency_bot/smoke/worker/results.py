"""The file of results: one JSON line each, whole on disk before the next step of the run."""

import os

import msgspec

from consistency_bot.smoke.cells import Line


class Results:
    """Appends lines to a file that other ranks and the parent may have open too."""

    def __init__(self, path: str) -> None:
        self._descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)

    def add(self, line: Line) -> None:
        """Writes one line, in one call, so that lines of several ranks do not mix."""
        os.write(self._descriptor, msgspec.json.encode(line) + b"\n")
