"""What hides that something failed: a handler that goes on as if nothing had happened."""

from collections.abc import Iterator

import msgspec
from tree_sitter import Node

from consistency_bot.syntax.nodes import FUNCTIONS, ancestors, body_of, called, line_of, walk_own
from consistency_bot.syntax.terms import text_of

_ABSENT = frozenset({"ImportError", "ModuleNotFoundError", "PackageNotFoundError"})
"""That a library is not there is no failure of a patch for it."""

MESSAGES = frozenset(
    "debug info warning warn error critical exception log print print_exc print_exception warn_once info_once "
    "warning_once rank_zero_warn rank_zero_info write_stderr".split()
)
"""Last names of calls that tell a person something, and change nothing."""


class Swallowed(msgspec.Struct, frozen=True):
    """A handler: its line, counted from 1, and what it says: `except Exception`, `suppress(Exception)`."""

    line: int
    text: str


def swallowing_handlers(function: Node) -> list[Swallowed]:
    """The handlers of a function that hide the failure of what it does, by line; of looking something up does not count."""
    found: list[Swallowed] = []
    for node in walk_own(function):
        if node.type == "try_statement" and _does_something(node.child_by_field_name("body")):
            found += _swallowing(node)
        elif node.type == "with_statement" and _does_something(node.child_by_field_name("body")):
            found += _suppressing(node)
    return sorted(found, key=lambda each: each.line)


def swallowing_around(node: Node) -> Swallowed | None:
    """The handler nearest around a node, inside its function, that hides the node's failure; None where none does."""
    inner = node
    for around in ancestors(node):
        if around.type in FUNCTIONS:
            return None
        if around.type == "try_statement" and around.child_by_field_name("body") == inner:
            found = next(_swallowing(around), None)
            if found is not None:
                return found
        elif around.type == "with_statement":
            found = next(_suppressing(around), None)
            if found is not None:
                return found
        inner = around
    return None


def _swallowing(node: Node) -> Iterator[Swallowed]:
    """The handlers of a `try` that only tell, or do not even that."""
    for clause in node.named_children:
        if clause.type not in ("except_clause", "except_group_clause"):
            continue
        types = list(_types(clause.child_by_field_name("value")))
        block = next((child for child in clause.named_children if child.type == "block"), None)
        if (types and _ABSENT.issuperset(types)) or not all(map(_only_tells, body_of(block))):
            continue
        said = text_of(clause).partition(":")[0]
        yield Swallowed(line_of(clause), " ".join(said.split()))


def _types(value: Node | None) -> Iterator[str]:
    """The last names of the exceptions that a clause takes; none where it takes all."""
    if value is None:
        return
    if value.type == "as_pattern":
        yield from _types(value.named_children[0])
    elif value.type in ("tuple", "parenthesized_expression"):
        for child in value.named_children:
            yield from _types(child)
    else:
        yield text_of(value).rpartition(".")[2]


def _suppressing(node: Node) -> Iterator[Swallowed]:
    """`with suppress(…)` of more than that a library is missing."""
    clause = next((child for child in node.children if child.type == "with_clause"), None)
    for item in walk_own(clause) if clause is not None else ():
        if called(item).rpartition(".")[2] == "suppress":
            arguments = item.child_by_field_name("arguments")
            names = [text_of(each).rpartition(".")[2] for each in body_of(arguments)]
            if names and not _ABSENT.issuperset(names):
                yield Swallowed(line_of(item), " ".join(text_of(item).split()))


def _only_tells(statement: Node) -> bool:
    """Whether a statement of a handler neither stops, nor answers, nor does anything about it."""
    if statement.type in ("pass_statement", "continue_statement"):
        return True
    if statement.type == "return_statement":
        value = statement.named_children
        return not value or value[0].type == "none"
    if statement.type != "expression_statement":
        return False
    said = statement.named_children[0] if statement.named_children else None
    return said is None or said.type in ("string", "ellipsis") or called(said).rpartition(".")[2] in MESSAGES


def _does_something(body: Node | None) -> bool:
    """Whether a block changes anything: a call for its effect, something assigned to a part of something else."""
    return any(map(is_effect, walk_own(body))) if body is not None else False


def is_effect(node: Node) -> bool:
    """Whether a statement changes something outside the function's own names."""
    if node.type != "expression_statement" or not node.named_children:
        return False
    said = node.named_children[0]
    if said.type in ("assignment", "augmented_assignment"):
        left = said.child_by_field_name("left")
        return left is not None and left.type in ("attribute", "subscript")
    return said.type in ("call", "await") and called(said).rpartition(".")[2] not in MESSAGES
