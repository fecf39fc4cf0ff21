"""`{captures}`: one entry of the rules that stands for one pair of twins for each name.

`sides: {blocking: "redis/{name}.py", async: "redis/asyncio/{name}.py"}` makes `clients[client]`, `clients[connection]`
and so on, one for each name that is there on either side at base or at head. A pair that the
change leaves alone is not judged, so nothing is listed to find them: the paths that changed are matched against the
patterns, and the other sides' files are looked up by the names found.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from consistency_bot.changed import Changed
from consistency_bot.model import Change, Side, Tree, Twins
from consistency_bot.paths import (
    captures_as_wildcards,
    captures_in,
    compile_captures,
    compile_pattern,
    fill_captures,
    split_symbol,
)

_Values = tuple[tuple[str, str], ...]
"""What each capture stands for: (name, value), in the order in which the entry has them."""


def pairs_of(twins: Twins, change: Change, changed: Changed) -> Iterator[Twins]:
    """The pairs that an entry with captures has in this change, by name; the entry itself where it has no captures.

    A pair is not given where all of it went on under another name: then it is the pair of that name.
    """
    patterns = [(side, split_symbol(pattern)[0]) for side in twins.sides for pattern in side.patterns]
    readers = [(side.name, path) for side, path in patterns if captures_in(path)]
    if not readers:
        yield twins
        return
    names = _names(readers, changed.paths)
    every = {values for found in names.values() for values in found.values()}
    shared = [compile_pattern(path) for _, path in patterns if not captures_in(path)]
    if any(matches(path) for matches in shared for path in changed.paths):
        every |= set(_all_names(readers, change))
    goes_on = dict(_goes_on(names, changed))
    for values in sorted(every):
        pair = _resolved(twins, values, change)
        onward = goes_on.get(values)
        if onward is None or not _is_replaced(pair, _resolved(twins, onward, change), change):
            yield pair


def _names(readers: Sequence[tuple[str, str]], paths: Iterable[str]) -> dict[str, dict[str, _Values]]:
    """{path: {side: what the captures stand for}} of the paths that match; `readers` are sides and their patterns."""
    order = list(dict.fromkeys(name for _, pattern in readers for name in captures_in(pattern)))
    out: dict[str, dict[str, _Values]] = {}
    for side, pattern in readers:
        prefix, expression = compile_captures(pattern)
        for path in paths:
            if path.startswith(prefix) and (found := expression.fullmatch(path)):
                out.setdefault(path, {})[side] = tuple((name, found[name]) for name in order)
    return out


def _all_names(readers: Sequence[tuple[str, str]], change: Change) -> Iterator[_Values]:
    """Every name at base or head: a file that all pairs share has changed. The only case in which a folder is listed."""
    wildcards = [captures_as_wildcards(pattern) for _, pattern in readers]
    for tree in (change.base, change.head):
        for found in _names(readers, tree.find(wildcards)).values():
            yield from found.values()


def _goes_on(names: dict[str, dict[str, _Values]], changed: Changed) -> Iterator[tuple[_Values, _Values]]:
    """(old, new) for each file that was renamed so that its side now has it under another name."""
    for old, new in changed.now.items():
        for side, values in names.get(old, {}).items():
            onward = names.get(new, {}).get(side)
            if onward is not None and onward != values:
                yield values, onward


def _is_replaced(old: Twins, new: Twins, change: Change) -> bool:
    """Whether nothing of the old name is left at head, and each side that it had is there under the new one."""
    if any(_is_there(side, change.head) for side in old.sides):
        return False
    sides = zip(old.sides, new.sides, strict=True)
    return all(_is_there(after, change.head) for before, after in sides if _is_there(before, change.base))


def _is_there(side: Side, tree: Tree) -> bool:
    return bool(tree.find([split_symbol(pattern)[0] for pattern in side.patterns]))


def _resolved(twins: Twins, values: _Values, change: Change) -> Twins:
    """The pair of these names."""
    said = ",".join(value for _, value in values)
    sides = tuple(_resolved_side(side, dict(values), change) for side in twins.sides)
    return replace(twins, id=f"{twins.id}[{said}]", sides=sides, captured=values)


def _resolved_side(side: Side, values: dict[str, str], change: Change) -> Side:
    """The side of these names. Files that all pairs share do not make up a side that has none of its own."""
    own = Side(side.name, tuple(fill_captures(pattern, values) for pattern in side.patterns if captures_in(pattern)))
    if len(own.patterns) == len(side.patterns) or not (_is_there(own, change.base) or _is_there(own, change.head)):
        return own
    return Side(side.name, tuple(fill_captures(pattern, values) for pattern in side.patterns))
