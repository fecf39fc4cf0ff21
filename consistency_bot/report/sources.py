"""The code that a report shows, read only where a format asks for it."""

from collections.abc import Callable
from functools import cache

from consistency_bot.model import Change


def lines_at_head(change: Change) -> Callable[[str], tuple[str, ...]]:
    """Gives the lines of a path at head; none where there is no such file, or no text in it."""

    @cache  # a report may have thousands of findings in one file
    def lines(path: str) -> tuple[str, ...]:
        data = change.head.read(path)
        if data is None or b"\0" in data:
            return ()
        # Counted as editors do, at line ends only; `splitlines` would count form feeds too.
        text = data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
        return tuple(text.split("\n"))

    return lines
