"""What each kind of statement says, as units: one function per kind, and the table that names them."""

from collections.abc import Iterator

from tree_sitter import Node

from consistency_bot.syntax.conditions import condition, members_of
from consistency_bot.syntax.expressions import TermReader
from consistency_bot.syntax.terms import Terms, leaves, significant, sort_key

BLOCKS = frozenset(
    {
        "for_statement",
        "while_statement",
        "try_statement",
        "with_statement",
        "match_statement",
        "case_clause",
        "except_clause",
    }
    | {"except_group_clause", "else_clause", "finally_clause"}
)
"""Statements with a body of their own; only their header is spoken for."""

_MANY = 20
"""Targets of one value."""

Said = Iterator[tuple[str, Terms]]
"""(concept, terms) of each unit, its keyword arguments and entries aside."""


def _plain(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    word = how.removesuffix("_statement")
    terms = tuple(token for node in spoken for token in reader.read(node))
    yield word, ((word, *terms) if how in BLOCKS else terms)


def _broken(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    """A statement that the grammar could not read: its pieces as written, since none of them is where it belongs."""
    yield how.removesuffix(" all"), tuple(reader.text_of(leaf) for node in spoken for leaf in leaves(node))


def _conditions(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    for node in spoken:
        for terms in members_of(condition(reader, node), "or"):
            yield how, ("if", *terms)


def _all_conditions(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    members: list[Terms] = []
    for node in spoken:
        members.extend(members_of(condition(reader, node), "and"))
    yield how.removesuffix(" all"), ("if", "and", tuple(sorted(members, key=sort_key)))


def _expression(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    node = spoken[0]
    kind = node.type
    if kind == "assignment":
        yield from _assignment(reader, node)
    elif kind == "augmented_assignment":
        children = significant(node)
        yield (
            "augmented assignment",
            (*reader.read(children[0]), reader.text_of(children[1]), *reader.read(children[-1])),
        )
    else:
        terms = reader.read(node)
        if terms:
            yield ("call" if terms[-1] == ")" else "expression"), terms


def _assignment(reader: TermReader, node: Node) -> Said:
    """One unit for each target of `a = b = value`, which is read once; the last target first."""
    targets: list[Terms] = []
    value: Node | None = node
    while value is not None and value.type == "assignment":
        left = value.child_by_field_name("left")
        if left is None:
            return
        targets.append(reader.read(left))
        value = value.child_by_field_name("right")
    if value is None:  # `a: int` says nothing
        return
    *others, last = targets
    terms = reader.read(value)
    yield "assignment", (*last, "=", *terms)
    if len(others) > _MANY:  # what a person writes is compared in full, and a text of n letters says no n squared
        terms = last
    for target in reversed(others):
        yield "assignment", (*target, "=", *terms)


def _assertion(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    tested = significant(spoken[0])[1]
    for each in members_of(condition(reader, tested, negated=True), "or"):
        yield "guard", ("if", *each)
    yield "raise", ("raise", "AssertionError")


def _raise(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    children = significant(spoken[0])
    terms: list[object] = ["raise"]
    for child in children[1:]:
        if child.type == "call":
            pieces = significant(child)
            terms.extend(reader.read(pieces[0]))
            if pieces[0].type == "identifier" and reader.text_of(pieces[0]) == "AssertionError":
                continue
            for argument in pieces[-1].named_children:
                if argument.is_extra or argument.type in ("string", "concatenated_string", "binary_operator"):
                    continue
                terms.extend(reader.read(argument))
        elif child.is_named and child.type != "none":
            terms.extend(reader.read(child))
    yield "raise", tuple(terms)  # type: ignore[arg-type]


def parameters_of(signature: Node) -> Iterator[tuple[Node, list[Node]]]:
    """Each parameter of a signature, with its name first and its default, if it has one, last."""
    for child in significant(signature):
        if child.is_named and child.type not in ("keyword_separator", "positional_separator"):
            yield child, [piece for piece in significant(child) if piece.is_named and piece.type != "type"] or [child]


def _parameters(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    for child, names in parameters_of(spoken[0]):
        name = reader.text_of(names[0])
        if child.type in ("list_splat_pattern", "dictionary_splat_pattern"):
            name = reader.text_of(child)
        if name in ("self", "cls"):
            continue
        yield "parameter", ("(", *reader.read(names[0]), ")")
        if child.type in ("default_parameter", "typed_default_parameter"):
            yield "default", ("(", *reader.read(names[0]), "=", *reader.read(names[-1]), ")")


def _bases(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    for child in significant(spoken[0]):
        if child.is_named:
            yield "base class", ("class", *reader.read(child))


def _decorator(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    yield "decorator", ("@", *reader.read(significant(spoken[0])[-1]))


def _except(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    node = spoken[0]
    if not node.is_named:
        yield "except", ("except", "Exception")
        return
    if node.type == "as_pattern":
        node = significant(node)[0]
    while node.type == "parenthesized_expression":
        node = significant(node)[1]
    types = [child for child in significant(node) if child.is_named] if node.type == "tuple" else [node]
    for each in types:
        yield "except", ("except", *reader.read(each))


def _items(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    for node in spoken:
        for item in significant(node):
            if item.is_named:
                yield "context", ("with", *reader.read(item))


def _loop(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    yield "loop", ("for", *reader.read(spoken[0]), "in", *reader.read(spoken[-1]))


def _finally(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    yield "finally", ("finally",)


def _definition(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    yield "definition", ("def", reader.text_of(spoken[0]))


_TABLE = {
    "condition": _conditions,
    "guard": _conditions,
    "while_statement": _conditions,
    "condition all": _all_conditions,
    "guard all": _all_conditions,
    "expression": _expression,
    "assert_statement": _assertion,
    "raise_statement": _raise,
    "parameter": _parameters,
    "base class": _bases,
    "decorator": _decorator,
    "except_clause": _except,
    "except_group_clause": _except,
    "with_statement": _items,
    "for_statement": _loop,
    "finally_clause": _finally,
    "definition": _definition,
}


def said_by(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> Said:
    """The units of a statement of the kind `how` whose text is `spoken`; kinds without a row say all their tokens."""
    if any(node.has_error for node in spoken):
        return _broken(reader, how, spoken)
    return _TABLE.get(how, _plain)(reader, how, spoken)
