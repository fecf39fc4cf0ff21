"""A source file read once: its definitions, and the names that its imports bind.

Only the outline is read at once. Bodies are read when somebody asks, since most definitions are the same text at base
and head and need no look.
"""

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING

import tree_sitter_python
from tree_sitter import Language, Node, Parser, Tree

from consistency_bot.syntax.statements import FUNCTION_KINDS, BodyReader, Statement, Unit, undecorated
from consistency_bot.syntax.terms import significant, text_of

if TYPE_CHECKING:
    from consistency_bot.syntax.flow import Function

_LANGUAGE = Language(tree_sitter_python.language())
_COOKIE = re.compile(rb"^[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_MARGIN_COMMENT = re.compile(rb"^#[^\n]*", re.MULTILINE)
_WORD = re.compile(rb"[^\W\d]\w*")


class Undecodable(ValueError):
    """The bytes are not text in the encoding that the file declares (UTF-8 where it declares none)."""


class Definition:
    """A function, a class (its header and class-level statements) or a module (its module-level statements).

    `qualname` is the dotted name inside the file, empty for the module. Lines count from 1.
    """

    __slots__ = (
        "_decorators",
        "_flow",
        "_node",
        "_source",
        "_statements",
        "end_line",
        "is_too_deep",
        "kind",
        "line",
        "name",
        "owner",
        "qualname",
        "text",
    )

    def __init__(self, source: "Source", kind: str, qualname: str, node: Node, decorators: list[Node]) -> None:
        self._source = source
        self._node = node
        self._decorators = decorators
        self._statements: list[Statement] | None = None
        self._flow: Function | None = None
        self.is_too_deep = False  # set where its statements are nested too deeply to be read; then it has none
        self.kind = kind
        self.qualname = qualname
        self.owner, _, self.name = qualname.rpartition(".")
        first = decorators[0] if decorators else node
        self.line = first.start_point[0] + 1
        self.end_line = node.end_point[0] + 1
        self.text = source.data[first.start_byte : node.end_byte] if kind == "function" else b""

    @property
    def path(self) -> str:
        """The file's repository-relative path."""
        return self._source.path

    @property
    def source(self) -> "Source":
        """The file it stands in."""
        return self._source

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
    def start(self) -> int:
        """Its first byte in the file, decorators included; 0 for the module."""
        first = self._decorators[0] if self._decorators else self._node
        return first.start_byte if self.qualname else 0

    @property
    def end(self) -> int:
        """The byte behind it."""
        return self._node.end_byte if self.qualname else len(self._source.data)

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
            try:
                self._statements = self._read()
            except RecursionError:
                self._statements = []
                self.is_too_deep = True
        return self._statements

    @property
    def units(self) -> list[Unit]:
        """The units of all its statements, in order."""
        return [unit for statement in self.statements for unit in statement.units]

    @property
    def flow(self) -> "Function":
        """It as blocks of steps, read on first use: what runs under which condition."""
        if self._flow is None:
            from consistency_bot.syntax.flow import Function  # only declared rules ask

            self._flow = Function(self._node, self._decorators)
        return self._flow

    def _read(self) -> list[Statement]:
        reader = self._source.reader
        if self.kind == "function":
            return reader.function(self._node, self._decorators)
        if self.kind == "class":
            return reader.class_header(self._node, self._decorators)
        return reader.module(self._node)


_Rows = dict[tuple[str, bytes], list[tuple[str, tuple[object, ...], int, int]]]


class Source:
    """One file at one revision.

    Raises `Undecodable` where its bytes are not text.
    """

    def __init__(self, path: str, raw: bytes, shared: dict[frozenset[str], object], is_main: bool = True) -> None:
        self.path = path
        self.is_main = is_main
        self.data = _utf8(raw)
        self.tree: Tree = Parser(_LANGUAGE).parse(self.data)
        if self.tree.root_node.has_error:
            self._read_without_margin_comments()
        self._shared = shared

    def _read_without_margin_comments(self) -> None:
        """Valid code that the grammar refuses: a comment at the margin between an indented decorator and its `def`."""
        data = _MARGIN_COMMENT.sub(lambda found: b" " * len(found[0]), self.data)
        tree = Parser(_LANGUAGE).parse(data)
        if not tree.root_node.has_error:
            self.data, self.tree = data, tree

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
        """The module first, then classes and functions in source order; functions inside functions belong to them."""
        out = [Definition(self, "module", "", self.root, [])]
        self._outline(self.root, "", out)
        return out

    def definition_at(self, offset: int) -> Definition:
        """The innermost definition around a byte of the file; the module where there is no other."""
        starts, spans = self._spans
        at = bisect_right(starts, offset) - 1
        while at > 0 and spans[at][0] <= offset:  # who stands in another one comes behind it
            at -= 1
        return spans[at][1]

    @cached_property
    def _spans(self) -> tuple[list[int], list[tuple[int, Definition]]]:
        """(where each definition begins, its end and itself), in source order; the module lies around all of them."""
        found = [(each.start, each.end, each) for each in self.definitions]
        return [start for start, _, _ in found], [(end, each) for _, end, each in found]

    def _outline(self, block: Node, prefix: str, out: list[Definition]) -> None:
        for node in block.named_children:
            kind = node.type
            if kind in FUNCTION_KINDS:
                decorators, definition = undecorated(node)
                name = definition.child_by_field_name("name")
                if name is None:
                    continue
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
        """Every identifier-like word of the file, comments and strings included."""
        return frozenset(_WORD.findall(self.data))

    @cached_property
    def reader(self) -> BodyReader:
        """Reads bodies; files that import the same names share what they have read."""
        aliases, prefixes = self.imports
        rows = self._shared.setdefault(
            prefixes | frozenset(f"{name} as {alias}" for alias, name in aliases.items()), {}
        )
        return BodyReader(prefixes, aliases, rows)  # type: ignore[arg-type]

    @cached_property
    def imports(self) -> tuple[dict[str, str], frozenset[str]]:
        """({alias: imported name}, names that only say where something comes from: modules and dotted modules)."""
        aliases: dict[str, str] = {}
        prefixes: set[str] = {"typing"}
        for node in self.import_nodes:
            _bind(node, aliases, prefixes)
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
        return _import_nodes(self.root, self.data)

    @cached_property
    def lines(self) -> list[str]:
        """The source lines without their line ends."""
        return self.data.decode("utf-8", "replace").split("\n")


def _utf8(raw: bytes) -> bytes:
    """The source as UTF-8 with `\\n` line ends and no byte order mark."""
    if raw.startswith(b"\xef\xbb\xbf"):
        raw = raw[3:]
    name = next((found[1].decode() for line in raw.split(b"\n", 2)[:2] if (found := _COOKIE.match(line))), "utf-8")
    try:
        if name.lower().replace("_", "-") in ("utf-8", "utf8"):
            raw.decode("utf-8")
        else:
            raw = raw.decode(name).encode("utf-8")
    except (UnicodeDecodeError, LookupError) as error:
        raise Undecodable(f"not text in {name}: {error}") from error
    if b"\0" in raw:
        raise Undecodable("holds a NUL byte: not a text file")
    return raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in raw else raw


def _import_nodes(root: Node, data: bytes) -> list[Node]:
    """The import statements of the whole file, nested ones too, found by line so that unchanged bodies stay unread."""
    out: list[Node] = []
    for found in re.finditer(rb"^[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?import\b", data, re.MULTILINE):
        start = found.end() - 1
        node = root.descendant_for_byte_range(start, start)
        while node is not None and node.type not in ("import_statement", "import_from_statement"):
            node = node.parent
        if node is not None:
            out.append(node)
    return out


def _bind(node: Node, aliases: dict[str, str], prefixes: set[str]) -> None:
    module = node.child_by_field_name("module_name")
    if module is not None:
        prefixes.add(text_of(module).lstrip("."))
    for child in significant(node):
        if child == module or child.type not in ("dotted_name", "aliased_import"):
            continue
        imported = text_of(child.children[0]) if child.type == "aliased_import" else text_of(child)
        bound = text_of(child.children[-1]) if child.type == "aliased_import" else imported
        last = imported.rpartition(".")[2]
        if module is None or last[:1].islower():
            prefixes.add(bound)
            if module is None:
                prefixes.update(_parents(imported))
        if bound not in (imported, last):
            aliases[bound] = last


def _parents(dotted: str) -> list[str]:
    pieces = dotted.split(".")
    return [".".join(pieces[:end]) for end in range(1, len(pieces))]
