"""A source file read once: its definitions, and the names that its imports bind. Only the outline is read at once."""

import re
from bisect import bisect_right
from functools import cached_property

from tree_sitter import Node, Tree

from consistency_bot.attempts import GivenUp
from consistency_bot.model import Comments
from consistency_bot.syntax.bindings import bind, import_nodes, names_in
from consistency_bot.syntax.definitions import Definition
from consistency_bot.syntax.nodes import line_of
from consistency_bot.syntax.parsing import parse, parse_like
from consistency_bot.syntax.rows import Readings
from consistency_bot.syntax.statements import FUNCTION_KINDS, BodyReader, undecorated
from consistency_bot.syntax.terms import text_of
from consistency_bot.syntax.text import utf8, words_of

_LONGEST_NAME = 1_000
"""Bytes of a name that is told in every message about what bears it."""

_MARGIN_COMMENT = re.compile(rb"^#[^\n]*", re.MULTILINE)


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
        return line_of(node)

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
    def imported(self) -> dict[str, str]:
        """{name: the dotted name it stands for} of every import of the file, those inside functions included."""
        from consistency_bot.syntax.imported import imports_of  # most files are not asked

        return {each.name: each.full for each in imports_of(self)}

    @cached_property
    def origins(self) -> dict[str, tuple[str, int]]:
        """{imported name: (module that it comes from, line)} of every `from … import`; names of several are left out."""
        found: dict[str, list[tuple[str, int]]] = {}
        for node in self.import_nodes:
            module = node.child_by_field_name("module_name")
            if module is not None:
                for name, _, place in names_in(node):
                    found.setdefault(name, []).append((text_of(module), line_of(place)))
        return {name: homes[0] for name, homes in found.items() if len({module for module, _ in homes}) == 1}

    @cached_property
    def import_nodes(self) -> list[Node]:
        """The import statements of the whole file, those inside functions included."""
        return import_nodes(self.root, self.data)

    @cached_property
    def lines(self) -> list[str]:
        """The source lines without their line ends."""
        return self.data.decode("utf-8", "replace").split("\n")
