"""Source text to a tree; a text that is much like one that was parsed before takes over what did not change.

Both ways give the same tree: a property test holds it, and 3,276 real changes of the benchmarks did. Where the grammar
could not read something the ways may part, so then everything is parsed anew.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from time import process_time

from tree_sitter import Parser, Tree

from consistency_bot.attempts import GivenUp
from consistency_bot.rising import longest_rising
from consistency_bot.syntax.grammar import PYTHON

_LEAST_KEPT = 0.5
"""Where fewer of the lines stayed, parsing anew is the quicker way."""

_SHORT = 16_384
"""Bytes that take the parser a fraction of a second whatever they hold."""

_SECONDS = 0.5
_SECONDS_FOR_EACH = 3e-6
"""CPU seconds that parsing may take, in all and for each byte: thirty times what ordinary code takes."""

_ROUNDS = 16
"""The clock is looked at once in so many rounds."""

_Hunk = tuple[int, int, int, int]
"""Lines `low:high` of the old text became lines `low:high` of the new one."""


def parse(data: bytes) -> Tree:
    """The tree of a text, with error nodes where the grammar could not read it. Raises GivenUp."""
    return _in_time(data, Parser(PYTHON).parse)


def _in_time(data: bytes, read: Callable[..., Tree]) -> Tree:
    """The tree that a parser's `parse` reads, from nothing or from another tree. Raises GivenUp."""
    if len(data) < _SHORT:
        return read(data)
    text, is_over = memoryview(data), _end_of_patience(len(data))
    try:  # only a text that is asked for piece by piece can be left half way
        tree = read(lambda at, _: text[at:], progress_callback=is_over)
    except ValueError:
        raise GivenUp("too costly to parse: the grammar does not find its way in it") from None
    return Parser(PYTHON).parse(data, tree)  # the nodes of such a tree know no text: one that does takes all of it over


def _end_of_patience(size: int) -> Callable[[int, bool], bool]:
    """Whether parsing took so long that it should end; to be asked again and again, from now on.

    What the grammar cannot read, and thousands of lines in a row that end with `\\`, take time by their square.
    """
    rounds = 0
    end = process_time() + _SECONDS + _SECONDS_FOR_EACH * size

    def is_over(offset: int, has_error: bool) -> bool:
        nonlocal rounds
        rounds += 1
        return rounds % _ROUNDS == 0 and process_time() > end

    return is_over


def parse_like(data: bytes, old: bytes, old_tree: Tree) -> Tree:
    """The same, quicker for a text that is much like `old`."""
    if not old_tree.root_node.has_error:
        before, after = old.splitlines(keepends=True), data.splitlines(keepends=True)
        hunks = list(_hunks(before, after))
        changed = sum(high - low for low, high, _, _ in hunks)
        if len(before) - changed >= _LEAST_KEPT * max(len(before), len(after)):
            known = _edited(old_tree, before, after, hunks)
            tree = _in_time(data, partial(Parser(PYTHON).parse, old_tree=known))
            if not tree.root_node.has_error:
                return tree
    return parse(data)


def _edited(tree: Tree, before: Sequence[bytes], after: Sequence[bytes], hunks: Sequence[_Hunk]) -> Tree:
    """A copy of the old tree that knows where the text changed, but not yet what stands there."""
    out = tree.copy()
    starts, new_starts = _starts(before), _starts(after)
    for low, high, new_low, new_high in reversed(hunks):  # from the end, so that all before it stands where it stood
        size = new_starts[new_high] - new_starts[new_low]
        out.edit(starts[low], starts[high], starts[low] + size, (low, 0), (high, 0), (low + new_high - new_low, 0))
    return out


def _starts(lines: Sequence[bytes]) -> list[int]:
    """Where each line begins, and where the last one ends."""
    return list(accumulate(map(len, lines), initial=0))


def _hunks(before: Sequence[bytes], after: Sequence[bytes]) -> Iterator[_Hunk]:
    """Where two texts differ, in order; not always by the fewest lines.

    Lines that each of them has once hold them together (as in a "patience" diff), with the equal lines around those.
    """
    low, high, new_low, new_high = _narrowed(before, after, (0, len(before), 0, len(after)))
    anchors = _anchors(before[low:high], after[new_low:new_high])
    ends = [(low + line, new_low + new_line) for line, new_line in anchors]
    for line, new_line in (*ends, (high, new_high)):
        hunk = _narrowed(before, after, (low, line, new_low, new_line))
        if hunk[0] < hunk[1] or hunk[2] < hunk[3]:
            yield hunk
        low, new_low = line, new_line


def _narrowed(before: Sequence[bytes], after: Sequence[bytes], hunk: _Hunk) -> _Hunk:
    """The hunk without the equal lines at its start and at its end."""
    low, high, new_low, new_high = hunk
    while low < high and new_low < new_high and before[low] == after[new_low]:
        low, new_low = low + 1, new_low + 1
    while low < high and new_low < new_high and before[high - 1] == after[new_high - 1]:
        high, new_high = high - 1, new_high - 1
    return low, high, new_low, new_high


def _anchors(before: Sequence[bytes], after: Sequence[bytes]) -> list[tuple[int, int]]:
    """Pairs of equal lines that each text has once, as many as can be kept in one order."""
    places = _only_places(after)
    return longest_rising([(line, places[text]) for text, line in _only_places(before).items() if text in places])


def _only_places(lines: Sequence[bytes]) -> dict[bytes, int]:
    """Where the lines stand that are there once, in order."""
    first: dict[bytes, int] = {}
    again: set[bytes] = set()
    for at, line in enumerate(lines):
        if first.setdefault(line, at) != at:
            again.add(line)
    return {line: at for line, at in first.items() if line not in again}
