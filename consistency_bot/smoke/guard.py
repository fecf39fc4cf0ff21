"""Runs one command and lets nothing of it live on: `python -I -S guard.py GRACE COMMAND…`.

It ends the whole tree of processes when its standard input closes (its parent is gone, however it died), when it gets
SIGTERM, SIGINT or SIGHUP, and what is left of the tree when the command ends. Ranks that a launcher put into sessions of
their own are found too: where the system can (Linux), every orphan below becomes this process's child.

It stands alone and imports nothing of this package, so that it starts in a moment and cannot be in the way.
"""

import contextlib
import ctypes
import os
import select
import signal
import sys
import time

SET_PDEATHSIG, SET_CHILD_SUBREAPER = 1, 36
"""Of prctl(2)."""

ENDED = 143
"""Exit status where the command was ended from outside: that of SIGTERM."""

NOT_FOUND = 127


def main(arguments: list[str]) -> int:
    """The command's exit status, 128 and its number where a signal ended it, `ENDED` where this process was told to."""
    grace, command = float(arguments[0]), arguments[1:]
    _prctl(SET_CHILD_SUBREAPER, 1)
    awake, wake = os.pipe()
    for end in (awake, wake):
        os.set_blocking(end, False)
    asked: list[int] = []
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, _: asked.append(number))
    child = _start(command)
    status = None
    while status is None and not asked:
        readable, _, _ = select.select([0, awake], [], [])
        if awake in readable:
            _drain(awake)
        if 0 in readable and not os.read(0, 4096):
            break
        status = _reaped(child)
    _end(child, grace if status is None else 0.0)
    if status is None:
        return ENDED
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _start(command: list[str]) -> int:
    child = os.fork()
    if child:
        return child
    os.setsid()
    _prctl(SET_PDEATHSIG, signal.SIGKILL)
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode("utf-8", "backslashreplace"))
    os._exit(NOT_FOUND)


def _prctl(option: int, value: int) -> None:
    """Linux only; elsewhere the process group has to do."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _drain(pipe: int) -> None:
    with contextlib.suppress(BlockingIOError):
        while os.read(pipe, 4096):
            pass


def _reaped(child: int) -> int | None:
    """The child's wait status if it has ended; every other process that ended below is put away as well."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == child:
                found = status
    return found


def _end(child: int, grace: float) -> None:
    """End everything below: politely while there is grace, then for good, until nothing is left."""
    deadline = time.monotonic() + grace
    _signal(child, signal.SIGTERM if grace else signal.SIGKILL)
    while _below(os.getpid()):
        _reaped(child)
        if time.monotonic() >= deadline:
            _signal(child, signal.SIGKILL)
        time.sleep(0.02)


def _signal(child: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, number)
    for pid in _below(os.getpid()):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _below(top: int) -> set[int]:
    """All living processes below one; none where there is no /proc to tell."""
    parents: dict[int, int] = {}
    with contextlib.suppress(FileNotFoundError):
        for name in os.listdir("/proc"):
            if name.isdigit():
                with contextlib.suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
                    fields = file.read().rpartition(b")")[2].split()
                    if fields[0] not in (b"Z", b"X"):  # what is dead already needs no ending
                        parents[int(name)] = int(fields[1])
    found: set[int] = set()
    more = {pid for pid, above in parents.items() if above == top}
    while more:
        found |= more
        more = {pid for pid, above in parents.items() if above in found} - found
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
