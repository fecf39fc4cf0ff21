"""What came out: the JSON report, version 1, and everything in it."""

from typing import Literal

import msgspec

from consistency_bot.model.rules import Mode, RulesSource

Verdict = Literal["missed", "diverged", "one_sided", "repaired", "standing", "broken", "unknown", "undecided"]
Conclusion = Literal["in_step", "drift", "unknown"]

BLOCKING: frozenset[Verdict] = frozenset({"missed", "diverged", "broken", "unknown"})
"""Verdicts that block where `mode` is `block` (docs/verdicts.md)."""

DRIFT: frozenset[Verdict] = frozenset({"missed", "diverged", "broken"})
"""Blocking verdicts that are drift; `unknown` blocks too but says that nothing could be read."""


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

    @property
    def places(self) -> tuple[Place, ...]:
        """Both places, as far as there are two."""
        return tuple([place for place in (self.changed, self.counterpart) if place is not None])


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
