"""How much work something is, counted in lines of this program that ran: the same on every machine, busy or idle."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import consistency_bot

PACKAGE = str(Path(consistency_bot.__file__).parent)


def work_of(action: Callable[[], object]) -> int:
    """How often a line of the package began, each turn of a loop or comprehension included; what C code does is free."""
    lines = 0

    def count(frame: FrameType, event: str, _: object) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    def enter(frame: FrameType, event: str, _: object) -> Any:
        return count if frame.f_code.co_filename.startswith(PACKAGE) else None

    before = sys.gettrace()
    sys.settrace(enter)
    try:
        action()
    finally:
        sys.settrace(before)
    return lines
