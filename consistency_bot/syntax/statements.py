"""The body of one definition as a sequence of statements, each with its units.

A unit is the smallest thing that can agree (DESIGN section 2): one alternative of a condition, a call without its
keywords, each keyword, an assignment, a raise. Statements keep their nesting, so that a unit can be asked what guards it.
"""

from collections.abc import Iterable, Iterator, Mapping

from tree_sitter import Node

from consistency_bot.syntax.terms import PROSE, Part, TermReader, Terms, significant, sort_key, text_of

FUNCTION_KINDS = frozenset({"function_definition", "class_definition", "decorated_definition"})
_SILENT = frozenset(
    {"pass_statement", "import_statement", "import_from_statement", "future_import_statement", "global_statement"}
    | {"nonlocal_statement", "type_alias_statement", "comment"}
)


class Unit:
    """One unit: what it says (`terms`), what it is (`concept`) and where. Lines count from 1.

    `statement` is the index of its statement in the body.
    """

    __slots__ = ("concept", "end_line", "line", "statement", "terms")

    def __init__(self, concept: str, terms: Terms, line: int, end_line: int, statement: int) -> None:
        self.concept = concept
        self.terms = terms
        self.line = line
        self.end_line = end_line
        self.statement = statement


class Statement:
    """One statement's own part: for a compound statement its header only.

    `parent` is the index of the compound statement around it, -1 at the top of the body. `raw` is the source without
    white space: it changes when anybody touches the statement, prose included.
    """

    __slots__ = ("end_line", "line", "parent", "raw", "units")

    def __init__(self, line: int, end_line: int, parent: int, raw: bytes) -> None:
        self.line = line
        self.end_line = end_line
        self.parent = parent
        self.raw = raw
        self.units: list[Unit] = []


_Row = tuple[str, Terms, int, int]
"""concept, terms, and the first and last line relative to the statement's own first line."""


class BodyReader:
    """Reads bodies of one file. Statements with the same text are read once: twins and revisions share most of theirs."""

    def __init__(
        self,
        prefixes: frozenset[str],
        aliases: Mapping[str, str],
        rows: dict[tuple[str, bytes], list[_Row]],
    ) -> None:
        self._prefixes = prefixes
        self._aliases = aliases
        self._rows = rows

    def function(self, definition: Node, decorators: Iterable[Node]) -> list[Statement]:
        """The statements of a function: decorators and signature first, then its body, nested functions included."""
        out: list[Statement] = []
        self._decorators(decorators, out)
        self._signature(definition, out)
        body = definition.child_by_field_name("body")
        if body is not None:
            self._block(body, -1, out)
        return out

    def class_header(self, definition: Node, decorators: Iterable[Node]) -> list[Statement]:
        """Decorators, bases and the statements of a class body that are not definitions."""
        out: list[Statement] = []
        self._decorators(decorators, out)
        bases = definition.child_by_field_name("superclasses")
        if bases is not None:
            self._add(out, bases, -1, "base class", bases)
        body = definition.child_by_field_name("body")
        if body is not None:
            self._block(body, -1, out, skip_definitions=True)
        return out

    def module(self, root: Node) -> list[Statement]:
        """The statements at module level that are not definitions or imports."""
        out: list[Statement] = []
        self._block(root, -1, out, skip_definitions=True)
        return out

    def _add(self, out: list[Statement], node: Node, parent: int, how: str, *spoken: Node) -> int:
        """Appends one statement whose text is `spoken`; returns its index."""
        first, last = spoken[0], spoken[-1]
        line, end_line = first.start_point[0] + 1, last.end_point[0] + 1
        text = b" ".join(piece.text or b"" for piece in spoken)
        statement = Statement(line, end_line, parent, b"".join(text.split()))
        key = (how, text)
        rows = self._rows.get(key)
        if rows is None:
            rows = self._rows[key] = list(self._read(how, first.start_point[0], spoken))
        index = len(out)
        statement.units = [Unit(c, terms, line + low, line + high, index) for c, terms, low, high in rows]
        out.append(statement)
        return index

    def _read(self, how: str, row: int, spoken: tuple[Node, ...]) -> Iterator[_Row]:
        reader = TermReader(self._prefixes, self._aliases)
        height = spoken[-1].end_point[0] - row
        for concept, terms in _HOW.get(how, _plain)(reader, how, spoken):
            yield concept, terms, 0, height
        for part in reader.parts:
            yield part.concept, part.terms, part.line - row, part.line - row

    def _decorators(self, decorators: Iterable[Node], out: list[Statement]) -> None:
        for decorator in decorators:
            self._add(out, decorator, -1, "decorator", decorator)

    def _signature(self, definition: Node, out: list[Statement]) -> None:
        parameters = definition.child_by_field_name("parameters")
        if parameters is not None:
            self._add(out, parameters, -1, "parameter", parameters)

    def _block(self, block: Node, parent: int, out: list[Statement], skip_definitions: bool = False) -> None:
        for node in block.named_children:
            kind = node.type
            if kind in FUNCTION_KINDS:
                if not skip_definitions:
                    self._nested(node, parent, out)
            elif kind not in _SILENT:
                self._statement(node, kind, parent, out, skip_definitions)

    def _nested(self, node: Node, parent: int, out: list[Statement]) -> None:
        decorators, definition = undecorated(node)
        name = definition.child_by_field_name("name")
        if name is None:
            return
        index = self._add(out, name, parent, "definition", name)
        self._decorators(decorators, out)
        self._signature(definition, out)
        body = definition.child_by_field_name("body")
        if body is not None:
            self._block(body, index, out)

    def _statement(self, node: Node, kind: str, parent: int, out: list[Statement], skip_definitions: bool) -> None:
        if kind == "if_statement":
            self._if(node, parent, out, skip_definitions)
        elif kind in _BLOCKS:
            self._compound(node, kind, parent, out, skip_definitions)
        elif kind == "expression_statement":
            children = significant(node)
            if len(children) == 1 and children[0].type not in ("string", "concatenated_string", "ellipsis"):
                self._add(out, node, parent, "expression", children[0])
            elif len(children) > 1:
                self._add(out, node, parent, "expression", node)
        else:
            self._add(out, node, parent, kind, node)

    def _compound(self, node: Node, kind: str, parent: int, out: list[Statement], skip_definitions: bool) -> None:
        children = significant(node)
        header = [child for child in children if child.is_named and child.type not in _BODIES]
        index = parent
        if header and kind != "else_clause":
            index = self._add(out, node, parent, kind, *header)
        elif kind == "finally_clause" or (kind == "except_clause" and not header):
            index = self._add(out, node, parent, kind, children[0])
        for child in children:
            if child.type == "block":
                self._block(child, index, out, skip_definitions)
            elif child.type in _BODIES:
                inner = parent if kind == "try_statement" else index
                self._compound(child, child.type, inner, out, skip_definitions)

    def _if(self, node: Node, parent: int, out: list[Statement], skip_definitions: bool) -> None:
        """An `if` chain. Neighbouring branches with one body are one branch: `if a: X elif b: X` says `if a or b: X`."""
        branches = list(_branches(node))
        position = 0
        while position < len(branches):
            condition, body = branches[position]
            conditions = [condition] if condition is not None else []
            while (
                position + 1 < len(branches)
                and condition is not None
                and _squeezed(branches[position + 1][1]) == _squeezed(body)
            ):
                position += 1
                following = branches[position][0]
                if following is not None:
                    conditions.append(following)
            position += 1
            index = parent
            while len(branches) == 1 and (inner := _only_if(body)) is not None:
                extra, body = inner
                conditions.append(extra)
            for each in conditions if len(branches) > 1 else ():
                how = "guard" if _raises(body) else "condition"
                index = self._add(out, node, parent, how, each)
            if len(branches) == 1:
                how = ("guard" if _raises(body) else "condition") + (" all" if len(conditions) > 1 else "")
                index = self._add(out, node, parent, how, *conditions)
            self._block(body, index, out, skip_definitions)


_BLOCKS = frozenset(
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
_BODIES = frozenset({"block", "except_clause", "except_group_clause", "else_clause", "finally_clause", "case_clause"})


def undecorated(node: Node) -> tuple[list[Node], Node]:
    """The decorators of a definition, and the definition itself."""
    if node.type != "decorated_definition":
        return [], node
    children = significant(node)
    return children[:-1], children[-1]


def _branches(node: Node) -> Iterator[tuple[Node | None, Node]]:
    """(condition or None for `else`, block) for every branch of an `if` chain."""
    for child in [node, *node.children_by_field_name("alternative")]:
        body = child.child_by_field_name("body" if child.type == "else_clause" else "consequence")
        if body is not None:
            yield child.child_by_field_name("condition"), body


def _only_if(body: Node) -> tuple[Node, Node] | None:
    """The condition and block of the one `if` without alternatives that a block consists of; None if it is anything else."""
    children = [child for child in body.named_children if not child.is_extra]
    if len(children) != 1 or children[0].type != "if_statement":
        return None
    branches = list(_branches(children[0]))
    condition = branches[0][0] if len(branches) == 1 else None
    return None if condition is None else (condition, branches[0][1])


def _raises(body: Node) -> bool:
    children = [child for child in body.named_children if not child.is_extra]
    return bool(children) and children[-1].type == "raise_statement"


def _squeezed(node: Node) -> bytes:
    return b"".join((node.text or b"").split())


_Said = Iterator[tuple[str, Terms]]


def _plain(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    word = how.removesuffix("_statement")
    terms = tuple(token for node in spoken for token in reader.read(node))
    yield word, ((word, *terms) if how in _BLOCKS else terms)


def _conditions(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    for node in spoken:
        for terms in reader.alternatives(node):
            yield how, ("if", *terms)


def _all_conditions(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    members: list[Terms] = []
    for node in spoken:
        terms = reader.condition(node)
        is_group = len(terms) == 2 and terms[0] == "and" and isinstance(terms[1], tuple)
        members.extend(terms[1] if is_group else [terms])  # type: ignore[arg-type]
    yield how.removesuffix(" all"), ("if", "and", tuple(sorted(members, key=sort_key)))


def _expression(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    node = spoken[0]
    kind = node.type
    if kind == "assignment":
        yield from _assignment(reader, node)
    elif kind == "augmented_assignment":
        children = significant(node)
        yield "augmented assignment", (*reader.read(children[0]), text_of(children[1]), *reader.read(children[-1]))
    else:
        terms = reader.read(node)
        if terms:
            yield ("call" if terms[-1] == ")" else "expression"), terms


def _assignment(reader: TermReader, node: Node) -> _Said:
    right = node.child_by_field_name("right")
    left = node.child_by_field_name("left")
    if right is None or left is None:
        return
    target = reader.read(left)
    if right.type == "assignment":
        inner = list(_assignment(reader, right))
        for concept, terms in inner:
            yield concept, terms
            if concept == "assignment":
                yield concept, (*target, "=", *terms[terms.index("=") + 1 :])
        return
    yield "assignment", (*target, "=", *reader.read(right))


def _assertion(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    tested = significant(spoken[0])[1]
    terms = reader.condition(tested, negated=True)
    is_group = len(terms) == 2 and terms[0] == "or" and isinstance(terms[1], tuple)
    for each in terms[1] if is_group else (terms,):
        yield "guard", ("if", *each)
    yield "raise", ("raise", "AssertionError")


def _raise(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    children = significant(spoken[0])
    terms: list[object] = ["raise"]
    for child in children[1:]:
        if child.type == "call":
            pieces = significant(child)
            terms.extend(reader.read(pieces[0]))
            if pieces[0].type == "identifier" and text_of(pieces[0]) == "AssertionError":
                continue
            for argument in pieces[-1].named_children:
                if argument.is_extra or argument.type in ("string", "concatenated_string", "binary_operator"):
                    continue
                terms.extend(reader.read(argument))
        elif child.is_named and child.type != "none":
            terms.extend(reader.read(child))
    yield "raise", tuple(terms)  # type: ignore[arg-type]


def _parameters(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    for child in significant(spoken[0]):
        if not child.is_named or child.type in ("keyword_separator", "positional_separator"):
            continue
        names = [piece for piece in significant(child) if piece.is_named and piece.type != "type"] or [child]
        name = text_of(names[0])
        if child.type in ("list_splat_pattern", "dictionary_splat_pattern"):
            name = text_of(child)
        if name in ("self", "cls"):
            continue
        yield "parameter", ("(", *reader.read(names[0]), ")")
        if child.type in ("default_parameter", "typed_default_parameter"):
            yield "default", ("(", *reader.read(names[0]), "=", *reader.read(names[-1]), ")")


def _bases(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    for child in significant(spoken[0]):
        if child.is_named:
            yield "base class", ("class", *reader.read(child))


def _decorator(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    yield "decorator", ("@", *reader.read(significant(spoken[0])[-1]))


def _except(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
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


def _items(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    for node in spoken:
        for item in significant(node):
            if item.is_named:
                yield "context", ("with", *reader.read(item))


def _loop(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    yield "loop", ("for", *reader.read(spoken[0]), "in", *reader.read(spoken[-1]))


def _finally(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    yield "finally", ("finally",)


def _definition(reader: TermReader, how: str, spoken: tuple[Node, ...]) -> _Said:
    yield "definition", ("def", text_of(spoken[0]))


_HOW = {
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

__all__ = ["PROSE", "BodyReader", "Part", "Statement", "Unit", "undecorated"]
