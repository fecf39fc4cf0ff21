"""Small questions about nodes of the grammar."""

from collections.abc import Iterator

from tree_sitter import Node

from consistency_bot.syntax.terms import text_of

FUNCTIONS = frozenset({"function_definition", "lambda"})
DEFINITIONS = frozenset({"function_definition", "class_definition"})


def walk(node: Node) -> Iterator[Node]:
    """The node and everything in it, in source order; without recursion, as nesting may be deep."""
    stack = [node]
    while stack:
        found = stack.pop()
        yield found
        stack.extend(reversed(found.children))


def walk_own(node: Node) -> Iterator[Node]:
    """The same without what stands in functions and classes inside the node."""
    stack = list(reversed(node.children))
    while stack:
        found = stack.pop()
        yield found
        if found.type not in DEFINITIONS and found.type != "lambda":
            stack.extend(reversed(found.children))


def ancestors(node: Node) -> Iterator[Node]:
    """The nodes around a node, the nearest first."""
    around = node.parent
    while around is not None:
        yield around
        around = around.parent


def line_of(node: Node) -> int:
    """The node's first line, counted from 1."""
    return node.start_point[0] + 1


def qualname_at(node: Node) -> str:
    """The qualified name of the function or class around a node; empty at module level."""
    names = []
    for around in ancestors(node):
        name = around.child_by_field_name("name") if around.type in DEFINITIONS else None
        if name is not None:
            names.append(text_of(name))
    return ".".join(reversed(names))


def called(node: Node) -> str:
    """The dotted name of what a call calls, as written; empty where it is no call, or calls no name."""
    function = node.child_by_field_name("function") if node.type == "call" else None
    return text_of(function) if function is not None and function.type in ("identifier", "attribute") else ""


def arguments_of(call: Node) -> list[Node]:
    """The positional arguments of a call."""
    found = call.child_by_field_name("arguments")
    if found is None or found.type != "argument_list":
        return []
    skipped = ("keyword_argument", "dictionary_splat", "list_splat", "comment")
    return [child for child in found.named_children if child.type not in skipped]


def string_of(node: Node | None) -> str | None:
    """The value of a plain string constant; None for anything else, f-strings and escapes included."""
    if node is None or node.type != "string":
        return None
    starts = [child for child in node.children if child.type == "string_start"]
    if not starts or set(text_of(starts[0]).lower()) & set("fb"):
        return None
    contents = [child for child in node.children if child.type == "string_content"]
    if any(child.children for child in contents):
        return None
    return "".join(map(text_of, contents))


def body_of(node: Node | None) -> list[Node]:
    """The statements of a block, comments left out; empty where there is no block."""
    return [child for child in node.named_children if child.type != "comment"] if node is not None else []
