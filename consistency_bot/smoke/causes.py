"""Why a run died, from what launchers leave behind: torchrun's error file, its last words, and the last lines of a log."""

import re

import msgspec

from consistency_bot.smoke.cells import RankError
from consistency_bot.smoke.reading import read_piece

_FRAME = re.compile(r'File "(?P<path>[^"]+)", line (?P<line>\d+), in (?P<function>\S+)')
_FOREIGN = re.compile(r"/(?:site|dist)-packages/|/lib/python3|<frozen|/torch/")
_RANK = re.compile(r"rank\s*:\s*(?P<rank>[0-9]{1,6}) \(local_rank.*\n\s*exitcode\s*:\s*(?P<code>-?[0-9]{1,6})\b")
_SIGNALS = {-9: "SIGKILL", -6: "SIGABRT", -11: "SIGSEGV", -15: "SIGTERM", -7: "SIGBUS"}
_TYPE = re.compile(r"(?P<type>[A-Za-z_][\w.]*)(?:: (?P<message>.*))?", re.DOTALL)

TAIL = 4_000
"""Bytes at the end of a log that are looked at."""

LINES = 15


def root_cause(error_file: str, log: str) -> tuple[RankError, ...]:
    """What torchrun names as the first failure: by its error file, else (a rank that was killed leaves none) by its report."""
    text = _tail(log, 64_000)
    found = [(int(each["rank"]), int(each["code"])) for each in _RANK.finditer(text)]
    root = found[-1] if found else None  # the report lists the root cause last
    message = _message(error_file)
    if message is not None:
        return (_raised(root[0] if root else 0, *message),)
    if root is None:
        return ()
    rank, code = root
    what = f"killed by {_SIGNALS.get(code, f'signal {-code}')}" if code < 0 else f"ended with status {code}"
    hint = "; by the system, for want of memory?" if code == -9 else ""
    return (RankError(rank=rank, type="ProcessDied", message=what + hint),)


def _raised(rank: int, message: str, stack: str) -> RankError:
    last = _TYPE.fullmatch(message.strip())
    return RankError(
        rank=rank,
        type=last["type"] if last else "Error",
        message=(last["message"] or "" if last else message)[:2000],
        site=site_of(stack),
    )


def site_of(stack: str) -> str:
    """`file:line in function` of the innermost frame of a traceback that is no library's; of the innermost where all are."""
    frames = list(_FRAME.finditer(stack))
    own = [each for each in frames if not _FOREIGN.search(each["path"])] or frames
    if not own:
        return ""
    return f"{own[-1]['path']}:{own[-1]['line']} in {own[-1]['function']}"


class _Extra(msgspec.Struct, frozen=True):
    py_callstack: str = ""


class _Message(msgspec.Struct, frozen=True):
    message: str
    extraInfo: _Extra = _Extra()  # noqa: N815 (torch's own name)


class _File(msgspec.Struct, frozen=True):
    message: _Message | str


def _message(error_file: str) -> tuple[str, str] | None:
    """(message, traceback) of an error file; None where there is none that can be read."""
    try:
        found = msgspec.json.decode(read_piece(error_file, 0), type=_File).message
    except (OSError, msgspec.DecodeError, RecursionError):
        return None
    return (found, "") if isinstance(found, str) else (found.message, found.extraInfo.py_callstack)


def last_lines(log: str) -> str:
    """The end of a log, for people."""
    return "\n".join(_tail(log, TAIL).rstrip().split("\n")[-LINES:])


def _tail(log: str, size: int) -> str:
    try:
        return read_piece(log, -size, size).decode("utf-8", "replace")
    except OSError:
        return ""
