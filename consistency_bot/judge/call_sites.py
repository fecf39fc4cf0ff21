"""Where a statement calls a function of its side: what it calls it on, what it passes, and what becomes of the result."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from consistency_bot.syntax import Terms, Token, Unit
from consistency_bot.syntax.grouping import put_in_place
from consistency_bot.syntax.terms import sort_key, split_at

_OPENING, _CLOSING = frozenset("([{"), frozenset(")]}")


class CallSite(msgspec.Struct, frozen=True, eq=False):
    """The one call of a function in a statement. `receiver` is what stands before the dot, empty for a plain name.

    `terms` are the call as it stands in the units `holders`; `others` are units of the statement that are no part of it.
    `raw` is the statement's text without white space.
    """

    raw: bytes
    name: str
    terms: Terms
    receiver: Terms
    passed: Sequence[Terms]
    named: Mapping[str, Terms]
    holders: Sequence[Unit]
    others: Sequence[Unit]

    @property
    def token(self) -> str:
        """The name as terms have it."""
        return f".{self.name}" if self.receiver else self.name

    @property
    def is_alone(self) -> bool:
        """Whether the statement is nothing but the call."""
        return len(self.holders) == 1 and self.holders[0].terms == self.terms

    @property
    def is_returned(self) -> bool:
        """Whether the statement returns what the call gives, and nothing else."""
        return len(self.holders) == 1 and self.holders[0].terms == ("return", *self.terms)

    @property
    def is_inline(self) -> bool:
        """Whether the statement does something with what the call gives, beside naming and returning it."""
        return not (self.is_alone or self.is_returned or self.targets)

    @property
    def targets(self) -> Sequence[Terms]:
        """What the result is assigned to, where the statement does nothing else; empty where it does."""
        size = len(self.terms) + 1
        if any(unit.concept != "assignment" or unit.terms[-size:] != ("=", *self.terms) for unit in self.holders):
            return ()
        return [unit.terms[:-size] for unit in self.holders]


def call_site(units: Sequence[Unit], raw: bytes, token: str) -> CallSite | None:
    """The call of a function in a statement; None where there is none, more than one, or one that cannot be read.

    `token` is its name, with a dot before it where it is called on something.
    """
    name = token.removeprefix(".")
    own = [unit for unit in units if unit.concept == "argument" and unit.terms[:2] == (name, "(")]
    rest = [unit for unit in units if unit not in own]
    found = {unit: list(_calls_in(unit.terms, token)) for unit in rest}
    every = [call for calls in found.values() for call in calls]
    if not every or any(call != every[0] for call in every) or any(len(calls) > 1 for calls in found.values()):
        return None
    terms, receiver = every[0]
    start = len(receiver) + 2
    named = {str(unit.terms[2])[:-1]: unit.terms[3:] for unit in own}
    if receiver is _UNREADABLE or len(named) < len(own) or any(str(unit.terms[2])[-1:] != "=" for unit in own):
        return None
    if any(list(_calls_in(value, token)) for value in named.values()):
        return None
    holders = [unit for unit in rest if found[unit]]
    others = [unit for unit in rest if not found[unit]]
    return CallSite(raw, name, terms, receiver, split_at(terms[start:-1], ",")[:-1], named, holders, others)


_UNREADABLE: Terms = ("?",)


def _calls_in(terms: Terms, called: str) -> Iterator[tuple[Terms, Terms]]:
    """(the call, what it is called on) of each call of a function, groups opened."""
    for index, token in enumerate(terms):
        if not isinstance(token, str):
            for member in token:
                yield from _calls_in(member, called)
        elif token == called and terms[index + 1 : index + 2] == ("(",):
            start = _start_of_chain(terms, index)
            end = _end_of_call(terms, index + 1)
            yield (terms[start:end], terms[start:index]) if start >= 0 else ((), _UNREADABLE)


def _start_of_chain(terms: Terms, index: int) -> int:
    """Where `a.b.name` begins, told by where its last name stands; -1 where it hangs on more than names."""
    while index >= 0 and str(terms[index])[:1] == ".":
        index -= 1
    first = terms[index] if index >= 0 else ""
    return index if isinstance(first, str) and first.isidentifier() else -1


def _end_of_call(terms: Terms, index: int) -> int:
    """Behind the bracket that closes the one at an index."""
    depth = 0
    for at in range(index, len(terms)):
        token = terms[at]
        if isinstance(token, str):
            depth += (token in _OPENING) - (token in _CLOSING)
            if depth == 0:
                return at + 1
    return len(terms)


def elements_of(terms: Terms) -> Sequence[Terms]:
    """The elements of a tuple; the terms themselves, alone, where they are none."""
    if terms[:1] == ("(",) and _end_of_call(terms, 0) == len(terms):
        return split_at(terms[1:-1], ",")[:-1]
    return [terms]


def with_call_replaced(terms: Terms, call: Terms, value: Terms) -> Terms:
    """The terms with what a call gives in its place."""
    out: list[Token] = []
    index = 0
    while index < len(terms):
        token = terms[index]
        if not isinstance(token, str):
            out.append(tuple(sorted((with_call_replaced(member, call, value) for member in token), key=sort_key)))
        elif terms[index : index + len(call)] == call:
            out.extend(put_in_place(value, terms[:index], terms[index + len(call) :]))
            index += len(call) - 1
        else:
            out.append(token)
        index += 1
    return tuple(out)
