"""Which files of a tree govern the versions that a piece of code meets: those in its folder, or in the nearest above."""

import posixpath
from collections.abc import Callable, Iterator

from consistency_bot.locks.blocks import read_lock, read_pylock
from consistency_bot.locks.names import PATTERNS
from consistency_bot.locks.projects import read_pyproject
from consistency_bot.locks.requirements import read_requirements
from consistency_bot.locks.values import Bound, Locked, Locks, Said, Unreadable
from consistency_bot.model import Tree
from consistency_bot.packages import normalised
from consistency_bot.paths import compile_pattern

Reader = Callable[[str, bytes, str], Iterator[Said]]

_READERS: dict[str, Reader] = {
    "uv.lock": read_lock,
    "poetry.lock": read_lock,
    "pylock.toml": read_pylock,
    "pylock.*.toml": read_pylock,
    "pyproject.toml": read_pyproject,
}
"""File name and reader, for each of `names.LOCKS`; pip's requirements, which lead to other files, stand apart."""

SaidBy = dict[tuple[str, str, bytes], tuple[Said, ...]]
"""{(package, path, bytes of the file): what it says}, for who asks more than once."""


def locks_around(tree: Tree, path: str, package: str, known: SaidBy | None = None) -> Locks:
    """What is known of the versions of `package` that the code at `path` meets.

    The nearest folder counts in which a file locks it, from that of `path` up to the root; where none does, the nearest
    with a bound; where there is none either, all files of the tree. Empty where no file names it. `known` is what other
    calls have read, and grows.
    """
    package = normalised(package)
    said_by = known if known is not None else {}
    found = Locks()
    for folder in _upwards(path):
        found = _joined(found, _read_all(tree, folder, package, said_by))
        if found.locked:
            return found
    return found if found.bounds or found.unreadable else _read_all(tree, "**/", package, said_by)


def _upwards(path: str) -> Iterator[str]:
    """The folder of a path and those above, each with a `/` behind it, the root as nothing."""
    folder = posixpath.dirname(path)
    while folder:
        yield f"{folder}/"
        folder = posixpath.dirname(folder)
    yield ""


def _read_all(tree: Tree, folder: str, package: str, known: SaidBy) -> Locks:
    """What all files of a folder say; `folder` begins their paths, and may be a pattern."""
    said: list[Said] = []
    seen: set[str] = set()
    for path in tree.find([folder + pattern for pattern in PATTERNS]):
        data = tree.read(path) if path not in seen else None
        if data is None:
            continue
        reader = _reader_of(path)
        if reader is None:
            said += read_requirements(path, data, package, tree.read, seen)
        else:
            seen.add(path)
            key = (package, path, data)
            if key not in known:
                known[key] = tuple(reader(path, data, package))
            said += known[key]
    return Locks(
        tuple(each for each in said if isinstance(each, Locked)),
        tuple(each for each in said if isinstance(each, Bound)),
        tuple(each for each in said if isinstance(each, Unreadable)),
        tuple(sorted(seen)),
    )


def _reader_of(path: str) -> Reader | None:
    name = posixpath.basename(path)
    return next((reader for pattern, reader in _READERS.items() if compile_pattern(pattern)(name)), None)


def _joined(nearer: Locks, farther: Locks) -> Locks:
    """Bounds of the nearer folder where it has some; all else of both."""
    return Locks(
        nearer.locked + farther.locked,
        nearer.bounds or farther.bounds,
        nearer.unreadable + farther.unreadable,
        nearer.looked_at + farther.looked_at,
    )
