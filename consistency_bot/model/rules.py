"""What a rules file declares: twins, rules, patches, waivers."""

from datetime import date
from typing import Literal

import msgspec

from consistency_bot.jobs import Job, Option

Mode = Literal["block", "warn", "off"]
Comments = Literal["ignore", "compare"]
RulesFrom = Literal["base", "head", "worktree", "file"]


class Side(msgspec.Struct, frozen=True):
    """One member of twins: a name and the files that make it up, the main file first.

    `patterns` are repository-relative paths; `*` stays inside one folder, `**` does not; `::Symbol` after a path means
    that class or function alone, and `{name}` in a path stands for a part of a name (see `captures`). Never empty.
    """

    name: str
    patterns: tuple[str, ...]


class Twins(msgspec.Struct, frozen=True):
    """A named group of two or more sides that implement one thing.

    `same` holds groups of names that are one name. `line` is where the entry starts in the rules file, counted from 1.
    `captured` says, for one pair of an entry with captures, what each of them stands for here; empty for all others.
    `expires` is the last day on which the entry counts without a reminder. `frozen` is the side that takes no more
    changes, `retired` the one that must not come back; at most one is given.
    """

    id: str
    sides: tuple[Side, ...]
    why: str = ""
    same: tuple[tuple[str, ...], ...] = ()
    mode: Mode = "block"
    line: int = 0
    comments: Comments = "ignore"
    expires: date | None = None
    captured: tuple[tuple[str, str], ...] = ()
    frozen: str = ""
    retired: str = ""

    @property
    def entry(self) -> str:
        """The id of the entry in the rules file: `clients` for its pair `clients[pool]`."""
        return self.id.removesuffix(f"[{','.join(value for _, value in self.captured)}]")

    def has_ended(self, side: str) -> bool:
        """Whether a side is frozen or retired: then nothing is owed to it, and it is held against nothing."""
        return bool(side) and side in (self.frozen, self.retired)


class RuleKeys(msgspec.Struct, frozen=True, omit_defaults=True):
    """The keys of a declared rule that its kind alone understands, under the names that they have in the rules file.

    One text and a list of one are the same here. A key that was not given is empty.
    """

    names: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    in_: tuple[str, ...] = ()
    forbid: dict[str, str] = {}
    require: dict[str, str] = {}
    arguments: tuple[str, ...] = ()
    refuse: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    public: bool | tuple[str, ...] = True
    pattern: str = ""
    regex: str = ""
    absent: bool = False
    any_of: tuple[str, ...] = ()
    files: dict[str, tuple[str, ...]] = {}
    match: tuple[str, ...] = ()


class Rule(msgspec.Struct, frozen=True):
    """Something that must hold on every side of the twins called `twins`, whoever changed what.

    `check` is its kind, `keys` what that kind is told. `only` is {side: {what it alone does: reason}}, and counts until
    the day `expires` is over. `atoms` are the rules file's: {name of a condition: its spellings}. `line` is where the
    entry starts in the rules file. `smoke` names the jobs that show on real hardware whether the rule is true.
    """

    id: str
    twins: str | None
    check: str
    keys: RuleKeys = RuleKeys()
    why: str = ""
    mode: Mode = "block"
    only: dict[str, dict[str, str]] = {}
    expires: date | None = None
    atoms: dict[str, tuple[str, ...]] = {}
    line: int = 0
    smoke: tuple[str, ...] = ()


class RulesSource(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    """Which rules file was used: its path, where it was read, and whether head changes it."""

    path: str
    from_: RulesFrom
    changed_by_head: bool = False


class Waiver(msgspec.Struct, frozen=True):
    """An entry of the rules file's `waivers`: a reason why certain findings do not block.

    Either `finding` is given, the first digits of a fingerprint, or `name` and `where`: a rule, twins or a concept, and
    a path (which may have wildcards) or `path::Qualified.name`. `expires` is the last day on which it counts.
    """

    reason: str
    finding: str = ""
    name: str = ""
    where: str = ""
    by: str = ""
    expires: date | None = None
    line: int = 0
    added_by_head: bool = False


class Patch(msgspec.Struct, frozen=True):
    """A monkey-patch with a life: the function `symbol` in the file `path`, for the versions that `needed` has.

    `needed` is a package and a PEP 440 specifier. `line` is where the entry starts in the rules file;
    `dropped_by_head` tells that the head's rules file has the entry no more. `probe` is what fails without the patch, a
    probe's name and its options; `smoke` names the jobs that meet the patch.
    """

    id: str
    path: str
    symbol: str
    needed: str
    upstream: str = ""
    test: str = ""
    mode: Mode = "warn"
    expires: date | None = None
    line: int = 0
    dropped_by_head: bool = False
    probe: dict[str, Option] = {}
    smoke: tuple[str, ...] = ()


class NamedAtom(msgspec.Struct, frozen=True):
    """A name of the rules file's `atoms`, and the ways in which code spells that condition."""

    name: str
    spellings: tuple[str, ...]
    line: int = 0


class Rules(msgspec.Struct, frozen=True):
    """A decoded rules file without mistakes.

    `notes` are sentences for people about the choice of the file: that head's was used, or what head's would change.
    `jobs` are smoke jobs, never those of a pull request's own head. `edited` are entries that head's own file changes or
    takes away, as `rule X`, `patch X` and `smoke job X`.
    """

    twins: tuple[Twins, ...]
    source: RulesSource
    notes: tuple[str, ...] = ()
    waivers: tuple[Waiver, ...] = ()
    declared: tuple[Rule, ...] = ()
    patches: tuple[Patch, ...] = ()
    jobs: tuple[Job, ...] = ()
    edited: frozenset[str] = frozenset()
    atoms: tuple[NamedAtom, ...] = ()
