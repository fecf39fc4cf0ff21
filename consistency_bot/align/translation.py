"""What one side says, in the words of the other: names that are one name become one token before units are compared.

Three sources, all of them applied at base and head alike, so that a line nobody touched cannot change its meaning:
how asynchronous code is spelt (`AsyncClient`, `aclose`, `__aenter__`), names the rules declare or the pairing of
definitions shows to be one, and names learnt from statements of the same shape (`align.renames`).
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache

from consistency_bot.syntax import Terms, Token

_SPELT = {
    "aclose": "close",
    "anext": "next",
    "aiter": "iter",
    "StopAsyncIteration": "StopIteration",
    "asynccontextmanager": "contextmanager",
    "aclosing": "closing",
    "asyncio": "threading",
    "anyio": "threading",
    "AsyncMock": "Mock",
}
_DUNDER = re.compile(r"^__a(enter|exit|iter|next|call|await)__$")
_ASYNC_PART = re.compile(
    r"Async(?:hronous|IO|io)?(?=[A-Z0-9_]|$)|Sync(?=[A-Z])|(?<![a-z])a?sync(?:hronous)?_(?=[a-z])|_a?sync(?:io)?(?=_|$)|_aio(?=_|$)|(?<![a-z])aio_(?=[a-z])"
)
_CLASS = re.compile(r"_*Async[A-Z][a-z]")
"""A class named in a string (`__name__ == "AsyncClient"`) is the class; any other string is what it says."""

_NAME = re.compile(r"^([.'*]*)([^\W\d]\w*)(=?)$")
_CORE = re.compile(r"[^\W\d]\w*")


@cache
def plain_name(name: str) -> str:
    """The name without what only marks it as asynchronous; never empty."""
    spelt = _SPELT.get(name)
    if spelt is not None:
        return spelt
    if _DUNDER.match(name):
        return "__" + name[3:]
    if "ync" in name or "aio" in name:
        return _ASYNC_PART.sub("", name) or name
    return name


@cache
def _pieces(token: str) -> tuple[str, str, str] | None:
    """What stands before the name in a token, the name, and `=` where it is a keyword; None where it has no name."""
    found = _NAME.match(token)
    return (found[1], found[2], found[3]) if found is not None else None


class Translation:
    """Puts terms of one side into the common words. `names` maps bare names, `variables` maps variables alone.

    An instance never changes; what it has translated is remembered in `_known`.
    """

    __slots__ = ("_has_long", "_known", "_names", "_owned", "_tokens", "_variables")

    def __init__(
        self,
        names: Mapping[str, str],
        variables: Mapping[str, str] | None = None,
        owned: frozenset[str] = frozenset(),
        tokens: dict[str, str] | None = None,
    ) -> None:
        self._names = names
        self._variables = variables or {}
        self._owned = owned
        self._has_long = any(len(name) > 4 for name in names)  # only then are string constants looked into
        self._tokens: dict[str, str] = {} if tokens is None else tokens
        self._known: dict[Terms, Terms] = {}

    def with_names(self, names: Mapping[str, str], variables: Mapping[str, str]) -> "Translation":
        """This translation with more pairs of names; pairs known before win."""
        return Translation({**names, **self._names}, {**variables, **self._variables}, self._owned)

    def with_owned(self, owned: frozenset[str]) -> "Translation":
        """This translation for a body whose owner holds what the other side is given: `self.x` is `x`."""
        if not owned:
            return self
        return Translation(self._names, self._variables, owned, self._tokens)  # single tokens have no owner

    def renaming(self, variables: Mapping[str, str]) -> "Translation":
        """This translation for a revision in which variables have new names: {new name: the name they had}."""
        known = {new: self._variables.get(old, old) for new, old in variables.items()}
        return Translation(self._names, {**self._variables, **known}, self._owned)

    def calling(self, names: Mapping[str, str]) -> "Translation":
        """This translation for a revision in which things have new names: {new name: the name they had}."""
        known = {new: self._names.get(plain_name(old), old) for new, old in names.items()}
        return Translation({**self._names, **known}, self._variables, self._owned)

    def of(self, terms: Terms) -> Terms:
        """The terms in the common words."""
        known = self._known.get(terms)
        if known is None:
            plain = self._without_owner(terms) if self._owned else terms
            tokens = self._tokens
            known = tuple([(tokens.get(t) or self._token(t)) if type(t) is str else self._group(t) for t in plain])  # type: ignore[arg-type]
            self._known[terms] = known
        return known

    def _without_owner(self, terms: Terms) -> Terms:
        out: list[Token] = []
        for token in terms:
            is_owned = isinstance(token, str) and token[1:] in self._owned and token[:1] == "."
            if is_owned and out and out[-1] == "self":
                out[-1] = token[1:]
            else:
                out.append(token)
        return tuple(out)

    def _group(self, members: Iterable[Terms]) -> tuple[Terms, ...]:
        return tuple(sorted((self.of(member) for member in members), key=repr))

    def _token(self, token: str) -> str:
        known = self._tokens[token] = self._translate(token)
        return known

    def _translate(self, token: str) -> str:
        pieces = _pieces(token)
        if pieces is None:
            if token[0] == "'":
                return _CORE.sub(lambda name: self._names.get(name[0], name[0]), token) if self._has_long else token
            return token
        lead, name, tail = pieces
        if not tail and (not lead or lead[0] == "*"):  # a keyword is named by who is called
            variable = self._variables.get(name)
            if variable is not None:
                return lead + variable + tail
        known = self._names.get(name)
        if known is None:
            if lead == "'":
                return lead + plain_name(name) if _CLASS.match(name) else token
            plain = plain_name(name)
            known = self._names.get(plain, plain)  # names are learnt from what has been translated
        return lead + plain_name(known) + tail


PLAIN = Translation({})
"""Knows how asynchronous code is spelt and nothing else: what two revisions of one side are read with."""
