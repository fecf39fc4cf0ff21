"""What a report's reader sees besides the report: the code at a place, and colour where the screen has it."""

from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from consistency_bot.model import Place, Touch
from consistency_bot.report.links import Links

Style = Literal["bad", "warn", "good", "dim", "strong"]
_CODES: dict[Style, str] = {"bad": "1;31", "warn": "1;33", "good": "1;32", "dim": "2", "strong": "1"}


def plain(text: str, _: Style) -> str:
    """The text as it is, for files and pipes."""
    return text


def ansi(text: str, style: Style) -> str:
    """The text in the colour of its style, for a terminal that understands ANSI sequences."""
    return f"\x1b[{_CODES[style]}m{text}\x1b[0m"


def no_lines(_: str) -> tuple[str, ...]:
    """For a reader who has no sources: no file has any line."""
    return ()


def no_history(_: Place) -> tuple[Touch, ...]:
    """For a reader who has no history: nothing is known to have touched any place."""
    return ()


class View(msgspec.Struct, frozen=True):
    """`lines` gives the lines of a path at head, none where it cannot be read; `paint` gives a text its style.

    `links` addresses lines on the web, None where nobody knows an address, or head is no commit that has one.
    `touched` gives the last changes of a place's lines, the newest first; asked only for findings that block, and for drift.
    """

    lines: Callable[[str], tuple[str, ...]] = no_lines
    paint: Callable[[str, Style], str] = plain
    links: Links | None = None
    touched: Callable[[Place], Sequence[Touch]] = no_history
