"""What a function asks about the version of a package: as conditions whose answer can be worked out for any version."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec
from tree_sitter import Node

from consistency_bot.packages import normalised
from consistency_bot.syntax.nodes import arguments_of, body_of, called, line_of, string_of, walk, walk_own
from consistency_bot.syntax.outline import Source
from consistency_bot.syntax.terms import text_of

Reading = Literal["version", "public", "text", "release"]
"""What is made of a version before it is compared."""

Operator = Literal["<", "<=", ">", ">=", "==", "!="]


class Compared(msgspec.Struct, frozen=True):
    """`version OPERATOR value`: as versions, as versions without the local part, as text, or as leading numbers."""

    operator: Operator
    value: str
    by: "Reading"


class StartsWith(msgspec.Struct, frozen=True):
    """The version as text begins with one of these."""

    texts: tuple[str, ...]


class OneOf(msgspec.Struct, frozen=True):
    """The version as text is one of these."""

    texts: tuple[str, ...]


class Negated(msgspec.Struct, frozen=True):
    """Not that."""

    test: "VersionTest"


class Joined(msgspec.Struct, frozen=True):
    """All of these, or any of them."""

    by: Literal["and", "or"]
    tests: tuple["VersionTest", ...]


class Unreadable(msgspec.Struct, frozen=True):
    """A condition that says something else, or nobody can work out."""


VersionTest = Compared | StartsWith | OneOf | Negated | Joined | Unreadable


class VersionCheck(msgspec.Struct, frozen=True):
    """A place where a function decides by version: it `stops` with an error, or `skips` the rest, where `test` is true.

    `text` is the condition as it stands in the source, on one line.
    """

    effect: Literal["stops", "skips"]
    test: VersionTest
    line: int
    text: str


def version_checks(source: Source, function: Node, package: str) -> list[VersionCheck]:
    """The checks at the top of a function's body that speak of the package (its name as pip normalises it)."""
    reader = _Reader(source, function, package)
    found: list[VersionCheck] = []
    statements = body_of(function.child_by_field_name("body"))
    for statement in statements:
        condition = statement.child_by_field_name("condition")
        if statement.type == "assert_statement" and statement.named_children:
            asserted = statement.named_children[0]
            found += reader.check("stops", asserted, negated=True)
        elif statement.type == "if_statement" and condition is not None:
            block = body_of(statement.child_by_field_name("consequence"))
            last = block[-1].type if block else ""
            if last == "raise_statement":
                found += reader.check("stops", condition)
            elif last == "return_statement":
                found += reader.check("skips", condition)
            elif _is_all_there_is(statement, statements):
                found += reader.check("skips", condition, negated=True)
    return found


def _is_all_there_is(statement: Node, statements: list[Node]) -> bool:
    """Whether a function does nothing but what stands in one `if` without an `else`."""
    if any(child.type in ("elif_clause", "else_clause") for child in statement.named_children):
        return False
    return all(each == statement or _is_silent(each) for each in statements)


def _is_silent(statement: Node) -> bool:
    if statement.type == "expression_statement":
        return bool(statement.named_children) and statement.named_children[0].type in ("string", "assignment")
    return "import" in statement.type or statement.type in ("global_statement", "pass_statement")


class _Reader:
    """Reads conditions of one function. Names that are bound once stand for their values."""

    def __init__(self, source: Source, function: Node, package: str) -> None:
        self._package = package
        self._aliases = source.imports[0]
        self._values = _bound_once(source.root, function)
        self._is_pep440_text = package == "torch"  # its `__version__` compares as a version, though it is a text

    def check(
        self, effect: Literal["stops", "skips"], condition: Node, *, negated: bool = False
    ) -> Iterator[VersionCheck]:
        test = self.test(condition, 0)
        if not _says_something(test):
            return
        text = " ".join(text_of(condition).split())
        yield VersionCheck(effect, Negated(test) if negated else test, line_of(condition), text)

    def test(self, node: Node, depth: int) -> VersionTest:
        """The condition; `depth` stops names that stand for one another."""
        if depth > 20:
            return Unreadable()
        if node.type == "parenthesized_expression" and node.named_children:
            return self.test(node.named_children[0], depth + 1)
        if node.type == "not_operator":
            argument = node.child_by_field_name("argument")
            return Negated(self.test(argument, depth + 1)) if argument is not None else Unreadable()
        if node.type == "boolean_operator":
            left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
            if left is None or right is None:
                return Unreadable()
            by: Literal["and", "or"] = "or" if any(child.type == "or" for child in node.children) else "and"
            return Joined(by, (self.test(left, depth + 1), self.test(right, depth + 1)))
        if node.type == "identifier" and text_of(node) in self._values:
            return self.test(self._values[text_of(node)], depth + 1)
        if node.type == "call":
            return self._starts_with(node)
        return self._comparison(node) if node.type == "comparison_operator" else Unreadable()

    def _starts_with(self, call: Node) -> VersionTest:
        function = call.child_by_field_name("function")
        arguments = arguments_of(call)
        base = function.child_by_field_name("object") if function is not None else None
        if base is None or function is None or not text_of(function).endswith(".startswith") or not arguments:
            return Unreadable()
        texts = _texts(arguments[0])
        return StartsWith(texts) if texts and self._kind(base) == "text" else Unreadable()

    def _comparison(self, node: Node) -> VersionTest:
        if len(node.named_children) != 2:
            return Unreadable()
        left, right = node.named_children
        operator = " ".join(text_of(child) for child in node.children if not child.is_named)
        if operator in ("in", "not in"):
            texts = _texts(right)
            found: VersionTest = OneOf(texts) if texts and self._kind(left) == "text" else Unreadable()
            return Negated(found) if operator == "not in" else found
        if operator in _MIRRORED and self._kind(left) is None:
            left, right, operator = right, left, _MIRRORED[operator]
        if operator not in _MIRRORED:
            return Unreadable()
        kind = self._kind(left)
        if kind is None:
            return Unreadable()
        return _compared(_MIRRORED[_MIRRORED[operator]], kind, self._resolved(right), self._is_pep440_text)

    def _kind(self, node: Node) -> Reading | None:
        """What an expression makes of the package's version; None where it is about something else."""
        node = self._resolved(node)
        if self._is_version_text(node):
            return "text"
        name = called(node).rpartition(".")[2]
        if node.type == "call" and name in _PARSING:
            kind = self._kind(arguments_of(node)[0]) if arguments_of(node) else None
            return "version" if kind == "text" else kind
        if name == "str" and arguments_of(node):
            return self._kind(arguments_of(node)[0])
        if node.type == "attribute" and text_of(node).endswith((".public", ".base_version")):
            base = node.child_by_field_name("object")
            return "public" if base is not None and self._kind(base) is not None else None
        if _CUT.fullmatch(text_of(node)) and any(self._is_version_text(each) for each in walk(node)):
            return "public"
        # Anything else made of the version is its numbers, if it is compared with numbers.
        return "release" if any(self._is_version_text(each) for each in walk(node)) else None

    def _is_version_text(self, node: Node) -> bool:
        """`package.__version__`, or what the installed package's metadata says."""
        text = text_of(node)
        if node.type == "attribute" and text.endswith(".__version__"):
            module = text.removesuffix(".__version__").removesuffix(".version")
            return normalised(self._aliases.get(module, module)) == self._package
        if node.type == "call" and called(node).rpartition(".")[2] == "version":
            arguments = arguments_of(node)
            name = string_of(arguments[0]) if len(arguments) == 1 else None
            return name is not None and normalised(name) == self._package
        return bool(re.fullmatch(rf"(?:\w+\.)*get_distribution\(.({re.escape(self._package)}).\)\.version", text))

    def _resolved(self, node: Node) -> Node:
        """The expression that a name stands for."""
        for _ in range(20):
            if node.type == "parenthesized_expression" and len(node.named_children) == 1:
                node = node.named_children[0]
            elif node.type == "identifier" and text_of(node) in self._values:
                node = self._values[text_of(node)]
            else:
                break
        return node


_PARSING = frozenset({"Version", "parse", "parse_version", "LooseVersion", "StrictVersion"})
"""Last names of calls that make a version of a text."""

_CUT = re.compile(r".*\.(?:split|partition)\(.\+.\)\[0\]", re.DOTALL)
"""What takes the local part off a version: `text.split("+")[0]`."""

_MIRRORED: dict[str, Operator] = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!="}


def _compared(operator: Operator, kind: Reading, value: Node, is_pep440_text: bool) -> VersionTest:
    text = string_of(value)
    name = called(value).rpartition(".")[2]
    if text is None and name in _PARSING:
        arguments = arguments_of(value)
        text = string_of(arguments[0]) if arguments else None
        return Compared(operator, text, kind) if text is not None and kind in ("version", "public") else Unreadable()
    if text is not None and kind != "release":
        return Compared(operator, text, "version" if kind == "text" and is_pep440_text else kind)
    numbers = value.named_children if value.type in ("tuple", "list") else []
    if numbers and all(each.type == "integer" and text_of(each).isdecimal() for each in numbers):
        return Compared(operator, ".".join(text_of(each)[:9] for each in numbers), "release")
    return Unreadable()


def _says_something(test: VersionTest) -> bool:
    """Whether any part of a condition is about the version."""
    if isinstance(test, Negated):
        return _says_something(test.test)
    if isinstance(test, Joined):
        return any(map(_says_something, test.tests))
    return not isinstance(test, Unreadable)


def _texts(node: Node) -> tuple[str, ...]:
    """The texts of a constant or of a tuple of constants; none where any is something else."""
    nodes = node.named_children if node.type in ("tuple", "list", "set") else [node]
    texts = [string_of(each) for each in nodes]
    return tuple(text for text in texts if text is not None) if None not in texts else ()


def _bound_once(root: Node, function: Node) -> dict[str, Node]:
    """{name: value} of the names that the function, or the module at its top, assigns once and never changes."""
    values = _assigned(root.named_children) | _assigned(walk_own(function))
    return {name: value for name, value in values.items() if value is not None}


def _assigned(nodes: Iterable[Node]) -> dict[str, Node | None]:
    """{name: value} of the assignments among the nodes; None for a name that has several."""
    values: dict[str, Node | None] = {}
    for node in nodes:
        said = node.named_children[0] if node.type == "expression_statement" and node.named_children else None
        left = said.child_by_field_name("left") if said is not None and "assignment" in said.type else None
        if said is not None and left is not None and left.type == "identifier":
            name = text_of(left)
            is_clear = name not in values and said.type == "assignment"
            values[name] = said.child_by_field_name("right") if is_clear else None
    return values
