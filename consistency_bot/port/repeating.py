"""What this side changed everywhere in one way: rows of the other side's own that say the same follow.

A function that only the other side has, or a call that it makes once more, has no counterpart; but where every place of
this side that said `f(a)` says `f(b)` now, and the other side could follow that in others, it is owed there too.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence

import msgspec

from consistency_bot.align.sequences import opcodes
from consistency_bot.port.decisions import Decision, Edit
from consistency_bot.port.half import Half
from consistency_bot.port.imports import is_import
from consistency_bot.port.matching import Matching
from consistency_bot.port.renaming import is_touched
from consistency_bot.port.words import SILENT, is_name
from consistency_bot.syntax.source_rows import CLOSERS, OPENERS, Row

_LEAST_WITNESSES = 3
"""So many places have to be followed. Of what was written after two only, half was what the authors wrote."""

_MOST_AROUND = 4
"""Tokens on each side that are asked for, until the pattern tells what changed from what did not."""

_Tokens = tuple[str, ...]


class Pattern(msgspec.Struct, frozen=True):
    """The tokens `gone` between `left` and `right`, of one row."""

    left: _Tokens
    gone: _Tokens
    right: _Tokens

    @property
    def tokens(self) -> _Tokens:
        """All that has to stand in a row."""
        return (*self.left, *self.gone, *self.right)


class _Put(msgspec.Struct, frozen=True):
    """What comes instead, and what stood before each token in the row where that was seen first."""

    tokens: _Tokens
    gaps: _Tokens

    def text(self, row: Row, is_first_kept: bool) -> str:
        """It as text for a row, which takes one line or more; the first gap is the row's own where something went."""
        is_spread = any("\n" in piece.gap for piece in row.pieces)
        gaps = [gap if is_spread or "\n" not in gap else " " for gap in self.gaps]
        text = "".join(gap + token for gap, token in zip(gaps, self.tokens, strict=True))
        return text if is_first_kept else text.removeprefix(gaps[0] if gaps else "")


def repeated(matching: Matching, new: Half, decisions: Sequence[Decision]) -> list[Edit]:
    """The edits of rows that no decision touches; none that would name what the other side does not know."""
    theirs = matching.theirs
    known = theirs.words.union(*(each.words for each in decisions))
    touched = [(edit.start, edit.end) for each in decisions for edit in each.edits]
    own = [row for row in theirs.rows if row.kind == "code" and not is_touched(row, touched)]
    out: list[Edit] = []
    for pattern, put in _general(matching.mine, new, decisions):
        if all(token in known for token in put.tokens if is_name(token)):
            found = [edit for row in own for edit in _in_row(row, pattern, put)]
            out += [each for each in found if not any(_overlap(each, other) for other in out)]
    return out


def _overlap(one: Edit, other: Edit) -> bool:
    """Whether they are about the same place; two that touch are."""
    return one.start <= other.end and other.start <= one.end


def _in_row(row: Row, pattern: Pattern, put: _Put) -> Iterator[Edit]:
    words, tokens = row.words, pattern.tokens
    if tokens[0] not in words:
        return
    for at in range(len(words) - len(tokens) + 1):
        if tuple(words[at : at + len(tokens)]) == tokens:
            first = at + len(pattern.left)
            if pattern.gone:
                start, end = row.pieces[first].start, row.pieces[first + len(pattern.gone) - 1].end
            else:
                start = end = row.pieces[first - 1].end
            yield Edit(start, end, put.text(row, is_first_kept=not pattern.gone))


def _general(old: Half, new: Half, decisions: Iterable[Decision]) -> Iterator[tuple[Pattern, _Put]]:
    """Patterns that nothing says any more, and that always gave way to the same; those that ask for least first."""
    seen: dict[Pattern, dict[_Tokens, _Put]] = defaultdict(dict)
    followed: Counter[Pattern] = Counter()
    for decision in decisions:
        for pattern, put in _changed(old, new, decision):
            seen[pattern].setdefault(put.tokens, put)
            followed[pattern] += bool(decision.edits)
    found = [each for each, puts in seen.items() if len(puts) == 1 and followed[each] >= _LEAST_WITNESSES]
    left = "\n".join(_joined(row.words) for row in new.rows if row.kind == "code") if found else ""
    for pattern in sorted(found, key=lambda each: len(each.tokens)):
        if _joined(pattern.tokens) not in left:
            yield pattern, next(iter(seen[pattern].values()))


def _changed(old: Half, new: Half, decision: Decision) -> Iterator[tuple[Pattern, _Put]]:
    """What gave way to what in the rows of code that a run changed, with more and more around it."""
    for step in decision.run.steps:
        if step.old is None or step.new is None:
            continue
        before, after = old.rows[step.old], new.rows[step.new]
        if before.kind != "code" or is_import(before):
            continue
        a, b = tuple(before.words), tuple(after.words)
        for tag, i1, i2, j1, j2 in opcodes(a, b):
            if tag == "equal" or not _says_something(a[i1:i2], b[j1:j2]):
                continue
            put = _Put(b[j1:j2], tuple(piece.gap for piece in after.pieces[j1:j2]))
            for size in range(1, _MOST_AROUND + 1):
                pattern = Pattern(a[max(0, i1 - size) : i1], a[i1:i2], a[i2 : i2 + size])
                if (pattern.gone or (pattern.left and pattern.right)) and any(map(is_name, pattern.tokens)):
                    yield pattern, put


def _says_something(gone: Sequence[str], put: Sequence[str]) -> bool:
    """Whether it can be put elsewhere by itself: brackets closed, no mere comma, nothing about waiting."""
    is_whole = all(_is_closed(words) for words in (gone, put))
    return is_whole and tuple(put) != (",",) and not SILENT.intersection((*gone, *put))


def _is_closed(words: Iterable[str]) -> bool:
    depth = 0
    for word in words:
        depth += (word in OPENERS) - (word in CLOSERS)
        if depth < 0:
            return False
    return depth == 0


def _joined(words: Iterable[str]) -> str:
    return "\0" + "\0".join(words) + "\0"
