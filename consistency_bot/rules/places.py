"""A YAML text as plain values that still know their lines.

The decoder works on these, so that every mistake can name its line and nothing but this module knows PyYAML.
"""

import msgspec
import yaml

LARGEST = 1_000_000
"""Characters that a rules file may have. Real ones have a few thousand."""

MOST_VALUES = 50_000
"""Values that a rules file may have once its aliases are written out; a "billion laughs" file stops here."""

DEEPEST = 12
"""Collections inside one another; the schema needs six, and an alias inside itself stops here."""

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_SCALARS = {"str", "int", "float", "bool", "null", "timestamp"}

Path = tuple[str | int, ...]
"""How to get from the top of the file to a value: keys, and positions in lists counted from 0."""


class Problem(msgspec.Struct, frozen=True):
    """One mistake: where it stands, what is wrong, and what the place takes instead (empty: nothing to say)."""

    line: int
    what: str
    takes: str = ""
    path: Path = ()


class Spot(msgspec.Struct, frozen=True):
    """One value and its line, counted from 1.

    `kind` is `map`, `seq`, or a scalar's YAML type (`str`, `int`, `float`, `bool`, `null`, `timestamp`). `text` is the
    scalar as written, without its quotes; `keys` are a mapping's values, `items` a list's.
    """

    line: int
    kind: str
    text: str = ""
    keys: dict[str, "Spot"] = {}
    items: tuple["Spot", ...] = ()

    def get(self, key: str) -> "Spot":
        """What stands under a key of a mapping; an empty value on line 0 where there is no such key."""
        return self.keys.get(key, _NOTHING)


_NOTHING = Spot(0, "null")


class _Stop(Exception):
    """Reading further makes no sense; the argument is the problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem


def read_spots(data: bytes) -> tuple[Spot | None, list[Problem]]:
    """What a YAML file says, and its mistakes as YAML. None, with at least one problem, where it says nothing."""
    reading = _Reading()
    try:
        node = _compose(_decode(data))
        return reading.spot(node, (), node.start_mark.line + 1), reading.problems
    except _Stop as stop:
        return None, [*reading.problems, stop.problem]


def _decode(data: bytes) -> str:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        found = f"byte 0x{data[error.start]:02x}"
        raise _Stop(Problem(line, f"the file is not UTF-8 ({found})", "a YAML file in UTF-8")) from None
    if len(text) > LARGEST:
        raise _Stop(Problem(1, f"the file has {len(text)} characters", f"at most {LARGEST}"))
    return text


def _compose(text: str) -> yaml.Node:
    try:
        node = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        said = ", ".join(part for part in (error.context, error.problem) if part)
        if mark is not None and any(line.startswith("\t") for line in text.split("\n")[mark.line : mark.line + 1]):
            said += " (a tab; YAML indents with spaces)"
        raise _Stop(Problem(mark.line + 1 if mark else 1, f"not YAML: {said}")) from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise _Stop(Problem(line, f"not YAML: {error.reason}")) from None
    except (yaml.YAMLError, RecursionError) as error:
        raise _Stop(Problem(1, f"not YAML: {error}")) from None
    if node is None:
        raise _Stop(Problem(1, "the file is empty", "`version: 1` and `twins`"))
    return node


class _Reading:
    """One pass over the nodes of a file: how many values it has met, and the mistakes."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.values = 0

    def spot(self, node: yaml.Node, path: Path, line: int) -> Spot:
        """The node's value; `line` is where a person would look for it, the key's line for a collection."""
        self.values += 1
        if self.values > MOST_VALUES:
            raise _Stop(Problem(line, f"more than {MOST_VALUES} values once aliases are written out"))
        if len(path) > DEEPEST:
            raise _Stop(Problem(line, f"more than {DEEPEST} lists and mappings inside one another"))
        kind = node.tag.removeprefix("tag:yaml.org,2002:")
        if isinstance(node, yaml.MappingNode) and kind == "map":
            return Spot(line, "map", keys=self._keys(node, path))
        if isinstance(node, yaml.SequenceNode) and kind == "seq":
            items = enumerate(node.value)
            return Spot(line, "seq", items=tuple(self.spot(item, (*path, at), _line(item)) for at, item in items))
        if isinstance(node, yaml.ScalarNode) and kind in _SCALARS:
            return Spot(_line(node), kind, node.value)
        self.problems.append(Problem(line, f"the tag `{node.tag}`", "values without a tag", path))
        return Spot(line, "unknown")

    def _keys(self, node: yaml.MappingNode, path: Path) -> dict[str, Spot]:
        keys: dict[str, Spot] = {}
        lines: dict[str, int] = {}
        for key, value in node.value:
            line = _line(key)
            if not isinstance(key, yaml.ScalarNode):
                self.problems.append(Problem(line, "a key is a list or a mapping", "one word as key", path))
            elif key.tag.endswith(":merge"):
                self.problems.append(Problem(line, "the merge key `<<`", "the keys written out", path))
            elif key.value in keys:
                first = lines[key.value]
                self.problems.append(Problem(line, f"`{key.value}` is there twice (first in line {first})", path=path))
            else:
                lines[key.value] = line
                keys[key.value] = self.spot(value, (*path, key.value), line)
        return keys


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
