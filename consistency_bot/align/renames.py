"""Names that play one part on two sides: learnt from statements that have one shape and differ in a name.

Only base decides: a rename learnt from the change under check could excuse the change.
"""

from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import cache, lru_cache

from consistency_bot.align.sequences import opcodes
from consistency_bot.align.translation import Translation
from consistency_bot.syntax import UNPARSED, Terms, Unit

_MIN_SHARE = 0.6


class Renames:
    """How often (left name, right name) stand at one place, collected over any number of function pairs."""

    def __init__(self) -> None:
        self.votes: dict[tuple[str, str], int] = {}

    def watch(self, left: Sequence[Unit], right: Sequence[Unit], translation: tuple[Translation, Translation]) -> None:
        """Adds the votes of one pair of bodies."""
        left, right = ([unit for unit in units if unit.concept not in UNPARSED] for units in (left, right))
        alike: list[str] = []
        for a, b in aligned(left, right, translation):
            if a == b:
                alike.extend(flat(a))
                continue
            for x, y in zip(flat(a), flat(b), strict=False):
                if _lead(x) == _lead(y):
                    self._vote(core(x), core(y), 1)
        for token, count in Counter(alike).items():
            self._vote(core(token), core(token), count)

    def _vote(self, left: str, right: str, count: int) -> None:
        if left and right:
            self.votes[left, right] = self.votes.get((left, right), 0) + count

    def join(self, other: "Renames") -> None:
        """Adds the votes of another collection."""
        for (left, right), count in other.votes.items():
            self._vote(left, right, count)

    def settled(self, left_words: Container[str], right_words: Container[str]) -> dict[str, str]:
        """{right name: left name} where the votes agree and neither name is known on the other side."""
        best: dict[str, tuple[str, int]] = {}
        all_left: dict[str, int] = {}
        all_right: dict[str, int] = {}
        for (left, right), count in self.votes.items():
            all_left[left] = all_left.get(left, 0) + count
            all_right[right] = all_right.get(right, 0) + count
            if right not in best or count > best[right][1]:
                best[right] = (left, count)
        out: dict[str, str] = {}
        for right, (left, count) in best.items():
            if left == right or count < _MIN_SHARE * all_right[right] or count < _MIN_SHARE * all_left[left]:
                continue
            if right not in left_words and left not in right_words:
                out[right] = left
        return out


@cache
def core(token: str) -> str:
    """The bare name inside a name token; empty for any other token."""
    name = token.lstrip(".*").rstrip("=") if token[0] != "'" else ""
    return name if name.isidentifier() and name not in _KEYWORDS else ""


_KEYWORDS = frozenset(
    "and or not in is if then else for lambda return raise yield await with except finally class def del global self None True False import from assert while".split()
)


def _lead(token: str) -> str:
    return ("." if token[0] == "." else "") + ("=" if token[-1] == "=" else "")


def flat(terms: Terms) -> Sequence[str]:
    """The tokens in order, groups opened."""
    for token in terms:
        if type(token) is tuple:
            break
    else:
        return terms  # type: ignore[return-value]  # most units have no group: their terms are their tokens
    out: list[str] = []
    for token in terms:
        if isinstance(token, str):
            out.append(token)
        else:
            for member in token:
                out.extend(flat(member))
    return out


@lru_cache(4096)  # four versions of a function say mostly the same
def shape(terms: Terms) -> tuple[str, ...]:
    """The terms with every name replaced by its kind: two statements of one shape may differ in names only."""
    return tuple([_lead(token) + "\u00b7" if core(token) else token for token in flat(terms)])


def aligned(
    left: Sequence[Unit], right: Sequence[Unit], translation: tuple[Translation, Translation]
) -> Iterator[tuple[Terms, Terms]]:
    """Pairs of units that stand at the same place in both bodies: equal ones first, then those of one shape between them."""
    here, there = translation
    units_left = [here.of(unit.terms) for unit in left]
    units_right = [there.of(unit.terms) for unit in right]
    for tag, i1, i2, j1, j2 in opcodes(units_left, units_right):
        if tag == "equal":
            yield from zip(units_left[i1:i2], units_right[j1:j2], strict=True)
        elif tag == "replace":
            yield from _same_shape(units_left[i1:i2], units_right[j1:j2])


def _same_shape(left: list[Terms], right: list[Terms]) -> Iterator[tuple[Terms, Terms]]:
    shapes_left, shapes_right = [shape(each) for each in left], [shape(each) for each in right]
    for tag, i1, i2, j1, j2 in opcodes(shapes_left, shapes_right):
        if tag == "equal":
            yield from zip(left[i1:i2], right[j1:j2], strict=True)
