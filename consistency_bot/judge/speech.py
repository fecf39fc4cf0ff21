"""How two sides are brought to one language: what their names have in common, and what is learnt at base."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from consistency_bot.align.name_parts import Parts, names_by_part, parts_of_path
from consistency_bot.align.renames import Renames, core, flat
from consistency_bot.align.translation import Translation
from consistency_bot.align.variables import bindings, renamed_variables
from consistency_bot.judge.marks import Part
from consistency_bot.judge.private_names import is_public, renamed_private_names
from consistency_bot.judge.quads import Quad, SideVersions
from consistency_bot.judge.versions import Half, Version
from consistency_bot.paths import is_python
from consistency_bot.syntax import Definition, Source

_Versions = tuple[Definition | None, Definition | None]
_SAYS_ENOUGH = 5
"""A file's name of fewer letters may be any word."""

_MOST_PARTS = 32
"""Twins are told apart by a few parts of names; each of them is looked for in every name."""


def sources_of(side: SideVersions, at: str) -> list[Source]:
    """The files of one side at `base` or `head`."""
    definitions = side.base if at == "base" else side.head
    return list({id(each.source): each.source for each in definitions}.values())


def words_of(side: SideVersions, at: str) -> frozenset[bytes]:
    """Every word of one side at `base` or `head`."""
    words = [source.words for source in sources_of(side, at)]
    return words[0] if len(words) == 1 else frozenset().union(*words)


class _Names:
    """The names among the words of some files: few are asked for, so the words stay bytes."""

    def __init__(self, *words: frozenset[bytes]) -> None:
        self._words = words

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and any(name.encode() in words for words in self._words)


class _Said:
    """The names that a definition says at base or head, read when the first one is asked for."""

    def __init__(self, pair: _Versions) -> None:
        self._pair = pair

    def __contains__(self, name: object) -> bool:
        return name in self._names

    @cached_property
    def _names(self) -> set[str]:
        units = (unit for definition in self._pair if definition is not None for unit in definition.units)
        return {core(token) for token in set().union(*(flat(unit.terms) for unit in units))}


class Speech:
    """Translations of two sides into the left one's words, and those of variables by part."""

    def __init__(
        self, a: SideVersions, b: SideVersions, one_name: Mapping[str, str], pairs: Mapping[Definition, Definition]
    ) -> None:
        self._a, self._b = a, b
        self.left = Translation(one_name)
        (a0, a1), (b0, b1) = ((words_of(side, "base"), words_of(side, "head")) for side in (a, b))
        left_words, right_words = a0 | a1, b0 | b1
        self._private = {
            a.name: renamed_private_names(a, a0, a1, right_words),
            b.name: renamed_private_names(b, b0, b1, left_words),
        }
        by_part = names_by_part(_parts_of(pairs), left_words, right_words)
        self.right = Translation({**by_part, **one_name, **_paired_names(pairs, a, b)})
        self._variables: dict[int, Mapping[str, str]] = {}
        self._renamed: dict[_Versions, dict[str, str]] = {}
        self._read: dict[tuple[Definition | None, Translation], Version] = {}

    def learning_from(self, quads: Sequence[Quad]) -> "Speech":
        """This speech with what the base of every quad teaches about names."""
        everywhere = Renames()
        for number, quad in enumerate(quads):
            a, b = quad.a[0], quad.b[0]
            if a is None or b is None or not (is_python(a.path) and is_python(b.path)):
                continue  # a line's words may be names or values: nobody knows which
            here = Renames()
            here.watch(a.units, b.units, (self.left, self.right))
            everywhere.join(here)
            self._variables[number] = here.settled(_Said(quad.a), _Said(quad.b))
        left, right = (_Names(words_of(side, "base"), words_of(side, "head")) for side in (self._a, self._b))
        self.right = self.right.with_names(everywhere.settled(left, right), {})
        return self

    def parts(self, quads: Sequence[Quad]) -> list[Part]:
        """The quads in the common words."""
        parts = [self._part(number, quad) for number, quad in enumerate(quads)]
        return [part for part in parts if not part.is_unread]

    def _part(self, number: int, quad: Quad) -> Part:
        local = self._variables.get(number)
        right = self.right.with_names({}, local) if local else self.right
        left = self.left.with_owned(_owned(quad.a, quad.b))
        right = right.with_owned(_owned(quad.b, quad.a))
        mine, theirs = self._renames_in(quad.a), self._renames_in(quad.b)
        return Part(
            number,
            self._half(self._a, quad.a, left, _without_shared(mine, theirs, quad.b)),
            self._half(self._b, quad.b, right, _without_shared(theirs, mine, quad.a)),
        )

    def half(self, side: SideVersions, pair: _Versions) -> Half:
        """Any definition of one side in the common words."""
        return self._half(side, pair, self._words_of(side), self._renames_in(pair))

    def version(self, side: SideVersions, definition: Definition) -> Version:
        """One revision of a definition of one side in the common words."""
        return self._version(definition, self._words_of(side))

    def _words_of(self, side: SideVersions) -> Translation:
        return self.left if side is self._a else self.right

    def _version(self, definition: Definition | None, words: Translation) -> Version:
        known = self._read.get((definition, words))
        if known is None:
            known = self._read[definition, words] = Version(definition, words)
        return known

    def _half(self, side: SideVersions, pair: _Versions, words: Translation, names: Mapping[str, str]) -> Half:
        """One side of a quad; what only got another name at head, and is local or private, keeps the one it had."""
        base, head = pair
        before = self._version(base, words)
        if base is head:
            return Half(side, before, before)
        private = self._private[side.name]
        at_head = words.calling(private) if private else words
        if head is None or not names:
            return Half(side, before, self._version(head, at_head))
        interface = at_head if is_public(head.name) else None
        return Half(side, before, Version(head, at_head.renaming(names), interface))

    def _renames_in(self, pair: _Versions) -> Mapping[str, str]:
        """{name at head: name at base} of variables that a function of one side only calls otherwise now."""
        base, head = pair
        if base is None or head is None or base is head or base.kind != "function":
            return {}
        names = self._renamed.get(pair)
        if names is None:
            names = self._renamed[pair] = renamed_variables(base.units, head.units)
        return names


def _without_shared(mine: Mapping[str, str], theirs: Mapping[str, str], other: _Versions) -> Mapping[str, str]:
    """The renames without names that the other side got too and for something else: there they are no other names."""
    base, head = other
    if not mine or base is None or head is None or base is head:
        return mine
    before, after = (bindings((unit, unit.terms) for unit in each.units) for each in (base, head))
    return {name: old for name, old in mine.items() if name in before or name not in after or theirs.get(name) == old}


def _owned(mine: _Versions, theirs: _Versions) -> frozenset[str]:
    """Names that the counterpart is given as parameters, and this one is not: its owner may hold them."""
    here = [_parameters(each) for each in mine if each is not None and each.kind == "function"]
    there = [_parameters(each) for each in theirs if each is not None and each.kind == "function"]
    if not here or not there:
        return frozenset()
    return there[0].intersection(*there[1:]).difference(*here)


def _parameters(function: Definition) -> frozenset[str]:
    units = (unit for unit in function.units if unit.concept == "parameter")
    return frozenset(token for unit in units for token in flat(unit.terms) if core(token) == token)


def _paired_names(pairs: Mapping[Definition, Definition], a: SideVersions, b: SideVersions) -> dict[str, str]:
    """{right name: left name} of definitions that play one part, and of the sides' files."""
    names_a = {each.name for definitions in (a.base, a.head) for each in definitions}
    names_b = {each.name for definitions in (b.base, b.head) for each in definitions}
    out: dict[str, str] = {}
    for left, right in pairs.items():
        if left.kind == "module":
            stem_a, stem_b = _stem(left.path), _stem(right.path)
            if stem_a != stem_b and len(stem_b) >= _SAYS_ENOUGH:
                out[stem_b] = stem_a
        elif (
            (right.name == "a" + left.name and right.name not in names_a)
            or (left.name == "a" + right.name and left.name not in names_b)
            or (left.name != right.name and right.name not in names_a and left.name not in names_b)
        ):
            out[right.name] = left.name
    return out


def _parts_of(pairs: Mapping[Definition, Definition]) -> list[Parts]:
    """What tells the sides apart in the names of what is paired, most frequent first."""
    votes: Counter[Parts] = Counter()
    for left, right in pairs.items():
        is_file = left.kind == "module"
        names = (left.path.split("/"), right.path.split("/")) if is_file else ([left.name], [right.name])
        votes.update(parts_of_path(*names))
    return [part for part, _ in votes.most_common()[:_MOST_PARTS]]


def _stem(path: str) -> str:
    return path.rpartition("/")[2].partition(".")[0]
