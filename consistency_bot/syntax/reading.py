"""Reads nodes of the grammar into expressions: one function per kind of node, and the table that names them."""

from collections.abc import Callable

from tree_sitter import Node

from consistency_bot.syntax.nodes import line_of
from consistency_bot.syntax.parsed import (
    Argument,
    Attribute,
    Call,
    Collection,
    Comparison,
    Conditional,
    Constant,
    Expression,
    Junction,
    Mapping,
    Name,
    Negation,
    Operation,
    Other,
    Selection,
    Splat,
    Subscript,
)
from consistency_bot.syntax.terms import significant, text_of

_DEEPEST = 60
"""Expressions nested deeper than this are not read: people do not write them, and recursion has an end."""
_LONGEST = 60
"""Longer chains of `and` or `or` are not read: what guards the last member would be all of the others."""


def parsed(node: Node, depth: int = 0) -> Expression:
    """The expression as a typed value."""
    reader = _READERS.get(node.type)
    if depth > _DEEPEST:
        return Other(line_of(node), "an expression nested too deeply", "…")
    if reader is not None:
        found = reader(node, depth + 1)
        if found is not None:
            return found
    return Other(line_of(node), node.type.replace("_", " "), squeezed(node))


def squeezed(node: Node) -> str:
    """The node's text with every run of white space as one space."""
    return " ".join(text_of(node).split())


def _name(node: Node, depth: int) -> Expression:
    return Name(line_of(node), text_of(node))


def _attribute(node: Node, depth: int) -> Expression | None:
    owner, name = node.child_by_field_name("object"), node.child_by_field_name("attribute")
    if owner is None or name is None:
        return None
    return Attribute(line_of(node), parsed(owner, depth), text_of(name))


def _subscript(node: Node, depth: int) -> Expression | None:
    owner, keys = node.child_by_field_name("value"), node.children_by_field_name("subscript")
    if owner is None or len(keys) != 1:
        return None
    return Subscript(line_of(node), parsed(owner, depth), parsed(keys[0], depth))


def _call(node: Node, depth: int) -> Expression | None:
    callee, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    if callee is None or given is None:
        return None
    children = significant(given) if given.type == "argument_list" else [given]  # `any(x for x in y)` has no brackets
    arguments = tuple(_argument(child, depth) for child in children if child.is_named)
    return Call(line_of(node), parsed(callee, depth), arguments, squeezed(node))


def _argument(node: Node, depth: int) -> Argument:
    pieces = significant(node)
    if node.type == "keyword_argument" and len(pieces) == 3:
        return Argument(text_of(pieces[0]), parsed(pieces[-1], depth))
    if node.type in ("list_splat", "dictionary_splat") and len(pieces) == 2:
        return Argument("*" if node.type == "list_splat" else "**", parsed(pieces[-1], depth))
    return Argument("", parsed(node, depth))


def _comparison(node: Node, depth: int) -> Expression | None:
    pieces = significant(node)
    if len(pieces) < 3 or len(pieces) % 2 == 0:
        return None
    line = line_of(node)
    operands = [parsed(each, depth) for each in pieces[::2]]
    words = [" ".join(text_of(each).split()) for each in pieces[1::2]]
    links = tuple(
        Comparison(line, left, "!=" if word == "<>" else word, right)
        for left, word, right in zip(operands, words, operands[1:], strict=False)
    )
    return links[0] if len(links) == 1 else Junction(line, "and", links)


def _junction(node: Node, depth: int) -> Expression | None:
    operator = node.child_by_field_name("operator")
    if operator is None:
        return None
    word = operator.type
    members: list[Node] = []
    # A chain of one word nests to the left; read without recursion, it may be long.
    while node.type == "boolean_operator" and (operator := node.child_by_field_name("operator")) is not None:
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        if operator.type != word or left is None or right is None:
            break
        members.append(right)
        node = left
    members.append(node)
    if len(members) > _LONGEST:
        return None
    return Junction(line_of(node), word, tuple(parsed(each, depth) for each in reversed(members)))


def _negation(node: Node, depth: int) -> Expression | None:
    member = node.child_by_field_name("argument")
    return Negation(line_of(node), parsed(member, depth)) if member is not None else None


def _conditional(node: Node, depth: int) -> Expression | None:
    pieces = significant(node)
    if len(pieces) != 5:
        return None
    then, _, test, _, otherwise = pieces
    return Conditional(line_of(node), parsed(test, depth), parsed(then, depth), parsed(otherwise, depth))


def _inner(node: Node, depth: int) -> Expression | None:
    """Parentheses and `await` say nothing themselves."""
    inner = [child for child in significant(node) if child.is_named]
    return parsed(inner[-1], depth) if len(inner) == 1 else None


def _collection(node: Node, depth: int) -> Expression:
    return Collection(line_of(node), tuple(parsed(each, depth) for each in significant(node) if each.is_named))


def _splat(node: Node, depth: int) -> Expression | None:
    inner = _inner(node, depth)
    return Splat(line_of(node), inner) if inner is not None else None


def _mapping(node: Node, depth: int) -> Expression | None:
    entries: list[tuple[Expression | None, Expression]] = []
    for child in significant(node):
        key, value = child.child_by_field_name("key"), child.child_by_field_name("value")
        if child.type == "pair" and key is not None and value is not None:
            entries.append((parsed(key, depth), parsed(value, depth)))
        elif child.type == "dictionary_splat":
            entries.append((None, parsed(significant(child)[-1], depth)))
    return Mapping(line_of(node), tuple(entries))


def _selection(node: Node, depth: int) -> Expression | None:
    member = node.child_by_field_name("body")
    loops = [child for child in node.named_children if child.type == "for_in_clause"]
    if member is None or len(loops) != 1:
        return None
    target, source = loops[0].child_by_field_name("left"), loops[0].child_by_field_name("right")
    if target is None or source is None:
        return None
    tests = (significant(child)[-1] for child in node.named_children if child.type == "if_clause")
    conditions = tuple(parsed(each, depth) for each in tests)
    return Selection(line_of(node), parsed(member, depth), parsed(target, depth), parsed(source, depth), conditions)


def _operation(node: Node, depth: int) -> Expression | None:
    pieces = significant(node)
    if len(pieces) != 3:
        return None
    return Operation(line_of(node), parsed(pieces[0], depth), pieces[1].type, parsed(pieces[2], depth))


def _number(node: Node, depth: int) -> Expression | None:
    text = text_of(node).replace("_", "")
    if len(text) > 20:
        return None
    for kind in (lambda each: int(each, 0), float):
        try:
            return Constant(line_of(node), kind(text))
        except ValueError:
            continue
    return None


def _minus(node: Node, depth: int) -> Expression | None:
    inner = _inner(node, depth)
    if isinstance(inner, Constant) and isinstance(inner.value, int | float) and text_of(node).startswith("-"):
        return Constant(line_of(node), -inner.value)
    return None


def _string(node: Node, depth: int) -> Expression | None:
    strings = [node] if node.type == "string" else [child for child in significant(node) if child.type == "string"]
    content = ""
    for each in strings:
        for piece in each.children:
            kind = piece.type
            if kind == "interpolation" or (kind == "string_start" and "b" in text_of(piece).lower()):
                return None
            if kind == "string_content":
                content += text_of(piece)
    return Constant(line_of(node), content)


_WORDS: dict[str, bool | None] = {"true": True, "false": False, "none": None}


def _word(node: Node, depth: int) -> Expression:
    return Constant(line_of(node), _WORDS[node.type])


_Reader = Callable[[Node, int], Expression | None]
_KINDS: tuple[tuple[str, _Reader], ...] = (
    ("identifier", _name),
    ("attribute", _attribute),
    ("subscript", _subscript),
    ("call", _call),
    ("comparison_operator", _comparison),
    ("boolean_operator", _junction),
    ("not_operator", _negation),
    ("conditional_expression", _conditional),
    ("parenthesized_expression await type", _inner),
    ("list tuple set expression_list pattern_list tuple_pattern list_pattern", _collection),
    ("list_splat list_splat_pattern", _splat),
    ("dictionary", _mapping),
    ("list_comprehension set_comprehension generator_expression", _selection),
    ("binary_operator", _operation),
    ("integer float", _number),
    ("unary_operator", _minus),
    ("string concatenated_string", _string),
    ("true false none", _word),
)
_READERS = {kind: reader for kinds, reader in _KINDS for kind in kinds.split()}
