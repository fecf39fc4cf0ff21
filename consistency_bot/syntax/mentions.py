"""Where a file names a function of another file: calls it, imports it, or hands it on."""

import posixpath
from collections.abc import Iterable, Iterator
from typing import Literal

import msgspec
from tree_sitter import Node

from consistency_bot.syntax.bindings import names_in
from consistency_bot.syntax.nodes import ancestors, line_of, qualname_at
from consistency_bot.syntax.occurrences import places_of
from consistency_bot.syntax.outline import Source
from consistency_bot.syntax.swallowing import Swallowed, swallowing_around
from consistency_bot.syntax.terms import text_of

_MOST = 1_000
"""Places in one file: to find the node of each takes as long as its line, or what the grammar could not read, is wide."""

Modules = tuple[tuple[str, ...], ...]


class Mention(msgspec.Struct, frozen=True):
    """One place that names the function. `function` is what stands around it, empty at module level.

    `swallowed` is the handler that would hide that the call failed. Lines count from 1.
    """

    kind: Literal["call", "import", "reference"]
    path: str
    line: int
    end_line: int
    function: str
    swallowed: Swallowed | None = None


class Wanted(msgspec.Struct, frozen=True):
    """The function that is looked for: its name, the class that it is a method of (empty: none), its file, and the
    modules from which it can be imported, each as its parts.
    """

    name: str
    owner: str
    path: str
    modules: Modules

    @classmethod
    def at(cls, path: str, symbol: str) -> "Wanted":
        """What `path.py::Class.name` means."""
        owner, _, name = symbol.rpartition(".")
        return cls(name, owner.rpartition(".")[2], path, (module_of(path),))


def module_of(path: str) -> tuple[str, ...]:
    """The dotted name of a file as parts, from the repository's root: `src/a/b.py` is src, a, b."""
    parts = path.removesuffix(".py").split("/")
    return tuple(parts[:-1] if parts[-1] == "__init__" else parts)


def find_mentions(source: Source, wanted: Wanted) -> list[Mention]:
    """Every mention in a file, in source order. What only has the same name, by what the file imports, is none.

    Of a file that says the name more often than anybody would, its first places are looked at.
    """
    names = _Names(source, wanted)
    found: list[Mention] = []
    for start, end in sorted(set(_places(source.data, {wanted.name, *names.bound})))[:_MOST]:
        node = source.root.descendant_for_byte_range(start, end)
        if node is not None and node.type == "identifier":
            kind = names.kind_of(node)
            if kind is not None:
                found.append(_mention(source.path, kind, node))
    return list(dict.fromkeys(found))


def _places(data: bytes, names: Iterable[str]) -> Iterator[tuple[int, int]]:
    """(first byte, the one behind the last) of each place where one of the names stands as a word."""
    for word in map(str.encode, names):
        yield from ((at, at + len(word)) for at in places_of(data, word))


def _mention(path: str, kind: Literal["call", "import", "reference"], node: Node) -> Mention:
    spoken = node
    if kind == "import":
        spoken = next((each for each in ancestors(node) if each.type.startswith("import_")), node)
    elif kind == "call":
        spoken = next((each for each in ancestors(node) if each.type == "call"), node)
    swallowed = swallowing_around(spoken) if kind == "call" else None
    return Mention(kind, path, line_of(spoken), spoken.end_point[0] + 1, qualname_at(spoken), swallowed)


class _Names:
    """What a file calls the function: `bound` are names of its own, `modules` those of modules that hold it."""

    def __init__(self, source: Source, wanted: Wanted) -> None:
        self._wanted = wanted
        self._is_home = source.path == wanted.path
        self._package = module_of(source.path)[: -1 if not source.path.endswith("__init__.py") else None]
        self.bound: set[str] = set()
        self._modules: set[str] = set()
        self._imports: set[int] = set()
        self._is_other = False  # whether the file takes the name from somewhere else
        for node in source.import_nodes:
            self._read_import(node)
        if self._is_home and not wanted.owner:
            self.bound.add(wanted.name)

    def kind_of(self, node: Node) -> Literal["call", "import", "reference"] | None:
        """What an identifier is to the function; None where it is nothing."""
        parent = node.parent
        statement = next((each for each in ancestors(node) if each.type in _IMPORTS), None)
        if statement is not None:
            return "import" if statement.id in self._imports and not self._wanted.owner else None
        if parent is None or self._is_inside(node):
            return None
        if parent.type == "attribute" and parent.child_by_field_name("attribute") == node:
            return _use(parent) if self._holds(parent.child_by_field_name("object"), node) else None
        if text_of(node) not in self.bound or _binds(parent, node):
            return None
        return _use(node)

    def _holds(self, base: Node | None, node: Node) -> bool:
        """Whether an attribute of `base` by the function's name is the function."""
        text = text_of(base) if base is not None else ""
        if text_of(node) != self._wanted.name:
            return False
        if self._wanted.owner:
            return text not in ("self", "cls", "super()") or self._is_home
        return text in self._modules

    def _is_inside(self, node: Node) -> bool:
        """Whether it stands in the function itself, or is its `def`."""
        full = ".".join(filter(None, (self._wanted.owner, self._wanted.name)))
        return self._is_home and f"{qualname_at(node)}.".startswith(f"{full}.")

    def _read_import(self, node: Node) -> None:
        module = node.child_by_field_name("module_name")
        if module is None:
            for dotted, alias in _imported(node):
                if self._is_home_module(tuple(dotted.split("."))):
                    self._modules.add(alias or dotted)
            return
        origin = self._absolute(text_of(module))
        is_home = self._is_home_module(origin)
        for name, alias in _imported(node):
            if name == "*" and is_home:
                self.bound.add(self._wanted.name)
            elif name == (self._wanted.owner or self._wanted.name):
                if is_home or self._leads_home(origin):
                    self.bound |= {alias or name} if not self._wanted.owner else set()
                    self._imports.add(node.id)
            elif self._is_home_module((*origin, name)):
                self._modules.add(alias or name)

    def _absolute(self, module: str) -> tuple[str, ...]:
        """The parts of a module's name; those of a relative one from the root."""
        dots = len(module) - len(module.lstrip("."))
        parts = tuple(filter(None, module[dots:].split(".")))
        if not dots:
            return parts
        return (*self._package[: len(self._package) - dots + 1], *parts)

    def _is_home_module(self, parts: tuple[str, ...]) -> bool:
        """Whether a module by this name can be one of the function's: source folders are left out of names."""
        return bool(parts) and any(home[-len(parts) :] == parts for home in self._wanted.modules)

    def _leads_home(self, parts: tuple[str, ...]) -> bool:
        """Whether it is a package around one of them, which may hand the function on."""
        return not parts or any(
            home[at : at + len(parts)] == parts
            for home in self._wanted.modules
            for at in range(len(home) - len(parts) + 1)
        )


_IMPORTS = frozenset({"import_statement", "import_from_statement"})


def _imported(node: Node) -> Iterator[tuple[str, str]]:
    """(name, alias or nothing) of everything that an import statement takes; `*` for all."""
    if any(child.type == "wildcard_import" for child in node.children):
        yield "*", ""
    yield from ((name, alias) for name, alias, _ in names_in(node))


def _use(node: Node) -> Literal["call", "reference"]:
    parent = node.parent
    is_called = parent is not None and parent.type == "call" and parent.child_by_field_name("function") == node
    return "call" if is_called else "reference"


def _binds(parent: Node, node: Node) -> bool:
    """Whether the name is not read here: a parameter, a keyword, the name of a definition."""
    if parent.type in ("parameters", "lambda_parameters", "default_parameter", "typed_parameter"):
        return parent.child_by_field_name("value") != node
    return parent.child_by_field_name("name") == node


def importing_module(path: str, mentions: list[Mention]) -> tuple[str, ...] | None:
    """The module that hands the function on, as its file imports it at its top; None where it does not."""
    if any(each.kind == "import" and not each.function for each in mentions):
        return module_of(path)
    return None


def is_test(path: str) -> bool:
    """Whether a file holds tests, by the names that everybody uses."""
    name = posixpath.basename(path)
    folders = path.split("/")[:-1]
    return name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py" or "tests" in folders
