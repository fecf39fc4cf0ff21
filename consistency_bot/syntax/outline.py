"""A source file read once: its definitions, and the names that its imports bind.

Only the outline is read at once. Bodies are read when somebody asks, since most definitions are the same text at base
and head and need no look.
"""

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

from tree_sitter import Node, Tree

from consistency_bot.attempts import Failure, GivenUp, attempt
from consistency_bot.model import Comments
from consistency_bot.syntax.bindings import bind, import_nodes
from consistency_bot.syntax.parsing import parse, parse_like
from consistency_bot.syntax.rows import Readings
from consistency_bot.syntax.statements import FUNCTION_KINDS, BodyReader, undecorated
from consistency_bot.syntax.terms import significant, text_of
from consistency_bot.syntax.text import utf8, words_of
from consistency_bot.syntax.units import Statement, Unit

if TYPE_CHECKING:
    from consistency_bot.syntax.flow import Function, Step

_LONGEST_NAME = 1_000
"""Bytes of a name that is told in every message about what bears it."""

_MARGIN_COMMENT = re.compile(rb"^#[^\n]*", re.MULTILINE)


class Definition:
    """A function, a class (its header and class-level statements) or a module (its module-level statements).

    `qualname` is the dotted name inside the file, empty for the module. Lines count from 1.
    """

    __slots__ = (
        "_decorators",
        "_first",
        "_flow",
        "_node",
        "_source",
        "_statements",
        "_units",
        "end_line",
        "failure",
        "kind",
        "line",
        "name",
        "owner",
        "qualname",
    )

    def __init__(self, source: "Source", kind: str, qualname: str, node: Node, decorators: list[Node]) -> None:
        self._source = source
        self._node = node
        self._decorators = decorators
        self._statements: list[Statement] | None = None
        self._units: list[Unit] | None = None
        self._flow: Function | None = None
        self.failure: Failure | None = None  # set where its statements cannot be read; then it has none
        self.kind = kind
        self.qualname = qualname
        self.owner, _, self.name = qualname.rpartition(".")
        self._first = decorators[0] if decorators else node
        self.line = self._first.start_point[0] + 1
        self.end_line = node.end_point[0] + 1

    @property
    def path(self) -> str:
        """The file's repository-relative path."""
        return self._source.path

    @property
    def source(self) -> "Source":
        """The file it stands in."""
        return self._source

    @property
    def text(self) -> bytes:
        """A function's source, decorators included; empty for a class or a module."""
        return self.whole if self.kind == "function" else b""

    @property
    def node(self) -> Node:
        """Its node in the tree, decorators left out."""
        return self._node

    @property
    def whole(self) -> bytes:
        """All of its source, decorators and what is defined in it included."""
        return self._source.data[self._first.start_byte : self._node.end_byte]

    @property
    def is_root(self) -> bool:
        """Whether it is the symbol that its side is first of all: it plays one part with the other side's."""
        source = self._source
        return source.is_main and bool(source.symbols) and self.qualname == source.symbols[0]

    @property
    def role(self) -> str:
        """What tells definitions of one name apart: `setter`, `deleter` or `overload`; empty for all others."""
        for decorator in self._decorators:
            last = text_of(decorator).rpartition(".")[2].lstrip("@").strip()
            if last in ("setter", "deleter", "overload"):
                return last
        return ""

    @property
    def header_line(self) -> int:
        """The line of `def` or `class` itself, below the decorators."""
        return self._node.start_point[0] + 1

    @property
    def is_async(self) -> bool:
        """Whether it is an `async def`."""
        return self._node.type == "function_definition" and self._node.children[0].type == "async"

    @property
    def is_broken(self) -> bool:
        """Whether the grammar could not read part of it."""
        return self._node.has_error

    @property
    def statements(self) -> list[Statement]:
        """Its statements in source order, read on first use. Empty for an empty body."""
        if self._statements is None:
            read = attempt(self._read)
            if isinstance(read, Failure):
                self.failure, read = read, []
            self._statements = read
        return self._statements

    @property
    def units(self) -> list[Unit]:
        """The units of all its statements, in order."""
        if self._units is None:
            self._units = [unit for statement in self.statements for unit in statement.units]
        return self._units

    @property
    def start(self) -> int:
        """Its first byte in the file, decorators included; 0 for the module."""
        return self._first.start_byte if self.qualname else 0

    @property
    def end(self) -> int:
        """The byte behind it."""
        return self._node.end_byte if self.qualname else len(self._source.data)

    @property
    def flow(self) -> "Function":
        """It as blocks of steps, read on first use: what runs under which condition."""
        if self._flow is None:
            from consistency_bot.syntax.flow import Function  # only declared rules ask

            self._flow = Function(self._node, self._decorators)
        return self._flow

    def flow_like(self, other: "Definition") -> None:
        """Takes the flow of a function that says the same to the letter; where that stands, its lines are counted."""
        self._flow = other.flow

    def step_at(self, offset: int) -> "tuple[Function, Step] | None":
        """The innermost statement around a byte of its file, and the function that it is in; None between statements."""
        return self.flow.step_at(offset - self._node.start_byte + self.flow.node.start_byte)

    def forget(self) -> None:
        """Lets go of its flow, whose steps know one another."""
        if self._flow is not None:
            self._flow.forget()
            self._flow = None

    def _read(self) -> list[Statement]:
        statements = self._statements_of_code()
        if self._source.comments == "ignore":
            return statements
        from consistency_bot.syntax.remarks import with_remarks

        return with_remarks(statements, self._node, self.kind == "function")

    def _statements_of_code(self) -> list[Statement]:
        reader = self._source.reader
        if self.kind == "function":
            return reader.function(self._node, self._decorators)
        if self.kind == "class":
            return reader.class_header(self._node, self._decorators)
        return reader.module(self._node)


class Source:
    """One file at one revision, or those of its classes and functions that `symbols` name.

    `like` is the same file at another revision, from which this one is read more quickly.
    Raises `Undecodable` where its bytes are not text, `GivenUp` where the grammar does not find its way in it.
    """

    def __init__(
        self,
        path: str,
        raw: bytes,
        readings: Readings,
        is_main: bool = True,
        symbols: tuple[str, ...] = (),
        comments: Comments = "ignore",
        like: "Source | None" = None,
    ) -> None:
        self.path = path
        self.is_main = is_main
        self.symbols = symbols
        self.comments: Comments = comments
        self.data = utf8(raw)
        self.tree: Tree = parse(self.data) if like is None else parse_like(self.data, like.data, like.tree)
        if self.tree.root_node.has_error:
            self._read_without_margin_comments()
        self._readings = readings

    def _read_without_margin_comments(self) -> None:
        """Valid code that the grammar refuses: a comment at the margin between an indented decorator and its `def`."""
        data = _MARGIN_COMMENT.sub(lambda found: b" " * len(found[0]), self.data)
        tree = parse(data)
        if not tree.root_node.has_error:
            self.data, self.tree = data, tree

    @property
    def is_broken(self) -> bool:
        """Whether the grammar could not read part of it."""
        return self.root.has_error

    @property
    def root(self) -> Node:
        """The module node."""
        return self.tree.root_node

    @property
    def first_error_line(self) -> int:
        """The line, counted from 1, where the grammar first gave up; 1 where it read everything."""
        node = self.root
        while node.has_error and not node.is_error:
            inner = next((child for child in node.children if child.has_error or child.is_missing), None)
            if inner is None:
                break
            node = inner
        return node.start_point[0] + 1

    @cached_property
    def definitions(self) -> list[Definition]:
        """The module first, then classes and functions in source order; functions inside functions belong to them.

        With `symbols` those alone, and what is defined in them.
        """
        if not self.symbols:
            return self.outline
        inner = tuple(f"{symbol}." for symbol in self.symbols)
        return [each for each in self.outline if each.qualname in self.symbols or each.qualname.startswith(inner)]

    @cached_property
    def outline(self) -> list[Definition]:
        """The whole file's definitions, whatever `symbols` say."""
        out = [Definition(self, "module", "", self.root, [])]
        self._outline(self.root, "", out)
        return out

    def definition_at(self, offset: int) -> Definition | None:
        """The innermost definition around a byte of the file; None where it lies in none of the file's symbols."""
        starts, spans = self._spans
        for at in range(bisect_right(starts, offset) - 1, -1, -1):
            if offset < spans[at][0]:  # who stands in another one comes behind it
                return spans[at][1]
        return None

    @cached_property
    def _spans(self) -> tuple[list[int], list[tuple[int, Definition]]]:
        """(where each definition begins, its end and itself), in source order; the module lies around all of them."""
        found = [(each.start, each.end, each) for each in self.definitions]
        return [start for start, _, _ in found], [(end, each) for _, end, each in found]

    def forget(self) -> None:
        """Lets go of its definitions, which know it too: no garbage is collected, and a tree is large."""
        for each in self.__dict__.get("outline", ()):
            each.forget()
        for name in ("definitions", "outline", "_spans"):
            self.__dict__.pop(name, None)

    def _outline(self, block: Node, prefix: str, out: list[Definition]) -> None:
        for node in block.named_children:
            kind = node.type
            if kind in FUNCTION_KINDS:
                decorators, definition = undecorated(node)
                name = definition.child_by_field_name("name")
                if name is None:
                    continue
                if name.end_byte - name.start_byte > _LONGEST_NAME:
                    raise GivenUp(f"with a name of more than {_LONGEST_NAME} characters, which nobody gave")
                qualname = prefix + text_of(name)
                is_class = definition.type == "class_definition"
                out.append(Definition(self, "class" if is_class else "function", qualname, definition, decorators))
                body = definition.child_by_field_name("body")
                if is_class and body is not None:
                    self._outline(body, qualname + ".", out)
            elif kind in ("if_statement", "try_statement", "with_statement") or kind in (
                "block",
                "else_clause",
                "elif_clause",
                "except_clause",
                "finally_clause",
            ):
                self._outline(node, prefix, out)

    @cached_property
    def words(self) -> frozenset[bytes]:
        """Every identifier-like word of the file, or of its symbols, comments and strings included."""
        if not self.symbols:
            return words_of(self.data)
        return frozenset().union(*(words_of(each.whole) for each in self.definitions if each.qualname in self.symbols))

    @cached_property
    def reader(self) -> BodyReader:
        """Reads bodies."""
        aliases, prefixes = self.imports
        return BodyReader(self.data, prefixes, aliases, self._readings.of_file(aliases, prefixes))

    @cached_property
    def imports(self) -> tuple[dict[str, str], frozenset[str]]:
        """({alias: imported name}, names that only say where something comes from: modules and dotted modules)."""
        aliases: dict[str, str] = {}
        prefixes: set[str] = {"typing"}
        for node in self.import_nodes:
            bind(node, aliases, prefixes)
        return aliases, frozenset(prefixes)

    @cached_property
    def origins(self) -> dict[str, tuple[str, int]]:
        """{imported name: (module that it comes from, line)} of every `from … import`; names of several are left out."""
        found: dict[str, list[tuple[str, int]]] = {}
        for node in self.import_nodes:
            module = node.child_by_field_name("module_name")
            for child in significant(node) if module is not None else ():
                if child != module and child.type in ("dotted_name", "aliased_import"):
                    name = text_of(child.children[0]) if child.type == "aliased_import" else text_of(child)
                    found.setdefault(name, []).append((text_of(module), child.start_point[0] + 1))  # type: ignore[arg-type]
        return {name: homes[0] for name, homes in found.items() if len({module for module, _ in homes}) == 1}

    @cached_property
    def import_nodes(self) -> list[Node]:
        """The import statements of the whole file, those inside functions included."""
        return import_nodes(self.root, self.data)

    @cached_property
    def lines(self) -> list[str]:
        """The source lines without their line ends."""
        return self.data.decode("utf-8", "replace").split("\n")
