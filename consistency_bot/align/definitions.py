"""Which definition on the other side, or at the other revision, plays the same part."""

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence

from consistency_bot.align.likeness import bag_of, common_share, shapes_of, share_of, worth_comparing
from consistency_bot.align.name_parts import parts_of_path, without_part
from consistency_bot.align.translation import PLAIN, Translation, plain_name
from consistency_bot.syntax import Definition

Pairs = dict[Definition, Definition]
_Key = Callable[[Definition], Hashable | None]

_VERSION_PART = re.compile(r"(?<=.)(?:_?[vV]\d+|Impl|_impl|_new|_old)$|^_+(?=.)")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_MOST_WORDS = 20
"""A name of more words is no name that anybody gave."""

_MIN_UNITS = 5
"""Below this size a definition is paired by name only: little text is alike by accident."""

_MIN_SHARE = 0.5
_MIN_SHAPE_SHARE = 0.75
"""Shapes say less than words, so more of them have to be alike."""


def bare_name(name: str) -> str:
    """The name without what marks one of several versions: `FooV2`, `foo_impl` and `AsyncFoo` all give the same."""
    plain = plain_name(name)
    return _VERSION_PART.sub("", plain) or plain


class Pairing:
    """Pairs two lists of definitions, left to right, each used once.

    `one_name` maps every name that the rules declare equal to one of its group.
    """

    def __init__(self, left: Sequence[Definition], right: Sequence[Definition], one_name: Mapping[str, str]) -> None:
        self.left = left
        self.right = right
        self._one_name = one_name
        self.pairs: Pairs = {}
        self.back: Pairs = {}
        self._classes()
        self._functions()

    def _key(self, name: str) -> str:
        return self._one_name.get(name) or bare_name(name)

    def _put(self, a: Definition, b: Definition) -> None:
        self.pairs[a] = b
        self.back[b] = a

    def _free(self, kind: str) -> tuple[list[Definition], list[Definition]]:
        return (
            [each for each in self.left if each.kind == kind and each not in self.pairs],
            [each for each in self.right if each.kind == kind and each not in self.back],
        )

    def _match(self, kind: str, left_key: _Key, right_key: _Key) -> None:
        """Pairs the free definitions that share a key, equals in source order. A key of None never matches."""
        left, right = self._free(kind)
        waiting: dict[Hashable, list[Definition]] = {}
        for each in right:
            value = right_key(each)
            if value is not None:
                waiting.setdefault(value, []).append(each)
        for each in left:
            value = left_key(each)
            if value is not None and (found := waiting.get(value)):
                self._put(each, found.pop(0))

    def _classes(self) -> None:
        for key in (
            lambda each: each.path,
            lambda each: "main" if each.source.is_main else None,
            lambda each: each.path.rpartition("/")[2],
        ):
            self._match("module", key, key)
        for key in (
            _root,
            lambda each: (each.path, each.qualname),
            lambda each: each.qualname,
            lambda each: self._key(each.name),
        ):
            self._match("class", key, key)
        for mine, theirs in self._parts_of_paths():
            self._match("class", *(_named_after(part) for part in (mine, theirs)))
        self._classes_by_affix()
        self._classes_by_members()

    def _parts_of_paths(self) -> dict[tuple[str, str], None]:
        """What tells the sides' files apart in their paths: `dpo/workflow.py` has `run_dpo`, `sft/workflow.py` `run_sft`."""
        paths = [(a.path.split("/"), b.path.split("/")) for a, b in self.pairs.items() if a.kind == "module"]
        return dict.fromkeys(part for mine, theirs in paths if mine != theirs for part in parts_of_path(mine, theirs))

    def _classes_by_affix(self) -> None:
        """`PureAttention` goes with `Attention`, and `TrainerImpl2` with `Trainer`, where nothing else could be meant."""
        left, right = self._free("class")
        if not left or not right:
            return
        found = [*_with_affix(left, right), *((a, b) for b, a in _with_affix(right, left))]
        counts = Counter(each for pair in found for each in pair)
        for a, b in found:
            if counts[a] == counts[b] == 1:
                self._put(a, b)

    def _classes_by_members(self) -> None:
        left, right = self._free("class")
        if not left or not right:
            return
        mine, theirs = _members(self.left), _members(self.right)
        names_left = [mine.get((each.path, each.qualname), set()) for each in left]
        names_right = [theirs.get((each.path, each.qualname), set()) for each in right]
        words_left, words_right = ([frozenset(_WORD.findall(each.name)) for each in free] for free in (left, right))
        scored: list[tuple[float, int, int, int]] = []
        for i, j in worth_comparing(names_left, names_right):
            common, words = names_left[i] & names_right[j], words_left[i] & words_right[j]
            shared = len(common)
            share = shared / max(1, min(len(names_left[i]), len(names_right[j])))
            is_only = len(left) == 1 and len(right) == 1
            says_enough = shared > 1 and (words or not all(map(_is_in_any_class, common)))
            if share >= _MIN_SHARE and (says_enough or is_only):
                scored.append((-share * shared, -len(words), i, j))
        self._best(scored, left, right)

    def _best(
        self, scored: Sequence[tuple[float, int, int, int]], left: Sequence[Definition], right: Sequence[Definition]
    ) -> None:
        """Pairs the best first; each is told by its rank, what decides between equals, and both indices."""
        for _, _, i, j in sorted(scored):
            if left[i] not in self.pairs and right[j] not in self.back:
                self._put(left[i], right[j])

    def _functions(self) -> None:
        owners = {b.qualname: a.qualname for a, b in self.pairs.items() if a.kind == "class"}

        def left_owner(name: Callable[[str], str]) -> _Key:
            return lambda each: (each.owner, name(each.name), each.role)

        def right_owner(name: Callable[[str], str]) -> _Key:
            return lambda each: (owners.get(each.owner, each.owner), name(each.name), each.role)

        self._match("function", _root, _root)
        self._asynchronous(owners)
        for key in (lambda each: (each.path, each.qualname, each.role), lambda each: (each.qualname, each.role)):
            self._match("function", key, key)
        for name in (lambda name: self._one_name.get(name) or plain_name(name), self._key):
            self._match("function", left_owner(name), right_owner(name))
        self._match("function", left_owner(_called), right_owner(_called))
        for mine, theirs in self._parts_of_paths():
            self._match("function", *(_named_after(part) for part in (mine, theirs)))
        left, right = self._free("function")
        counts = Counter(("l", self._key(each.name)) for each in left) + Counter(
            ("r", self._key(each.name)) for each in right
        )

        def alone(each: Definition) -> Hashable | None:
            name = self._key(each.name)
            is_alone = counts["l", name] == 1 and counts["r", name] == 1 and not name.startswith("__")
            return (name, each.role) if is_alone else None

        self._match("function", alone, alone)

    def _asynchronous(self, owners: Mapping[str, str]) -> None:
        """Pairs `put` with `async def aput`, also where the other side has a `put` too, if `aput` says more of the same."""
        mine = {(each.owner, each.name): each for each in self.left if each.kind == "function"}
        theirs = {
            (owners.get(each.owner, each.owner), each.name): each for each in self.right if each.kind == "function"
        }
        for plain, awaited, is_left in ((mine, theirs, True), (theirs, mine, False)):
            for (owner, name), each in awaited.items():
                partner = plain.get((owner, name[1:]))
                if (
                    not each.is_async
                    or name[:1] != "a"
                    or partner is None
                    or partner.is_async
                    or (owner, name) in plain
                ):
                    continue
                rival = awaited.get((owner, name[1:]))
                if rival is None or _likeness(partner, each) > _likeness(partner, rival):
                    self._put(*((partner, each) if is_left else (each, partner)))

    def pair_by_content(self, translation: Translation) -> None:
        """Pairs functions that are left by what they say; reads their bodies, so it is asked for only when needed."""
        for bag, least in ((bag_of, _MIN_SHARE), (shapes_of, _MIN_SHAPE_SHARE)):
            left, right = ([each for each in free if len(each.units) >= _MIN_UNITS] for free in self._free("function"))
            mine, theirs = ([bag(each, translation) for each in free] for free in (left, right))
            scored: list[tuple[float, int, int, int]] = []
            for i, j in worth_comparing(mine, theirs):
                share = share_of(mine[i], theirs[j])
                if share >= least:
                    scored.append((-share, 0, i, j))
            self._best(scored, left, right)


def _is_in_any_class(name: str) -> bool:
    """Whether the bare name of a method says nothing about its class."""
    return _called(name).endswith("__")


def _named_after(part: str) -> _Key:
    """The key of what a module defines itself by what its name says beside a part of its path; None for the rest."""

    def key(each: Definition) -> Hashable | None:
        rest = without_part(each.name, part) if not each.owner else None
        return (rest, each.role) if rest is not None else None

    return key


def _root(definition: Definition) -> Hashable | None:
    """The symbols that make up the sides play one part, whatever they are called; a property's setter is no getter."""
    return ("root", definition.role) if definition.is_root else None


def _with_affix(longer: Sequence[Definition], shorter: Sequence[Definition]) -> Iterator[tuple[Definition, Definition]]:
    """Pairs of which the first one's name is the second one's with words in front of it or behind it.

    Of several with one name the first two are told: enough to say that it could be either.
    """
    named: dict[tuple[str, ...], list[Definition]] = {}
    for each in shorter:
        named.setdefault(tuple(_WORD.findall(each.name)), []).append(each)
    for each in longer:
        words = tuple(_WORD.findall(each.name)[: _MOST_WORDS + 1])
        sizes = range(1, len(words)) if len(words) <= _MOST_WORDS else ()
        for affix in {part for size in sizes for part in (words[:size], words[-size:])}:
            yield from ((each, other) for other in named.get(affix, ())[:2])


def _called(name: str) -> str:
    """One name for what a module does when it is called: PyTorch says `forward`, Flax and Keras `__call__` or `call`."""
    return "__call__" if name in ("forward", "call") else name


def _members(definitions: Sequence[Definition]) -> dict[tuple[str, str], set[str]]:
    out: dict[tuple[str, str], set[str]] = {}
    for each in definitions:
        if each.kind == "function" and each.owner:
            out.setdefault((each.path, each.owner), set()).add(bare_name(each.name))
        elif each.kind == "class":
            fields = (unit.terms[0] for unit in each.units if unit.terms[1:2] == ("=",))
            out.setdefault((each.path, each.qualname), set()).update(name for name in fields if isinstance(name, str))
    return out


def _likeness(one: Definition, other: Definition) -> float:
    mine, theirs = (bag_of(each, PLAIN) for each in (one, other))
    return common_share(mine, theirs)
