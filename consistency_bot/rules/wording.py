"""The words of a rules file's mistakes: what a place takes, what was found there, and whose place it is."""

from types import UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

import msgspec

from consistency_bot.rules.places import Path, Problem, Spot
from consistency_bot.rules.schema import Kind
from consistency_bot.visible import visible

_SECTIONS = {"twins": "twins", "rules": "rule", "patches": "patch", "smoke": "smoke job", "waivers": "waiver"}
_SCALAR_WORDS = {bool: "`true` or `false`", int: "a whole number", float: "a number", str: "a text"}
_FOUND = {"map": "a mapping", "seq": "a list", "null": "empty", "unknown": "something else"}
_SCALAR_NOUNS = {"int": "the number ", "float": "the number ", "timestamp": "the date "}
_LONGEST = 60
_MOST = 100
"""Words that a message lists."""

_COMPARED = 200
"""Words among which a likely one is looked for: a file may hold thousands of them, and of mistakes."""


def quoted(text: str) -> str:
    """A text from the file between backticks, printable and not too long."""
    short = text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
    return f"`{visible(short)}`"


def listed(words: list[str], last: str = "or") -> str:
    """`a`, `b` or `c`, or the first of many. Empty for no words."""
    ticked = [quoted(word) for word in words[:_MOST]]
    if len(words) > _MOST:
        ticked.append(f"one of {len(words) - _MOST} more")
    return f" {last} ".join([*([", ".join(ticked[:-1])] if ticked[:-1] else []), *ticked[-1:]])


def closest(word: str, words: list[str]) -> str:
    """` (did you mean `sides`?)` where one of `words` is near `word`, else nothing."""
    from difflib import get_close_matches  # 5 ms that only a mistake costs

    near = get_close_matches(word, words[:_COMPARED], 1)
    return f" (did you mean {quoted(near[0])}?)" if near else ""


def takes(type_: object) -> str:
    """What a place of this type takes, as a message ends: `it takes: …`."""
    if type_ in _SCALAR_WORDS and isinstance(type_, type):
        return _SCALAR_WORDS[type_]
    if isinstance(type_, type) and issubclass(type_, msgspec.Struct):
        return "a mapping with " + listed(list(type_.__struct_encode_fields__), "and")
    arguments = get_args(type_)
    origin = get_origin(type_)
    if origin is Annotated:
        kinds = [kind.takes for kind in arguments[1:] if isinstance(kind, Kind)]
        return kinds[0] if kinds else takes(arguments[0])
    if origin is Literal:
        return listed([str(value) for value in arguments])
    if origin is tuple:
        return "a list, each item " + takes(arguments[0])
    if origin is dict:
        return "a mapping, each value " + takes(arguments[1])
    if origin in (Union, UnionType):
        return _takes_any(arguments)
    return "nothing"


def _takes_any(members: tuple[object, ...]) -> str:
    given = [member for member in members if member is not type(None)]
    structs = [member for member in given if isinstance(member, type) and issubclass(member, msgspec.Struct)]
    if len(structs) > 1:
        return "a mapping with `id`, `check` and the check's own keys"
    lists = [member for member in given if get_origin(member) is tuple]
    single = [member for member in given if member not in lists]
    many = ["a list of these" if get_args(member)[0] in single else takes(member) for member in lists]
    return ", or ".join([*map(takes, single), *many])


def found(spot: Spot) -> str:
    """What stands at a place, as the end of "`why` is …"."""
    if spot.kind in _FOUND:
        return _FOUND[spot.kind]
    word = _SCALAR_NOUNS.get(spot.kind, "")
    return word + quoted(spot.text) if spot.text else "empty"


def named(path: Path) -> str:
    """A place inside its entry: "`sides.v2` item 3"; "the entry" for the whole of it."""
    inner = path[2:] if path and path[0] in _SECTIONS else path
    words = ""
    items = ""
    for part in inner:
        if isinstance(part, str):
            words += f"{items}.{part}" if words else part
            items = ""
        else:
            items += f" item {part + 1}"
    if not words:
        return f"`{path[0]}`" if len(path) == 1 else "the entry" if path else "the file"
    return quoted(words) + items


def located(problem: Problem, file: str, top: Spot | None) -> str:
    """`rules.yaml:14: rule startup-patches: …; it takes: …`."""
    subject = _subject(problem.path, top)
    ending = f"; it takes: {problem.takes}" if problem.takes else ""
    return f"{visible(file)}:{problem.line}: {subject}{visible(problem.what)}{ending}"


def _subject(path: Path, top: Spot | None) -> str:
    if len(path) < 2 or path[0] not in _SECTIONS or top is None:
        return ""
    word = _SECTIONS[str(path[0])]
    if isinstance(path[1], str):
        return f"{word} {visible(path[1])}: "
    section = top.keys.get(str(path[0]))
    entry = section.items[path[1]] if section is not None and path[1] < len(section.items) else None
    given = entry.keys.get("id") if entry is not None else None
    return f"{word} {visible(given.text)}: " if given is not None and given.text else f"{word} entry {path[1] + 1}: "
