"""What files say about the versions of one package."""

import msgspec


class Locked(msgspec.Struct, frozen=True):
    """One version that a file locks. `marker` says for which machines, in the file's own words; empty for all.

    `line` counts from 1. `version` is as written: PEP 440, but nobody has looked.
    """

    path: str
    line: int
    version: str
    marker: str = ""


class Bound(msgspec.Struct, frozen=True):
    """The versions that a file allows, as a PEP 440 specifier; an empty one allows all."""

    path: str
    line: int
    specifier: str
    marker: str = ""


class Unreadable(msgspec.Struct, frozen=True):
    """A place that concerns the package, or might, and cannot be read. `reason` ends a sentence that begins with it."""

    path: str
    line: int
    reason: str


Said = Locked | Bound | Unreadable


class Locks(msgspec.Struct, frozen=True):
    """All that was found about one package. `looked_at` are the files that were read, whether or not they name it."""

    locked: tuple[Locked, ...] = ()
    bounds: tuple[Bound, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    looked_at: tuple[str, ...] = ()
