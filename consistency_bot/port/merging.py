"""One statement that stands on both sides: this side's edit, token by token, in the other side's statement."""

from collections.abc import Sequence
from itertools import pairwise

import msgspec
from msgspec.structs import replace

from consistency_bot.align.sequences import opcodes
from consistency_bot.port.folding import SHORT, flat, folded, is_folded
from consistency_bot.port.hints import lacks_hints, without_hints
from consistency_bot.port.layout import Token, aligned, is_cut, laid_out, reindented
from consistency_bot.port.matching import Matching
from consistency_bot.port.nesting import has_ordered_arguments
from consistency_bot.port.speech import Said, Speech
from consistency_bot.port.words import SILENT, plain
from consistency_bot.syntax.source_rows import CLOSERS, OPENERS, Piece, Row


class Declined(msgspec.Struct, frozen=True):
    """Why an edit is not written."""

    reason: str


class Merged(msgspec.Struct, frozen=True):
    """The other side's statement with the edit, without its indentation and its line end.

    `foreign` are the names in the edit that the other side does not know. `is_whole` says that all of the edit is in it,
    and where the other side has the same around it.
    """

    text: str
    foreign: frozenset[str]
    is_whole: bool


_WIDTH = 88
"""Of lines in files that no formatter has laid out, where a statement has to be laid out anew."""

_Edit = tuple[int, int, int, int]
_ATTACHED = ("[", "(", ".")
_ITEM_STARTS, _ITEM_ENDS = OPENERS | {","}, CLOSERS | {","}


def items_of(words: Sequence[str]) -> list[int]:
    """For each token the item of the outermost brackets in which it stands, commas with the item before; 0 outside."""
    out: list[int] = []
    depth = item = 0
    for word in words:
        if word in OPENERS:
            depth += 1
            if depth == 1:
                item += 1
                out.append(0)
                continue
        elif word in CLOSERS:
            depth -= 1
        out.append(item if depth > 0 else 0)
        if word == "," and depth == 1:
            item += 1
    return out


def _item_starts(words: Sequence[str]) -> set[str]:
    return {word for previous, word in pairwise(words) if previous in _ITEM_STARTS}


class Merge:
    """Merges the edit of row `old` to row `new` into row `theirs`."""

    def __init__(self, matching: Matching, speech: Speech, old: int, new: int, theirs: int) -> None:
        self._old, self._new = matching.mine.rows[old], speech.new.rows[new]
        self._half = matching.theirs
        self._theirs = matching.theirs.rows[theirs]
        self._said = speech.say_each_token(new)
        self._is_aligned = aligned(self._theirs.pieces)
        owner = matching.mine.owners[old]
        silent = SILENT if speech.turn(new) != "kept" else frozenset()
        words = self._old.words
        self._mine = [i for i, word in enumerate(words) if word not in silent]
        self._there = [i for i, word in enumerate(self._theirs.words) if word not in silent]
        left = [
            plain(matching.word(words, i, owner))
            if self._old.kind != "prose"
            else matching.words.in_prose(words[i], owner)
            for i in self._mine
        ]
        right = [
            plain(self._theirs.words[i]) if self._old.kind != "prose" else self._theirs.words[i] for i in self._there
        ]
        self._opposite: dict[int, int] = {}
        for tag, i1, i2, j1, j2 in opcodes(left, right):
            if tag == "equal":
                self._opposite.update(zip(self._mine[i1:i2], self._there[j1:j2], strict=True))
        self._silent = silent

    def run(self, indent: str) -> Merged | Declined:
        """The merged statement for a row that is indented so, or why there is none."""
        self._indent = indent
        old, new = self._old.words, self._new.words
        self._after = after = [i for i, word in enumerate(new) if word not in self._silent]
        self._out: dict[int, list[Said]] = {}
        self._gaps: dict[int, str] = {}
        self._removed: set[int] = set()
        codes = opcodes([old[i] for i in self._mine], [new[i] for i in after])
        edits = [(i1, i2, j1, j2) for tag, i1, i2, j1, j2 in codes if tag != "equal"]
        places = {edit: self._place(*edit) for edit in edits}
        if lost := [edit for edit in edits if places[edit] is None]:
            edits = self._without(edits, lost)
            if not edits:
                return Declined("the other side's statement says something of its own where the edit is")
        foreign: set[str] = set()
        for tag, i1, i2, j1, j2 in codes:
            place = places.get((i1, i2, j1, j2))
            if tag == "equal":
                self._keep_layout(self._mine[i1:i2], after[j1:j2])
            elif place is not None and (i1, i2, j1, j2) in edits:
                foreign.update(self._put(*place[:2], i1, after[j1:j2]))
                if j1 == j2 < len(after) and i2 < len(self._mine):
                    self._close_up(place[1], self._mine[i2], after[j1])
        if has_ordered_arguments(self._theirs.words) and not has_ordered_arguments(self._words()):
            return Declined("the other side's statement names what this one does not")
        is_whole = not lost and all(place is not None and place[2] for place in places.values())
        return Merged(self._written(), frozenset(foreign), is_whole)

    def _put(self, low: int, high: int, start: int, new: Sequence[int]) -> list[str]:
        said = [each for j in new for each in self._said[j]]
        if lacks_hints(self._old.words, self._theirs.words):
            said = without_hints(said)
        self._out.setdefault(low, []).extend(self._laid_out(said, low, high, start))
        self._removed.update(range(low, high))
        return [each.foreign for each in said if each.foreign]

    def _close_up(self, high: int, old: int, new: int) -> None:
        """The blanks of this side before what comes behind tokens that went, where it is called otherwise over there."""
        there, gap = self._theirs.pieces[high : high + 1], self._new.pieces[new].gap
        if there and old not in self._opposite and "\n" not in gap + there[0].gap:
            self._gaps[high] = gap

    def _without(self, edits: list[_Edit], lost: list[_Edit]) -> list[_Edit]:
        """The edits in items of which no edit is lost; none where one is lost outside of the outermost brackets."""
        before, after = items_of(self._old.words), items_of(self._new.words)

        def touched(edit: _Edit) -> set[tuple[str, int]]:
            i1, i2, j1, j2 = edit
            out = {("old", before[self._mine[i]]) for i in range(i1, i2)}
            return out | {("new", after[self._after[j]]) for j in range(j1, j2)}

        spoilt = {item for edit in lost for item in touched(edit)}
        if spoilt & {("old", 0), ("new", 0)}:
            return []
        return [edit for edit in edits if not touched(edit) & spoilt]

    def _place(self, start: int, end: int, new_start: int, new_end: int) -> tuple[int, int, bool] | None:
        """The other side's tokens that are to be replaced; an empty range where something is to be put in.

        The third says whether the other side has the same around them.
        """
        before = self._opposite.get(self._mine[start - 1]) if start else -1
        after = self._opposite.get(self._mine[end]) if end < len(self._mine) else len(self._theirs.words)
        if start == end:
            new = [self._new.words[self._after[j]] for j in range(new_start, new_end)]
            return self._insertion(before, after, start, new)
        replaced = [self._opposite.get(i) for i in self._mine[start:end]]
        if None in replaced:
            return None
        low, high = replaced[0], replaced[-1]
        assert low is not None
        assert high is not None
        if high - low + 1 - sum(self._is_silent(i, i + 1) for i in range(low, high + 1)) != len(replaced):
            return None
        if (before is None or not self._is_silent(before + 1, low)) and (
            after is None or not self._is_silent(high + 1, after)
        ):
            return None
        return low, high + 1, True

    def _insertion(
        self, before: int | None, after: int | None, start: int, new: Sequence[str]
    ) -> tuple[int, int, bool] | None:
        first = next((word for word in new if word not in _ITEM_STARTS and word != "*"), "")
        is_item = new[0] == "," or new[-1] == ","
        if is_item and first in _item_starts(self._theirs.words) and first not in _item_starts(self._old.words):
            return None  # the other side has it already
        if start and before is not None and new[0] in _ATTACHED and self._is_other(start - 1, before):
            return None
        if before is not None and after is not None and self._is_silent(before + 1, after):
            return after, after, True
        at = self._beside(before, after, start, new)
        return None if at is None else (at, at, False)

    def _is_other(self, mine: int, theirs: int) -> bool:
        words, at = self._old.words, self._mine[mine]
        is_defined = at > 0 and words[at - 1] in ("class", "def")
        return words[at] != self._theirs.words[theirs] and not is_defined

    def _beside(self, before: int | None, after: int | None, start: int, new: Sequence[str]) -> int | None:
        """Where items go that are put between two of which one has a counterpart, or both with items between them."""
        if not start or items_of(self._old.words)[self._mine[start - 1]] == 0:
            return None
        previous = self._old.words[self._mine[start - 1]]
        if new[-1] == "," and previous in _ITEM_STARTS:
            if before is not None:
                return before + 1
            return after
        if new[0] == "," and before is not None:
            following = self._theirs.words[before + 1] if before + 1 < len(self._theirs.words) else ""
            return before + 1 if following in _ITEM_ENDS else None
        return None

    def _is_silent(self, low: int, high: int) -> bool:
        return low <= high and all(word in self._silent for word in self._theirs.words[low:high])

    def _keep_layout(self, old: Sequence[int], new: Sequence[int]) -> None:
        """Blanks and line ends that this side changed between tokens that stay, where both had the same before."""
        for i, j in zip(old, new, strict=True):
            there = self._opposite.get(i)
            before, after = self._old.pieces[i].gap, self._new.pieces[j].gap
            if there == 0 and j:
                self._gaps[there] = after
            if there is None or i == 0 or there == 0:
                continue
            if _relative(before, self._old) != _relative(after, self._new):
                theirs = self._theirs.pieces[there].gap
                if _relative(theirs, self._theirs) == _relative(before, self._old):
                    self._gaps[there] = reindented(after, self._new.indent, self._theirs.indent)

    def _laid_out(self, said: Sequence[Said], low: int, high: int, start: int) -> list[Said]:
        out = [each.with_gap(reindented(each.gap, self._new.indent, self._theirs.indent)) for each in said]
        if _is_spread(self._old) and not _is_spread(self._theirs):
            out = [each.with_gap(" " if "\n" in each.gap else each.gap) for each in out]
        if not out or low == high:
            return self._between_commas(out, low)
        mine, theirs = self._old.pieces[self._mine[start]], self._theirs.pieces[low]
        if _relative(mine.gap, self._old) != _relative(theirs.gap, self._theirs) or low == 0:
            out[0] = replace(out[0], gap=theirs.gap, is_aligned=self._is_aligned[low])
        return out

    def _between_commas(self, said: list[Said], low: int) -> list[Said]:
        """What is put before token `low` with its comma on the side where one is missing."""
        words = self._theirs.words
        before, after = words[low - 1] if low else "", words[low] if low < len(words) else ""
        if len(said) < 2 or before in OPENERS or said[0].text == said[-1].text:
            return said
        if said[-1].text == "," and before != "," and after in _ITEM_ENDS:
            return [Said(",", ""), *said[:-1]]
        if said[0].text == "," and before == ",":
            return [*said[1:], Said(",", "")]
        return said

    def _words(self) -> list[str]:
        """The tokens of the merged statement."""
        said: list[str] = []
        for index in range(len(self._theirs.pieces) + 1):
            said += [each.text for each in self._out.get(index, ())]
            if index < len(self._theirs.pieces) and index not in self._removed:
                said.append(self._theirs.pieces[index].text)
        return said

    def _written(self) -> str:
        tokens: list[Token] = []
        pieces: Sequence[Piece] = self._theirs.pieces
        for index in range(len(pieces) + 1):
            tokens += [(each.gap, each.text, each.is_aligned) for each in self._out.get(index, ())]
            if index < len(pieces) and index not in self._removed:
                gap = self._gaps.get(index, pieces[index].gap if index else " ")
                tokens.append((gap, pieces[index].text, self._is_aligned[index]))
        if is_cut(tokens):
            words = flat([(gap, token) for gap, token, _ in tokens])
            return folded(words, self._indent, self._half.width or _WIDTH) or "".join(gap + word for gap, word in words)
        text = laid_out(tokens, self._theirs.indent, self._indent)
        return self._folded(tokens, text) or text

    def _folded(self, tokens: Sequence[Token], text: str) -> str | None:
        """The statement as a formatter lays it out; None where it fits on a line, and where none has laid it out before."""
        if self._theirs.kind != "code" or not ("\n" in text or len(self._indent) + len(text) > SHORT):
            return None
        width = self._half.width
        if width is None or not is_folded(self._theirs, width):
            return None
        return folded(flat([(gap, token) for gap, token, _ in tokens]), self._indent, width)


def _is_spread(row: Row) -> bool:
    """Whether it takes more than one line."""
    return any("\n" in piece.gap for piece in row.pieces)


def _relative(gap: str, row: Row) -> str:
    return reindented(gap, row.indent, "")
