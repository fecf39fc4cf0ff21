"""One definition of a file: where it stands, what it says, and, once somebody asks, its statements and its flow.

Bodies are read when somebody asks, since most definitions are the same text at base and head and need no look.
"""

from typing import TYPE_CHECKING

from tree_sitter import Node

from consistency_bot.attempts import Failure, attempt
from consistency_bot.syntax.terms import text_of
from consistency_bot.syntax.units import Statement, Unit

if TYPE_CHECKING:
    from consistency_bot.syntax.flow import Function, Step
    from consistency_bot.syntax.outline import Source


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

    def saying(self, statements: list[Statement]) -> "Definition":
        """This definition with other statements: what it says where calls of its own side's functions are put back."""
        other = Definition(self._source, self.kind, self.qualname, self._node, self._decorators)
        other._statements = statements
        return other

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
