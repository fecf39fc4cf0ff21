"""The few source lines of a place that a report shows, safe to print."""

from collections.abc import Iterator
from itertools import islice

import msgspec

from consistency_bot.model import Place
from consistency_bot.visible import visible

MOST_LINES = 8
"""Source lines shown of one place; a finding points, it does not quote whole functions."""

WIDEST = 140
"""Characters shown of one source line."""


NEAR = 4
"""Lines on either side of a gap among which the first that is not blank is shown."""


class Row(msgspec.Struct, frozen=True):
    """One line of a file, as it is shown. `number` is None for the gap at which something would go."""

    number: int | None
    text: str


class Excerpt(msgspec.Struct, frozen=True):
    """The rows of a place, and how many of its lines are left out after them."""

    rows: tuple[Row, ...]
    hidden: int = 0


def is_gap(place: Place) -> bool:
    """Whether the place is an insertion point: it has no lines of its own."""
    return place.end_line < place.line


def excerpt(place: Place, lines: tuple[str, ...]) -> Excerpt:
    """The lines of a place among all lines of its file, for a gap those around it. Lines that are not there are not shown."""
    if is_gap(place):
        before = _first_said(_numbered(lines, range(place.line - 1, place.line - 1 - NEAR, -1)))
        after = _first_said(_numbered(lines, range(place.line, place.line + NEAR)))
        return Excerpt((*before, Row(None, "…"), *after))
    last = _closed(place, lines)
    rows = tuple(_numbered(lines, range(place.line, min(last, place.line + MOST_LINES - 1) + 1)))
    return Excerpt(rows, max(0, last - place.line + 1 - MOST_LINES))


def _closed(place: Place, lines: tuple[str, ...]) -> int:
    """The place's last line, or the one that closes a bracket left open there: some places name a statement's first line.

    Brackets inside strings count too: at worst a line too many or too few is shown.
    """
    last = min(place.end_line, len(lines))
    opened = sum(map(_opened, lines[place.line - 1 : last]))
    for number in range(last, min(last + MOST_LINES - 1, len(lines)) if opened > 0 else last):
        opened += _opened(lines[number])
        if opened <= 0:
            return number + 1
    return last


def _opened(line: str) -> int:
    """How many brackets it opens more than it closes."""
    return sum(map(line.count, "([{")) - sum(map(line.count, ")]}"))


def _numbered(lines: tuple[str, ...], numbers: range) -> Iterator[Row]:
    """The lines of these numbers, as far as the file has them."""
    for number in numbers:
        if 1 <= number <= len(lines):
            yield Row(number, shown(lines[number - 1]))


def _first_said(rows: Iterator[Row]) -> tuple[Row, ...]:
    """The first line that is not blank, if there is one."""
    return tuple(islice((row for row in rows if row.text), 1))


def shown(line: str) -> str:
    """A line without its end, tabs spread, everything that acts or hides escaped, and cut where it runs on."""
    text = visible(line.rstrip()[: WIDEST + 1].expandtabs(4))  # cut first: a line may have megabytes
    return text if len(text) <= WIDEST else text[:WIDEST] + "…"
