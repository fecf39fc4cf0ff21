"""Where names come from: both sides took one from the same module, and now one of them takes it from another."""

from collections.abc import Iterator, Mapping, Sequence

from consistency_bot.align.name_parts import parts_of_path
from consistency_bot.judge.notices import Notice
from consistency_bot.judge.quads import SideVersions
from consistency_bot.model import Place
from consistency_bot.syntax import Definition, Source

_HOMES_OF_TYPES = frozenset({"typing", "typing_extensions", "collections.abc", "__future__"})
"""Modules that offer the same names; what is a type only does nothing at run time."""

_LISTED = 8
"""Names that a message lists."""

_Origins = Mapping[str, tuple[str, int]]


def rehomed_of(a: SideVersions, b: SideVersions, pairs: Mapping[Definition, Definition]) -> Iterator[Notice]:
    """What moved, file by file: one for the names that one side now takes from another module. `pairs` are the definitions of both sides at base that play one part."""
    for left, right in pairs.items():
        left_head, right_head = a.own.pairs.get(left), b.own.pairs.get(right)
        if left.kind == "module" and left_head is not None and right_head is not None:
            here, there = (left.source, left_head.source), (right.source, right_head.source)
            if any(base.data != head.data for base, head in (here, there)):
                yield from _between(a.name, b.name, here, there)


def _between(a: str, b: str, here: tuple[Source, Source], there: tuple[Source, Source]) -> Iterator[Notice]:
    a0, a1, b0, b1 = (source.origins for source in (*here, *there))
    found: dict[tuple[str, str, str], tuple[Place, Place, list[str]]] = {}
    for name in sorted(a0.keys() & a1.keys() & b0.keys() & b1.keys()):
        old = a0[name][0]
        if old != b0[name][0] or (a1[name][0] == old) == (b1[name][0] == old):
            continue  # never one module, or both moved, each as it saw fit
        has_left_moved = b1[name][0] == old
        mine, theirs = ((a, here[1], a1), (b, there[1], b1))[:: 1 if has_left_moved else -1]
        before, after = here if has_left_moved else there
        new = mine[2][name][0]
        if (
            not is_told_otherwise(old, before.path, new, after.path)
            and is_another(old, new)
            and not is_of_its_own_half(old, new, here[1].path, there[1].path)
        ):
            places = (_at(*mine, name), _at(*theirs, name))
            found.setdefault((mine[0], old, new), (*places, []))[2].append(name)
    for (_, old, new), (changed, counterpart, names) in found.items():
        yield _told(changed, counterpart, old, new, names)


def _told(here: Place, there: Place, old: str, new: str, every: Sequence[str]) -> Notice:
    """`every` name is one of those that moved, in order; there is one at least."""
    names = ", ".join(f"`{name}`" for name in every[:_LISTED])
    if len(every) > _LISTED:
        names += f" and {len(every) - _LISTED} more names"
    message = (
        f"{here.side} no longer imports {names} from `{old}` but from `{new}` ({here.path}:{here.line}); "
        f"{there.side} still imports {'it' if len(every) == 1 else 'them'} from there ({there.path}:{there.line})."
    )
    return Notice("missed", "import", ("from", old, new, *every), here, there, message)


def _at(side: str, source: Source, origins: _Origins, name: str) -> Place:
    line = origins[name][1]
    return Place(side, source.path, line, line)


def is_told_otherwise(old: str, before: str, new: str, after: str) -> bool:
    """Whether two names of modules, each told in the file at its path, are one: one may be relative, the other not."""
    return _is_one_module(_resolved(old, before), _resolved(new, after))


def _resolved(module: str, path: str) -> tuple[list[str], bool]:
    """(the module's names from the repository's root on, whether it was told relative to the file at `path`)."""
    name = module.lstrip(".")
    level = len(module) - len(name)
    names = name.split(".") if name else []
    if not level:
        return names, False
    folders = path.split("/")[:-level]  # one dot is the folder of the file itself
    return [*folders, *names], True


def _is_one_module(one: tuple[list[str], bool], other: tuple[list[str], bool]) -> bool:
    """Whether both name one module. Where one was relative, the other may begin below a folder such as `src`."""
    (names, is_relative), (others, is_other_relative) = one, other
    if is_relative == is_other_relative:
        return names == others
    longer, shorter = (names, others) if is_relative else (others, names)
    return longer[-len(shorter) :] == shorter


def is_of_its_own_half(old: str, new: str, path: str, other: str) -> bool:
    """Whether two modules are told apart by what tells the two sides' files apart: each side then takes its own."""
    own = {frozenset(each) for each in parts_of_path(path.split("/"), other.split("/"))}
    return not own.isdisjoint(map(frozenset, parts_of_path(old.split("."), new.split("."))))


def is_another(old: str, new: str) -> bool:
    """Whether the modules are two: a package and a module in it offer one thing, and so do the homes of types."""
    is_inside = new.startswith(old + ".") or old.startswith(new + ".")
    return not is_inside and not {old, new} <= _HOMES_OF_TYPES
