"""The import statements of a file, and the names that they bind."""

import re
from collections.abc import Iterator

from tree_sitter import Node

from consistency_bot.syntax.terms import significant, text_of

_IMPORT = re.compile(rb"import\b")
_BEFORE_IMPORT = re.compile(rb"[ \t]*(?:from[ \t]+[\w.]+[ \t]+)?")

_IS_GIVEN = re.compile(rb"[ \t]*(?:=(?!=)|:)|[ \t]+in\b")
_GOES_ON = re.compile(rb"[\w.]")
_PARTED = bytes(each if each > 127 or chr(each).isalnum() or each == ord("_") else ord(" ") for each in range(256))
"""Every byte that stands in no name, as a space."""

_BLURRED = bytes.maketrans(b"\t=:", b"   ")
"""Makes one of all that can follow a name which is given a value."""

_GIVES = frozenset({"assignment", "for_statement", "for_in_clause"})
_TARGETS = frozenset({"as_pattern_target", "pattern_list"})

_LONGEST = 2_000
"""Bytes before `import` on its line; what stands further right on a longer line begins no statement."""


def import_nodes(root: Node, data: bytes) -> list[Node]:
    """The import statements of the whole file, nested ones too, found by line so that unchanged bodies stay unread."""
    out: list[Node] = []
    for found in _IMPORT.finditer(data):
        nearest = max(0, found.start() - _LONGEST)
        line = data.rfind(b"\n", nearest, found.start()) + 1
        if (nearest and not line) or not _BEFORE_IMPORT.fullmatch(data, line, found.start()):
            continue
        start = found.end() - 1
        node = root.descendant_for_byte_range(start, start)
        while node is not None and node.type not in ("import_statement", "import_from_statement"):
            node = node.parent
        if node is not None:
            out.append(node)
    return out


def names_in(node: Node) -> Iterator[tuple[str, str, Node]]:
    """(name, what `as` calls it or nothing, where) of everything that an import statement takes by its name."""
    module = node.child_by_field_name("module_name")
    for child in significant(node):
        if child.type == "aliased_import":
            yield text_of(child.children[0]), text_of(child.children[-1]), child
        elif child.type == "dotted_name" and child != module:
            yield text_of(child), "", child


def bind(node: Node, aliases: dict[str, str], prefixes: set[str]) -> None:
    """Adds what an import statement binds: names that stand for another one, and names of modules.

    Only what it binds: `from torch.nn import functional as F` says nothing of the name `torch`.
    """
    module = node.child_by_field_name("module_name")
    for name, alias, _ in names_in(node):
        last = name.rpartition(".")[2]
        if module is None or last[:1].islower():
            prefixes.add(alias or name.partition(".")[0])
        if alias and alias != last:
            aliases[alias] = last


def given_in(function: Node, text: bytes, names: frozenset[bytes]) -> frozenset[str]:
    """Those of the names to which a function gives a value itself: by `=`, as a loop variable or after `as`."""
    out: set[str] = set()
    blurred = b""
    for word in names.intersection(text.translate(_PARTED).split()):
        blurred = blurred or text.translate(_BLURRED)
        if blurred.find(word + b" ") < 0:
            continue  # as nearly everywhere: what follows looks at every place
        at = text.find(word)
        while at >= 0:
            end = at + len(word)
            is_given = _IS_GIVEN.match(text, end) is not None and _GOES_ON.match(text, max(at - 1, 0), at) is None
            if is_given and _is_target(function, function.start_byte + at):
                out.add(word.decode())
                break
            at = text.find(word, end)
    return frozenset(out)


def _is_target(function: Node, start: int) -> bool:
    node = function.descendant_for_byte_range(start, start)
    around = node.parent if node is not None else None
    if node is None or around is None or node.type != "identifier":
        return False
    return around.type in _TARGETS or (around.type in _GIVES and around.child_by_field_name("left") == node)
