"""What names of a side are called on the first one, for declared rules: learnt when one of them asks, and from base alone."""

from collections.abc import Mapping

from consistency_bot.align.translation import Translation
from consistency_bot.judge.quads import Quad, SidePairing, SideVersions, one_names, pair_sides
from consistency_bot.judge.speech import Speech
from consistency_bot.model import Twins


class LearntNames:
    """The names of one side in the words of the first, as `bodies` learns them; of that itself, how it spells them."""

    def __init__(self, twins: Twins, first: SideVersions, side: SideVersions) -> None:
        self._one_name = one_names(twins)
        self._first, self._side = first, side
        self._pairing: SidePairing | None = None
        self._known: dict[frozenset[str], Mapping[str, str]] = {}
        self._learnt: dict[tuple[int, ...], Translation] = {}

    def known_as(self, names: frozenset[str]) -> Mapping[str, str]:
        """{name: the first side's name} of those that have another one there; all functions that say one are looked at."""
        found = self._known.get(names)
        if found is None:
            words = Translation(self._one_name) if self._side is self._first else self._learn(names)
            common = {name: words.of((name,)) for name in names}
            found = self._known[names] = {
                name: terms[0]
                for name, terms in common.items()
                if len(terms) == 1 and isinstance(terms[0], str) and terms[0] != name
            }
        return found

    def _learn(self, names: frozenset[str]) -> Translation:
        if self._pairing is None:
            self._pairing = pair_sides(self._first, self._side, self._one_name)
        wanted = [name.encode() for name in names]
        quads = [quad for quad in self._pairing.quads if _says(quad, wanted)]
        parts = tuple(map(id, quads))
        found = self._learnt.get(parts)
        if found is None:  # the same few functions say most of what is asked
            speech = Speech(self._first, self._side, self._one_name, self._pairing.at_head.pairs)
            found = self._learnt[parts] = speech.learning_from(quads).right
        return found


def _says(quad: Quad, words: list[bytes]) -> bool:
    there = quad.b[0]
    return quad.a[0] is not None and there is not None and any(word in there.text for word in words)
