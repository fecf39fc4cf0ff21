"""A message of success that is told on a way on which nothing was done.

A walk over the statements, not over all paths: a message is reported only where everything that the function changes
stands in branches that need not have been taken, and the message does not; or where text is replaced without a look
whether it was there.
"""

import re
from collections.abc import Iterator

import msgspec
from tree_sitter import Node

from consistency_bot.syntax.nodes import ancestors, arguments_of, body_of, called, line_of, walk, walk_own
from consistency_bot.syntax.swallowing import MESSAGES, is_effect, swallowing_handlers
from consistency_bot.syntax.terms import text_of

_SUCCESS = re.compile(
    r"\b(?:success\w*|patched|monkey-?patched|applied|replaced|installed|registered|fixed)\b", re.IGNORECASE
)
_FAILURE = re.compile(
    r"\b(?:not|no|cannot|can't|couldn't|fail\w*|error\w*|already|skip\w*|unable|un-?patched|if|when|should|must)\b",
    re.IGNORECASE,
)
_CHANGING = frozenset({"setattr", "write", "write_text", "write_bytes", "writelines"})
_REPLACING = frozenset({"replace", "sub"})
_LOOKING = re.compile(r"(?<![\w.])in(?!\w)|==|!=|\bsubn\b|\bcount\b|\bfind\b|\bindex\b|\bsearch\b|\bmatch\b|\bis not\b")
_BRANCHES = frozenset({"if_statement", "elif_clause", "else_clause", "except_clause", "match_statement", "case_clause"})


class Claim(msgspec.Struct, frozen=True):
    """A message that tells success: its line, counted from 1, its text, and what may have kept it from being true."""

    line: int
    text: str
    why: str


def empty_claims(function: Node) -> Iterator[Claim]:
    """The messages of a function that tell success though nothing need have been done."""
    changes = [node for node in walk_own(function) if _changes(node)]
    for node in walk_own(function):
        text = _success_of(node)
        if text is None or _is_in_a_branch(node, function):
            continue
        if _replaces_blindly(function):
            yield Claim(line_of(node), text, "nobody looks whether there was anything to replace")
        elif changes and not _has_happened(node, function):
            yield Claim(line_of(node), text, "all that it changes stands in branches that need not be taken")


def _success_of(node: Node) -> str | None:
    """The text of a message that tells success; None where the node is no such message."""
    if node.type != "expression_statement" or not node.named_children:
        return None
    call = node.named_children[0]
    if called(call).rpartition(".")[2] not in MESSAGES:
        return None
    text = "".join(text_of(each) for argument in arguments_of(call) for each in walk(argument) if _is_text(each))
    return text if _SUCCESS.search(text) and not _FAILURE.search(text) else None


def _is_text(node: Node) -> bool:
    return node.type == "string_content"


def _is_in_a_branch(node: Node, function: Node) -> bool:
    """Whether a condition stands between the message and the function: it may well be about what was done."""
    for around in ancestors(node):
        if around == function:
            return False
        if around.type in _BRANCHES:
            return True
    return False


def _changes(node: Node) -> bool:
    """Whether a statement changes something foreign for certain: a part of something else, a file."""
    if not is_effect(node):
        return False
    said = node.named_children[0]
    if said.type in ("assignment", "augmented_assignment"):
        return not text_of(said).startswith(("self.", "cls."))
    return called(said).rpartition(".")[2] in _CHANGING


def _has_happened(message: Node, function: Node) -> bool:
    """Whether something has been changed on every way to the message."""
    inner = message
    for around in ancestors(message):
        if around.type in ("block", "module") and any(
            _certainly_changes(each) for each in body_of(around) if each.start_byte < inner.start_byte
        ):
            return True
        if around == function:
            return False
        inner = around
    return False


def _certainly_changes(statement: Node) -> bool:
    kind = statement.type
    if kind == "try_statement":
        if any(swallowing_handlers_of(statement)):
            return False
        return _any_certain(statement.child_by_field_name("body"))
    if kind in ("with_statement", "for_statement", "while_statement"):
        return _any_certain(statement.child_by_field_name("body"))
    if kind == "if_statement":
        last = statement.named_children[-1]
        others = [child for child in statement.named_children if child.type == "elif_clause"]
        return (
            last.type == "else_clause"
            and _any_certain(statement.child_by_field_name("consequence"))
            and all(_any_certain(each.child_by_field_name("consequence")) for each in others)
            and _any_certain(last.child_by_field_name("body"))
        )
    return _changes(statement)


def _any_certain(block: Node | None) -> bool:
    return any(_certainly_changes(each) for each in body_of(block))


def swallowing_handlers_of(statement: Node) -> Iterator[object]:
    """The handlers of one `try` after which the function goes on."""
    holder = statement.parent
    if holder is not None:
        low, high = line_of(statement), statement.end_point[0] + 1
        yield from (each for each in swallowing_handlers(holder) if low <= each.line <= high)


def _replaces_blindly(function: Node) -> bool:
    """Whether text is replaced in the function, written, and no condition of it could know whether it was there."""
    replaced = written = False
    for node in walk_own(function):
        name = called(node)
        last = name.rpartition(".")[2]
        replaced |= last in _REPLACING and "." in name and len(arguments_of(node)) >= 2
        written |= last in ("write", "write_text", "write_bytes")
        if node.type in (
            "if_statement",
            "elif_clause",
            "assert_statement",
            "while_statement",
            "conditional_expression",
        ):
            condition = node.child_by_field_name("condition") or (
                node.named_children[0] if node.named_children else None
            )
            if condition is not None and _LOOKING.search(text_of(condition)):
                return False
    return replaced and written
