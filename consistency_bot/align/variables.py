"""Local variables of one body: which names it binds, and terms that read alike whatever they are called."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from consistency_bot.align.renames import Renames, core, flat
from consistency_bot.align.translation import PLAIN
from consistency_bot.syntax import UNPARSED, Terms, Unit

ANY = "\u00b7"
"""Stands for a local variable in a loose reading."""

_MIN_TOKENS = 5
_LONG = 16
"""So many tokens are recognised by their shape alone."""


_BINDS_NOTHING = UNPARSED | {"augmented assignment", "argument", "entry", "default"}


@lru_cache(4096)  # four versions of a function say mostly the same
def bound_names(terms: Terms) -> tuple[str, ...]:
    """The plain variables that a unit binds: targets, loop variables, `as` names, parameters."""
    return tuple(_bound_names(terms))


def _bound_names(terms: Terms) -> Iterator[str]:
    tokens = flat(terms)
    if "=" in tokens:
        yield from _targets(tokens[: tokens.index("=")])
    if "for" not in tokens and "as" not in tokens and ":=" not in tokens:
        return
    for index, token in enumerate(tokens[:-1]):
        if token == "for" and "in" in tokens[index:]:
            yield from _targets(tokens[index + 1 : tokens.index("in", index)])
        elif token in ("as", ":=") and core(tokens[index + 1]):
            yield tokens[index + 1]


def _targets(tokens: Sequence[str]) -> Iterator[str]:
    """The plain variables in an assignment's left side; none where it assigns to an attribute or an element."""
    if len(tokens) == 1 and core(tokens[0]) == tokens[0]:
        yield tokens[0]
    elif tokens and tokens[0] == "(":
        for index, token in enumerate(tokens):
            following = tokens[index + 1] if index + 1 < len(tokens) else ""
            if core(token) == token and following in (",", ")"):
                yield token


def bindings(units: Iterable[tuple[Unit, Terms]]) -> Counter[str]:
    """How often each local variable is bound, parameters included; each unit comes with what it says in some words."""
    out: Counter[str] = Counter()
    for unit, terms in units:
        if unit.concept == "parameter":
            for token in flat(terms[1:-1]):
                if core(token) == token:
                    out[token] += 1
        elif unit.concept not in _BINDS_NOTHING:
            for name in bound_names(terms):
                out[name] += 1
    return out


def _own_bindings(units: Sequence[Unit]) -> Counter[str]:
    return bindings((unit, unit.terms) for unit in units)


def loose(terms: Terms, variables: frozenset[str]) -> Terms | None:
    """The terms without the names of local variables; None where too little is left to recognise anything by."""
    tokens = flat(terms)
    called = {index for index, token in enumerate(tokens[1:]) if token == "("}  # a call's name is no variable's
    out = tuple([ANY if token in variables and index not in called else token for index, token in enumerate(tokens)])
    spoken = sum(1 for token in out if token != ANY and (core(token) or token[0] == "'" or token.isdigit()))
    return out if (spoken and len(out) >= _MIN_TOKENS) or len(out) >= _LONG else None


def renamed_variables(base: Sequence[Unit], head: Sequence[Unit]) -> dict[str, str]:
    """{name at head: name at base} of local variables that only got another name; parameters keep theirs."""
    before, after = _own_bindings(base), _own_bindings(head)
    gone, new = before.keys() - after.keys(), after.keys() - before.keys()
    if not gone or not new:
        return {}
    votes = Renames()
    votes.watch(base, head, (PLAIN, PLAIN))
    words = [_plain_names(body) for body in (base, head)]
    return {name: old for name, old in votes.settled(words[0], words[1]).items() if name in new and old in gone}


def _plain_names(units: Sequence[Unit]) -> set[str]:
    """The names used as variables; attributes and keywords are other names, however they are spelt."""
    return {token for token in set().union(*(flat(unit.terms) for unit in units)) if core(token) == token}
