"""What one rank found in one cell, and what it makes of an error."""

from collections.abc import Iterable
from pathlib import Path
from traceback import walk_tb
from types import FrameType

import msgspec

from consistency_bot.smoke.cells import RankError

OURS = Path(__file__).parents[2]
_WATCHING = OURS / "smoke" / "worker" / "kernels.py"
"""Stands between any two calls of torch while a cell is measured, and is never where something went wrong."""

_MESSAGE = 600
"""Characters of an error's message that are kept."""

_NO_KERNEL = ("No available kernel", "No viable backend for scaled_dot_product_attention")
_NO_STRATEGY = ("does not have a sharding strategy registered", "There was no fake impl registered for")
"""The second is what an operator of one's own without a strategy says that torch has not even been told the shape of."""

_NOT_KEPT = ("encountered during backward", "not found in storage")
"""Selective checkpointing met an operator when it ran again that it had not met before."""

_OUT_OF_STEP = (
    "timed out",
    "timeout",
    "connection closed",
    "connection reset",
    "connection was refused",
    "broken pipe",
    "communicator was aborted",
)
"""What an error says that another rank has caused."""


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """One rank's result. `expect` is empty unless measuring has shown that something else is right here.

    `place` is where the error was raised in torch or elsewhere, by which ranks are compared. The last three are filled
    in by the run, for every probe alike.
    """

    outcome: str
    expect: str = ""
    note: str = ""
    loss_error: float | None = None
    gradient_error: float | None = None
    error: RankError | None = None
    place: str = ""
    kernels_forward: tuple[str, ...] = ()
    kernels_recompute: tuple[str, ...] = ()
    seconds: float = 0.0


def measured_error(error: BaseException, rank: int, repository: Path) -> Measured:
    """What an error that a probe ended with says."""
    frames = [(frame.f_code.co_filename, line, frame.f_code.co_name) for frame, line in walk_tb(error.__traceback__)]
    message = " ".join(str(error).split())[:_MESSAGE]
    path, line, _ = frames[-1]
    return Measured(
        outcome=outcome_of(error),
        error=RankError(rank=rank, type=type(error).__name__, message=message, site=site_of(frames, repository)),
        place=f"{Path(path).name}:{line}",
    )


def outcome_of(error: BaseException) -> str:
    """The word for what went wrong; `error` for what has none."""
    name, message = type(error).__name__, str(error)
    if name == "CheckpointError" or all(part in message for part in _NOT_KEPT):
        return "checkpoint-mismatch"
    if _NO_STRATEGY[0] in message or (_NO_STRATEGY[1] in message and "Sharding propagation failed" in message):
        return "no-strategy"
    if any(part in message for part in _NO_KERNEL):
        return "no-kernel"
    if name == "OutOfMemoryError":
        return "out-of-memory"
    return "error"


def is_caused_by_another(error: RankError) -> bool:
    """Whether a rank failed only since another one did not keep up."""
    said = error.message.lower()
    return error.type in ("RuntimeError", "DistBackendError", "DistNetworkError", "DistStoreError") and any(
        part in said for part in _OUT_OF_STEP
    )


def site_of_frame(frame: FrameType, repository: Path) -> str:
    """Where a running thread is, as `site_of`."""
    frames = []
    walked: FrameType | None = frame
    while walked is not None:
        frames.append((walked.f_code.co_filename, walked.f_lineno, walked.f_code.co_name))
        walked = walked.f_back
    return site_of(frames[::-1], repository)


def site_of(frames: Iterable[tuple[str, int, str]], repository: Path) -> str:
    """`file:line in function` of the innermost frame that is this program's or the repository's; empty if none is."""
    site = ""
    for path, line, function in frames:
        shown = _shown(Path(path), repository)
        if shown:
            site = f"{shown}:{line} in {function}"
    return site


def _shown(path: Path, repository: Path) -> str:
    """A file's path as people know it; empty for a library's."""
    if path == _WATCHING:
        return ""
    if path.is_relative_to(OURS):
        return path.relative_to(OURS.parent).as_posix()
    if path.is_relative_to(repository) and not {"site-packages", "dist-packages"} & set(path.parts):
        return path.relative_to(repository).as_posix()
    return ""
