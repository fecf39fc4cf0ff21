"""Where text leaves the process: a report to standard output or a file, everything else to standard error."""

import os
import sys
from collections.abc import Callable

from consistency_bot.errors import UsageError
from consistency_bot.visible import visible


def say(message: str) -> None:
    """A message for people, on standard error so that a report on standard output stays clean.

    No line of it begins with colons: a workflow's log takes commands from such lines, and names may hold line ends.
    """
    lines = map(visible, f"consistency-bot: {message}".split("\n"))
    text = "\n".join(f"| {line}" if line.lstrip().startswith("::") else line for line in lines)
    complain(f"{text}\n")


def complain(text: str) -> None:
    """Text as it is on standard error. Where nobody can read it there it is lost: the exit status still tells."""
    if sys.stderr is None:  # closed by whoever started this
        return
    encoding = sys.stderr.encoding or "utf-8"
    try:
        sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding))
        sys.stderr.flush()
    except OSError:
        _say_no_more(sys.stderr.fileno())


def put_out(text: str, format_name: str, output: str | None) -> None:
    """A report to where it was asked for: a file, or standard output. What programs read is UTF-8 wherever they run."""
    if output is None:
        is_for_people = format_name == "text" and sys.stdout is not None
        print_report(text, sys.stdout.encoding or "utf-8" if is_for_people else "utf-8")
    else:
        write_report(output, text)


def is_coloured(output: str | None) -> bool:
    """Whether a person watches who has not declined colour."""
    is_watched = output is None and sys.stdout is not None and sys.stdout.isatty()
    return is_watched and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def print_report(text: str, encoding: str) -> None:
    """A report on standard output; what the encoding lacks is escaped. Raises UsageError where it cannot be written."""
    print_bytes(text.encode(encoding, "backslashreplace"))


def print_bytes(data: bytes) -> None:
    """Bytes on standard output, as they are. Raises UsageError where they cannot be written."""
    if sys.stdout is None:
        raise UsageError("standard output could not be written: it is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.flush()
    except OSError as error:
        _say_no_more(sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # a reader that has enough (`| head`) is no failure
            raise UsageError(f"standard output could not be written: {error.strerror}") from None


def told_to_the_end(tell: Callable[[], int]) -> int:
    """What `tell`, which writes to standard output bit by bit, gives; 0 where whoever reads it has enough (`| head`)."""
    try:
        status = tell()
        if sys.stdout is not None:  # what is told to nobody is told
            sys.stdout.flush()
    except BrokenPipeError:
        _say_no_more(sys.stdout.fileno())
        return 0
    return status


def _say_no_more(descriptor: int) -> None:
    """What could not be written is still there, and Python would try once more at its end, and complain."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), descriptor)


def write_report(path: str, text: str) -> None:
    """A report into the file that `--output` names. Raises UsageError where it cannot be written."""
    write_file("--output", path, text.encode("utf-8", "backslashreplace"))


def write_file(option: str, path: str, data: bytes) -> None:
    """What an option asks for, in a file that is there as a whole or not at all. Raises UsageError where it cannot be written."""
    target = os.path.realpath(path)
    is_special = os.path.exists(target) and not os.path.isfile(target)  # /dev/null or a pipe must not be replaced
    unfinished = target if is_special else f"{target}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "wb") as file:
            file.write(data)
        if not is_special:
            os.replace(unfinished, target)
    except OSError as error:
        if not is_special and os.path.exists(unfinished):
            os.unlink(unfinished)
        raise UsageError(f"{option} {path}: expected a file that can be written, found: {error.strerror}") from None
