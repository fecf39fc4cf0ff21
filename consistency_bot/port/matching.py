"""Which row of the other side stands opposite a row of this one."""

from collections.abc import Sequence
from functools import cached_property

from consistency_bot.align.definitions import Pairing
from consistency_bot.align.sequences import opcodes
from consistency_bot.align.translation import Translation
from consistency_bot.port.changes import alike, best_pairs
from consistency_bot.port.half import Half
from consistency_bot.port.imports import Modules, is_import
from consistency_bot.port.words import Words, following, is_name, plain, spoken, words_in
from consistency_bot.syntax import Definition
from consistency_bot.syntax.source_rows import Row

_LEAST_ALIKE = 0.55
_SAYS_ENOUGH = 6
"""Rows of fewer tokens are alike by accident."""
_WINDOW = 3
_VOTES_OF_A_DEFINITION = 2

Key = tuple[str, ...]


class Matching:
    """Rows of `mine` and the rows of `theirs` opposite them, and the words learnt from them.

    `there` maps row numbers; `exact` holds those of mine whose counterpart says the same.
    """

    def __init__(self, mine: Half, theirs: Half) -> None:
        self.mine, self.theirs = mine, theirs
        pairing = Pairing(mine.source.definitions, theirs.source.definitions, {})
        pairing.pair_by_content(Translation({}))
        self.pairs = pairing.pairs
        self._methods = {
            (a.owner, a.name): b.name for a, b in self.pairs.items() if a.kind == "function" and a.name != b.name
        }
        self.words = Words(theirs.words)
        self.there: dict[int, int] = {}
        self.exact: set[int] = set()
        self._their_keys = [self._plain_key(row) for row in theirs.rows]
        self._match([self._plain_key(row) for row in mine.rows])
        self.modules = Modules.learnt(mine.rows, theirs.rows)
        self._learn()
        self._match([self.key(row, owner) for row, owner in zip(mine.rows, mine.owners, strict=True)])
        self.words = Words(theirs.words)
        self._learn()

    @cached_property
    def likeness(self) -> float:
        """The share of rows that both files have, in the one that has the lesser share."""
        return len(self.exact) / max(1, len(self.mine.rows), len(self.theirs.rows))

    def likeness_in(self, owner: Definition) -> float:
        """The same of a function or class and its counterpart; 0 where it has none."""
        if owner not in self.pairs:
            return 0.0
        mine, theirs = self.mine.sections.get(owner, []), self.theirs.sections.get(self.pairs[owner], [])
        return sum(row in self.exact for row in mine) / max(1, len(mine), len(theirs))

    @staticmethod
    def _plain_key(row: Row) -> Key:
        words = row.words
        return tuple([plain(words[index]) for index in spoken(words)]) if row.kind != "prose" else words

    def key(self, row: Row, owner: Definition) -> Key:
        """What a row of this side says, in the words of the other."""
        words = row.words
        if row.kind == "prose":
            return tuple([self.words.in_prose(word, owner) for word in words])
        return tuple([plain(self.word(words, index, owner)) for index in spoken(words)])

    def coin(self, row: int, index: int, new: str) -> None:
        """Learns what a name is called over there that this side's edit of a row makes of one that both have."""
        words = self.mine.rows[row].words
        is_known = new in self.mine.words or new in self.words.known
        if is_name(words[index]) and is_name(new) and not is_known:
            self.words.coin(words[index], self.word(words, index, self.mine.owners[row]), new)

    def their_key(self, index: int) -> Key:
        """What a row of the other side says."""
        return self._their_keys[index]

    def word(self, words: Sequence[str], index: int, owner: Definition) -> str:
        """One token of this side as the other would say it at that place."""
        token = words[index]
        if is_name(token):
            if index > 1 and words[index - 1] == "." and words[index - 2] == "self":
                method = self._methods.get((owner.owner if owner.kind == "function" else owner.qualname, token))
                if method is not None:
                    return method
            return self.words.of(token, following(words, index), owner)
        return self.words.in_prose(token, owner) if is_text(token) else token

    def _match(self, keys: list[Key]) -> None:
        self.there, self.exact = {}, set()
        for mine, theirs in self.pairs.items():
            self._match_section(self.mine.sections.get(mine, []), self.theirs.sections.get(theirs, []), keys)
        self._match_moved(keys)

    def _match_moved(self, keys: list[Key]) -> None:
        """Rows that say the same, alone or with the next two, once on each side, wherever they stand."""
        for size in (_WINDOW, 1):
            mine, theirs = _windows(keys, size), _windows(self._their_keys, size)
            taken = set(self.there.values())
            for window, here in mine.items():
                there = theirs.get(window)
                if here is None or there is None or sum(map(len, window)) < _SAYS_ENOUGH * size:
                    continue
                for row, other in zip(range(here, here + size), range(there, there + size), strict=True):
                    if row not in self.there and other not in taken and not is_import(self.mine.rows[row]):
                        self.there[row] = other
                        taken.add(other)
                        self.exact.add(row)

    def _match_section(self, left: list[int], right: list[int], keys: list[Key]) -> None:
        def score(i: int, j: int) -> float:
            a, b = self.mine.rows[i], self.theirs.rows[j]
            if a.kind != b.kind:
                return 0.0
            same_start = 0.1 if keys[i][:1] == self._their_keys[j][:1] else 0.0
            return alike(keys[i], self._their_keys[j]) + same_start

        for tag, i1, i2, j1, j2 in opcodes([keys[i] for i in left], [self._their_keys[j] for j in right]):
            if tag == "equal":
                self.there.update(zip(left[i1:i2], right[j1:j2], strict=True))
                self.exact.update(left[i1:i2])
            elif tag == "replace":
                self.there.update(best_pairs(left[i1:i2], right[j1:j2], score, _LEAST_ALIKE))

    def _learn(self) -> None:
        for mine, theirs in self.pairs.items():
            if mine.name != theirs.name and mine.name and theirs.name:
                self.words.everywhere.names[mine.name][theirs.name] += _VOTES_OF_A_DEFINITION
        for here, there in self.there.items():
            a, b = self.mine.rows[here], self.theirs.rows[there]
            if a.kind == "prose":
                self._learn_text(a.words, b.words)
            else:
                self._learn_row(a.words, b.words, self.mine.owners[here])
        self.words.settle()

    def _learn_row(self, mine: Sequence[str], theirs: Sequence[str], owner: Definition) -> None:
        for i, j in opposite(mine, theirs):
            if is_text(mine[i]) and is_text(theirs[j]):
                self._learn_text(words_in(mine[i]), words_in(theirs[j]))
            if is_name(mine[i]) and is_name(theirs[j]) and "_" not in (mine[i], theirs[j]):
                after = following(mine, i)
                self.words.everywhere.add(mine[i], after, theirs[j])
                self.words.here[owner].add(mine[i], after, theirs[j])

    def _learn_text(self, mine: Sequence[str], theirs: Sequence[str]) -> None:
        """Names differ in prose one at a time, with the same words around them."""
        for tag, i1, i2, j1, j2 in opcodes(mine, theirs):
            if tag == "equal" or (tag == "replace" and i2 - i1 == j2 - j1 == 1):
                for a, b in zip(mine[i1:i2], theirs[j1:j2], strict=True):
                    self.words.in_text.add(a, ("", ""), b)


def _windows(keys: Sequence[Key], size: int) -> dict[tuple[Key, ...], int | None]:
    """Where so many rows in a row stand; None for those that stand more than once."""
    out: dict[tuple[Key, ...], int | None] = {}
    for at in range(len(keys) - size + 1):
        window = tuple(keys[at : at + size])
        out[window] = None if window in out else at
    return out


def is_text(token: str) -> bool:
    """Whether it is a string or a comment."""
    return token[-1:] in "\"'" or token[:1] == "#"


def opposite(mine: Sequence[str], theirs: Sequence[str]) -> list[tuple[int, int]]:
    """Pairs of tokens of two rows: those that say the same, and those between them that take each other's place."""
    here, there = spoken(mine), spoken(theirs)
    left, right = [plain(mine[i]) for i in here], [plain(theirs[j]) for j in there]
    if left == right:
        return list(zip(here, there, strict=True))
    out: list[tuple[int, int]] = []
    for tag, i1, i2, j1, j2 in opcodes(left, right):
        if tag == "equal" or (tag == "replace" and i2 - i1 == j2 - j1):
            out.extend(zip(here[i1:i2], there[j1:j2], strict=True))
    return out
