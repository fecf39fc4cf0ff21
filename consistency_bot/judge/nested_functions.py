"""Functions inside of a function, and what leaves one: read from the statements that all of them are part of."""

from collections.abc import Container, Sequence

from consistency_bot.align.renames import flat
from consistency_bot.judge.marks import CONDITIONS
from consistency_bot.syntax import Statement

_LOOPS = frozenset({"loop", "while_statement"})


def nested_in(statements: Sequence[Statement], names: frozenset[str]) -> dict[str, Sequence[int]]:
    """{name: its statements} of the functions among some names that are defined in a body and only ever called."""
    out: dict[str, Sequence[int]] = {}
    for index, statement in enumerate(statements):
        terms = statement.units[0].terms if statement.units else ()
        if terms[:1] == ("def",) and terms[1] in names:
            name = str(terms[1])
            span = _span_of(statements, index)
            if name not in out and len(span) > 1 and not _is_named_in(statements, name, span):
                out[name] = span
    return out


def _span_of(statements: Sequence[Statement], index: int) -> Sequence[int]:
    """The statements of a nested function: its name, decorators, signature and body. The first two have no parent."""
    end = index + 1
    while end < len(statements) and statements[end].raw[:1] == b"@":
        end += 1
    end += 1
    while end < len(statements) and index <= statements[end].parent:
        end += 1
    return range(index, min(end, len(statements)))


def _is_named_in(statements: Sequence[Statement], name: str, span: Sequence[int]) -> bool:
    """Whether a name stands for the function itself anywhere: passed on, or given to something."""
    for index, statement in enumerate(statements):
        for unit in statement.units if index != span[0] else ():
            tokens = flat(unit.terms)
            following = [*tokens[1:], ""]
            if any(one == name and other != "(" for one, other in zip(tokens, following, strict=True)):
                return True
    return False


def ending_at(statements: Sequence[Statement], index: int, last: Container[int]) -> str:
    """What a bare `return` in the place of a statement would do that nothing follows: `return`, or `continue` in a loop.

    `last` are the statements behind which their block ends. Empty where something follows, so that a function called there has a way of its own to its end.
    """
    while index in last:
        index = statements[index].parent
        if index < 0:
            return "return"
        concepts = {unit.concept for unit in statements[index].units}
        if "definition" in concepts:
            return "return"
        if not concepts.isdisjoint(_LOOPS):
            return "continue"
    return ""


def ends_of(statements: Sequence[Statement]) -> set[int]:
    """The statements behind which their block ends, other branches of an `if` chain aside."""
    out: set[int] = set()
    followed: set[int] = set()
    followed_in_branch: set[int] = set()
    for index in range(len(statements) - 1, -1, -1):
        each = statements[index]
        is_branch = any(unit.concept in CONDITIONS for unit in each.units)
        if each.parent not in followed and (
            not each.is_otherwise or is_branch or each.parent not in followed_in_branch
        ):
            out.add(index)
        (followed_in_branch if each.is_otherwise else followed).add(each.parent)
    return out
