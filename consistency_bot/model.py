"""The values that travel between the layers: frozen, without behaviour beyond small questions about themselves.

They are msgspec structs, not dataclasses: the rules file is decoded by msgspec anyway, and `dataclasses` alone would
add its import (about 10 ms of CPU) to every run.
"""

from collections.abc import Sequence
from datetime import date
from typing import Literal, Protocol

import msgspec

from consistency_bot.jobs import Job, Option

Verdict = Literal["missed", "diverged", "one_sided", "repaired", "standing", "broken", "unknown", "undecided"]
Conclusion = Literal["in_step", "drift", "unknown"]
Mode = Literal["block", "warn", "off"]
Comments = Literal["ignore", "compare"]
RulesFrom = Literal["base", "head", "worktree", "file"]

BLOCKING: frozenset[Verdict] = frozenset({"missed", "diverged", "broken", "unknown"})
"""Verdicts that block where `mode` is `block` (docs/verdicts.md)."""

DRIFT: frozenset[Verdict] = frozenset({"missed", "diverged", "broken"})
"""Blocking verdicts that are drift; `unknown` blocks too but says that nothing could be read."""


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


PLAIN_FILE = "100644"
FILES = frozenset({PLAIN_FILE, "100755", "100664"})
"""Modes of regular files; 100664 was written by the first versions of git."""

FOLDER = "40000"
SYMBOLIC_LINK = "120000"
SUBMODULE = "160000"


class Entry(msgspec.Struct, frozen=True):
    """What stands at a path: git's mode, and the object's id ("" where only the working tree has the content)."""

    mode: str
    id: str

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file: no folder, no symbolic link, no submodule."""
        return self.mode in FILES

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of this repository."""
        return self.mode == FOLDER

    @property
    def is_submodule(self) -> bool:
        """Whether it points to a commit of another repository, which `id` names."""
        return self.mode == SUBMODULE


class Files(Protocol):
    """Files by their path. Read only; nothing in them is ever executed."""

    def read(self, path: str) -> bytes | None:
        """The file's bytes; None where there is no regular file at that path (a folder, a submodule, nothing)."""


class Tree(Files, Protocol):
    """What a revision, the index or the working tree holds."""

    def holding(self, words: Sequence[str], pattern: str) -> list[str]:
        """Sorted paths of regular files that match the pattern and hold one of the words, each a word of its own."""

    def find(self, patterns: Sequence[str]) -> list[str]:
        """Sorted paths of regular files that match any pattern; a pattern without a wildcard matches itself alone."""

    def entry(self, path: str) -> Entry | None:
        """What stands at the path, whatever it is: a file, a folder, a symbolic link, a submodule; None for nothing."""


class ChangedPath(msgspec.Struct, frozen=True):
    """One path that differs between base and head. `old` or `new` is None where the file is added or deleted."""

    old: str | None
    new: str | None


class Change(msgspec.Struct, frozen=True):
    """What is to be judged: the merge base, the head, and the paths in which they differ (renames followed).

    `base_name` is a full commit id. `head_name` is one too, or `WORKTREE`, or `INDEX`. `working_tree` holds the files
    on the disk, ignored ones among them, where head is not a commit: the rules of such a head are read there.
    `message` is that of the one commit that the change is; None where it is several, none, or not known.
    """

    base_name: str
    head_name: str
    base: Tree
    head: Tree
    paths: tuple[ChangedPath, ...]
    working_tree: Files | None = None
    message: bytes | None = None


class Place(msgspec.Struct, frozen=True):
    """Where something stands. Lines count from 1; an insertion point has `end_line` = `line` - 1.

    `function` is the qualified name of the function or class around it, None at module level.
    """

    side: str
    path: str
    line: int
    end_line: int
    function: str | None = None


class Touch(msgspec.Struct, frozen=True):
    """A commit that changed certain lines: its full id, the day as `2026-01-31`, and its pull request where it names one."""

    commit: str
    day: str
    pull: int | None = None


class Port(msgspec.Struct, frozen=True):
    """The edit on the other side that would restore agreement: a unified diff against head, which `git apply` takes.

    `why` says why somebody should look at it before it is made; it is empty where it is safe. Bytes of a file that are
    not UTF-8 are surrogate escapes in `diff`.
    """

    path: str
    diff: str
    safety: Literal["safe", "needs_review"]
    why: str = ""


class Waived(msgspec.Struct, frozen=True):
    """Why a finding does not block: somebody's acknowledgement. `by` is empty where nobody is named.

    `path` and `line` are where it stands, in the code or in the rules file. `added_by_head` tells one that the change
    itself brings along; `would_block` is what `blocks` would be without it, so that it can be taken back.
    """

    source: Literal["comment", "trailer", "code", "rules"]
    by: str
    reason: str
    path: str | None = None
    line: int | None = None
    added_by_head: bool = False
    would_block: bool = False


class Table(msgspec.Struct, frozen=True):
    """What sides do, side by side: the names of the columns, the rows below them, all of it text.

    `marked` are the cells, as (row, column) counted from 0, that differ or break the rule.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    marked: tuple[tuple[int, int], ...] = ()


class Finding(msgspec.Struct, frozen=True):
    """One judged disagreement or breach, with both places. The fields are the JSON report's, version 1.

    `table` is there only where a rule compares tables, `also` (the other places of the same cause, where it has several)
    and `port_declined` (why no port can be made) only with `missed`.
    """

    rule: str
    twins: str | None
    verdict: Verdict
    blocks: bool
    fingerprint: str
    concept: str
    message: str
    changed: Place | None
    counterpart: Place | None
    port: Port | None = None
    waived: Waived | None = None
    table: Table | msgspec.UnsetType = msgspec.UNSET
    also: tuple[Place, ...] | msgspec.UnsetType = msgspec.UNSET
    port_declined: str | msgspec.UnsetType = msgspec.UNSET


class UnitsChanged(msgspec.Struct, frozen=True):
    """How many units of one side the change added, changed and removed; a unit changed is counted in neither other."""

    added: int
    changed: int
    removed: int


class TwinsChecked(msgspec.Struct, frozen=True, omit_defaults=True):
    """Twins that the change touches: the head's paths of every side and the names of the sides that moved.

    `units` and `agreeing` are counted with `--all` only: how many units the sides have at head, and how many agree.
    `changes` has one entry for each side that moved and could be read. `why` and `mode` are those of the rules file.
    """

    id: str
    sides: dict[str, tuple[str, ...]]
    modified: tuple[str, ...]
    units: int | None = None
    agreeing: int | None = None
    changes: dict[str, UnitsChanged] = msgspec.field(default_factory=dict)
    why: str = ""
    mode: Mode = "block"


class RuleChecked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A declared rule that was asked of its twins, or a patch that was looked at: of no twins, `check` is `patch`.

    `standing` counts the breaches from before the change and `undecided` the doubts from before it: findings with
    `--all` only. `unasked` says why the sides could not be asked, and is empty where they were.
    """

    id: str
    twins: str | None
    check: str
    why: str = ""
    mode: Mode = "block"
    standing: int = 0
    undecided: int = 0
    unasked: str = ""


class SmokeRequest(msgspec.Struct, frozen=True):
    """A smoke job that the change asks for, and why."""

    job: str
    reason: str


class NotTaken(msgspec.Struct, frozen=True):
    """An acknowledgement that counts for nothing. `why` is the end of a sentence in words of ours.

    `finding` is what it names, anybody's text; `path` and `line` are where it stands, None for a comment's or a commit's.
    """

    finding: str
    source: Literal["comment", "trailer", "code", "rules"]
    by: str
    reason: str
    why: str
    path: str | None = None
    line: int | None = None


class Report(msgspec.Struct, frozen=True):
    """The JSON report, version 1 (docs/report.md): a contract, additive changes only."""

    version: int
    tool: str
    base: str
    head: str
    rules: RulesSource
    conclusion: Conclusion
    findings: tuple[Finding, ...]
    twins_checked: tuple[TwinsChecked, ...]
    smoke: tuple[SmokeRequest, ...] = ()
    rules_checked: tuple[RuleChecked, ...] = ()
    acknowledgements_not_taken: tuple[NotTaken, ...] = ()
