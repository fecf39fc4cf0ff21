"""Conditions whose members are put back from values: `a or b` that a function returned is two alternatives where it is asked."""

from collections.abc import Callable, Sequence

from consistency_bot.align.renames import flat
from consistency_bot.syntax import Terms
from consistency_bot.syntax.terms import CLOSES, OPENS, split_at

_CHOOSES = frozenset({"if", "lambda", ":="})
"""A value with one of these binds otherwise once it stands among other conditions."""


def conditions_with(terms: Terms, value_of: Callable[[Terms], Terms | None]) -> list[Terms]:
    """What a condition says with some of its members replaced: one unit for each alternative of an `or`.

    `value_of` gives what stands for a member, None where it stays.
    """
    whole = value_of(terms[1:])
    if whole is None:
        return [_in_groups(terms, value_of)]
    word, members = _members_of(whole)
    if word == "or":
        return [(*terms[:1], *each) for each in members]
    return [(*terms[:1], *(whole if word == "" else (word, _group(members))))]


def _in_groups(terms: Terms, value_of: Callable[[Terms], Terms | None]) -> Terms:
    """The terms with each member of a group that is such a call put back."""
    out: list[object] = []
    for token in terms:
        if isinstance(token, str):
            out.append(token)
            continue
        members: list[Terms] = []
        for member in token:
            value = value_of(member)
            word, inner = _members_of(value) if value is not None else ("", [])
            if value is None or not _CHOOSES.isdisjoint(flat(value)):
                members.append(_in_groups(member, value_of))
            elif word and out[-1:] == [word]:
                members.extend(inner)
            else:
                members.append((word, _group(inner)) if word else value)
        out.append(_group(members))
    return tuple(out)  # type: ignore[arg-type]


def _members_of(value: Terms) -> tuple[str, list[Terms]]:
    """What `and` or `or` connects in a value, as a condition has it, and the word; empty where neither does."""
    if len(value) == 2 and value[0] in ("and", "or") and isinstance(value[1], tuple):
        return str(value[0]), list(value[1])
    if not _CHOOSES.isdisjoint(flat(value)):
        return "", []
    for word in ("or", "and"):  # what binds less tightly is split first
        members = split_at(value, word)
        if len(members) > 1:
            return word, [_as_condition(each) for each in members]
    return "", []


def _as_condition(value: Terms) -> Terms:
    """A member of a value as a condition has it: its own members in a group, and no parentheses around them."""
    inner = value[1:-1] if value[:1] == (OPENS,) and value[-1:] == (CLOSES,) else value
    word, members = _members_of(inner)
    return (word, _group(members)) if word else value


def _group(members: Sequence[Terms]) -> tuple[Terms, ...]:
    return tuple(sorted(members, key=repr))
