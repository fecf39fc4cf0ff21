"""The kind of a statement, and the parts of its node: header, values and targets, contexts, a function's parameters."""

from collections.abc import Callable, Iterator

import msgspec
from tree_sitter import Node

from consistency_bot.syntax.nodes import DEFINITIONS, line_of
from consistency_bot.syntax.parsed import Expression, Other
from consistency_bot.syntax.reading import parsed, squeezed
from consistency_bot.syntax.statements import undecorated
from consistency_bot.syntax.terms import significant, text_of


class Parameter(msgspec.Struct, frozen=True):
    """A parameter: its name, its default, and `*` or `**` where it takes what is left over.

    `only` is `keyword` behind `*` or `*args`, `position` before `/`, and empty for what may be given either way.
    """

    name: str
    default: Expression | None
    stars: str = ""
    only: str = ""
    line: int = 0


_SIMPLE = {"assignment": "assign", "augmented_assignment": "augment"}
_KINDS = {
    "return_statement": "return",
    "raise_statement": "raise",
    "assert_statement": "assert",
    "if_statement": "if",
    "with_statement": "with",
    "for_statement": "for",
    "while_statement": "while",
    "try_statement": "try",
    "match_statement": "match",
    "function_definition": "define",
    "class_definition": "define",
    "decorated_definition": "define",
    "import_statement": "import",
    "import_from_statement": "import",
    "break_statement": "break",
    "continue_statement": "continue",
    "delete_statement": "delete",
}


def kind_of(node: Node) -> str:
    """What kind of statement it is: one of `_KINDS`' values, `assign`, `augment`, `call`, or `other`."""
    kind = node.type
    if kind == "expression_statement":
        return _SIMPLE.get(node.named_children[0].type, "call") if node.named_child_count else "call"
    return _KINDS.get(kind, "other")


CLAUSES = {
    "elif_clause": "if",
    "else_clause": "else",
    "except_clause": "except",
    "except_group_clause": "except",
    "finally_clause": "finally",
    "case_clause": "case",
}
"""The clauses of a compound statement, and the word of their branch."""


def test_of(node: Node) -> Expression | None:
    """The test that a branch is taken for; of `except` and `case` their text. None where there is none."""
    condition = node.child_by_field_name("condition")
    if condition is not None:
        return parsed(condition)
    if node.type in ("except_clause", "except_group_clause", "case_clause"):
        header = " ".join(squeezed(child) for child in significant(node) if child.type not in ("block", ":"))
        return Other(line_of(node), node.type.partition("_")[0], header)
    return None


def headers_of(node: Node) -> Iterator[Node]:
    """What is left of a compound statement without its blocks."""
    for child in node.children:
        if child.type in CLAUSES:
            yield from headers_of(child)
        elif child.type != "block":
            yield child


def own_spans(node: Node, block: Node | None) -> Iterator[tuple[int, int]]:
    """The stretches of a module's or class's source without the bodies of what is defined in it, as bytes of the file."""
    at = node.start_byte
    for child in block.named_children if block is not None else ():
        _, inner = undecorated(child)
        body = inner.child_by_field_name("body") if inner.type in DEFINITIONS else None
        if body is not None:
            yield at, body.start_byte
            at = body.end_byte
    yield at, node.end_byte


def _assigned(node: Node) -> Node | None:
    """The value of an assignment, of a chain of them the last one."""
    inner: Node | None = node.named_children[0]
    while inner is not None and inner.type in ("assignment", "augmented_assignment"):
        inner = inner.child_by_field_name("right")
    return inner


def _last(node: Node) -> Node | None:
    pieces = significant(node)
    return pieces[-1] if len(pieces) > 1 else None


def _only(node: Node) -> Node | None:
    return node.named_children[0] if len(node.named_children) == 1 else None


def _raised(node: Node) -> Node | None:
    pieces = significant(node)
    return pieces[1] if len(pieces) > 1 else None


def _iterated(node: Node) -> Node | None:
    return node.child_by_field_name("right")


VALUES: dict[str, Callable[[Node], Node | None]] = {
    "assign": _assigned,
    "augment": _assigned,
    "call": _only,
    "return": _last,
    "raise": _raised,
    "for": _iterated,
}
"""What a statement assigns, calls, returns, raises or loops over, by its kind."""


def targets_of(node: Node, kind: str) -> Iterator[Node]:
    """What an assignment or a `for` gives a value to, the first one first."""
    if kind == "for":
        left = node.child_by_field_name("left")
        if left is not None:
            yield left
    elif kind in ("assign", "augment"):
        inner: Node | None = node.named_children[0]
        while inner is not None and inner.type in ("assignment", "augmented_assignment"):
            left, right = inner.child_by_field_name("left"), inner.child_by_field_name("right")
            if left is not None and right is not None:
                yield left
            inner = right


def items_of(node: Node) -> Iterator[tuple[Expression, str]]:
    """The contexts of a `with`, and the name that each is bound to, which may be empty."""
    clause = next((child for child in node.named_children if child.type == "with_clause"), None)
    for item in clause.named_children if clause is not None else ():
        value = item.child_by_field_name("value") if item.type == "with_item" else None
        if value is None:
            continue
        if value.type == "as_pattern":
            pieces = significant(value)
            yield parsed(pieces[0]), squeezed(pieces[-1])
        else:
            yield parsed(value), ""


def parameters_of(node: Node) -> Iterator[Parameter]:
    """The parameters in order."""
    out: list[Parameter] = []
    only, before_slash = "", 0
    for child in significant(node):
        if child.type == "positional_separator":
            before_slash = len(out)
        elif child.type == "keyword_separator":
            only = "keyword"
        elif child.is_named:
            default = child.child_by_field_name("value")
            name = child.child_by_field_name("name")
            inner = child.named_children[0] if child.type == "typed_parameter" and child.named_children else child
            stars = {"list_splat_pattern": "*", "dictionary_splat_pattern": "**"}.get(inner.type, "")
            text = text_of(name) if name is not None else text_of(inner).lstrip("*")
            if text.isidentifier():
                value = parsed(default) if default is not None else None
                out.append(Parameter(text, value, stars, "" if stars else only, line_of(child)))
                only = "keyword" if stars == "*" else only
    yield from (msgspec.structs.replace(each, only="position") for each in out[:before_slash])
    yield from out[before_slash:]
