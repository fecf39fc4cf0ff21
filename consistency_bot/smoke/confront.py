"""Rules about attention kernels held against what was measured: is each of them true here?"""

from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import product
from typing import Literal

import msgspec

from consistency_bot.facts.conditions.atoms import Atom
from consistency_bot.facts.conditions.formulas import Tables, atoms_of
from consistency_bot.facts.conditions.written import written
from consistency_bot.model import Rule
from consistency_bot.probes import KERNELS
from consistency_bot.smoke.cells import Cell

Verdict = Literal["too-lax", "stricter-than-needed-here", "confirmed", "not-measured"]


class Claim(msgspec.Struct, frozen=True):
    """What a rule says of one kernel where activations are recomputed or not, and sequences split over ranks or not.

    `allowed` is None where that depends on `asks`, conditions that no probe can bring about.
    """

    rule: str
    backend: str
    activation_checkpointing: bool
    cp: bool
    allowed: bool | None
    asks: tuple[str, ...] = ()

    @property
    def condition(self) -> str:
        """The condition in a rule's words."""
        said = (("activation_checkpointing", self.activation_checkpointing), ("cp", self.cp))
        return " and ".join(name if holds else f"not {name}" for name, holds in said)


class Confronted(msgspec.Struct, frozen=True):
    """What measuring says of a claim: `cells` are the names of those that say so, `note` a sentence for people."""

    claim: Claim
    verdict: Verdict
    cells: tuple[str, ...]
    note: str


def claims_of(rule: Rule) -> tuple[Claim, ...]:
    """Everything that an `sdpa_backends` rule says of the kernels that it forbids; what it leaves alone it allows."""
    return tuple(claim for backend in KERNELS for claim in _claims(rule, backend))


def confront(
    claims: Iterable[Claim], cells: Sequence[Cell], contexts: Iterable[str] = ("both",)
) -> tuple[Confronted, ...]:
    """Each claim against the cells of a probe that measured its kernel under its condition.

    `contexts` are the places of a choice that count, as `consistency_bot.probes` names them: a choice that is gone when
    the forward pass runs again fails whatever a rule says, and counts only where the code under check makes such a one.
    A kernel that this machine lacks, a cell that was left out and one that is flaky say nothing; a claim that no cell
    speaks of is not measured, and never confirmed.
    """
    places = frozenset(contexts)
    return tuple(_confronted(claim, [cell for cell in cells if _speaks_of(cell, claim, places)]) for claim in claims)


def _claims(rule: Rule, backend: str) -> Iterator[Claim]:
    formula = written(rule.keys.forbid[backend]) if backend in rule.keys.forbid else None
    atoms = list(dict.fromkeys(atoms_of(formula))) if formula is not None else []
    tables = Tables(atoms)
    forbidden = tables.of(formula) if formula is not None else 0
    for checkpointing, cp in product((False, True), repeat=2):
        fits = [
            index
            for index in range(tables.size)
            if _fits(rule, tables.combination(index), checkpointing=checkpointing, cp=cp)
        ]
        answers = {bool(forbidden >> index & 1) for index in fits}
        asks = () if len(answers) == 1 else tuple(_text(each) for each in atoms if not _known(rule, each))
        allowed = None if asks or not answers else not answers.pop()
        yield Claim(rule.id, backend, checkpointing, cp, allowed, asks)


def _fits(rule: Rule, combination: dict[Hashable, bool], *, checkpointing: bool, cp: bool) -> bool:
    """Whether a combination of a rule's conditions is one in which the two that can be measured are as given."""
    wanted = {"activation_checkpointing": checkpointing, "cp": cp}
    return all(holds == wanted.get(_known(rule, each), holds) for each, holds in combination.items())


def _known(rule: Rule, each: Hashable) -> str:
    """Which of the two conditions that can be measured an atom is, by its name or one of its spellings; empty if none."""
    if not isinstance(each, Atom) or each.test not in ("true", ">"):
        return ""
    names = [*each.path, *(rule.atoms.get(each.path[-1], ()))]
    if any("checkpoint" in name or "recompute" in name for name in names):
        return "activation_checkpointing"
    return "cp" if any(name == "cp" or name.startswith(("cp_", "context_parallel")) for name in names) else ""


def _text(each: Hashable) -> str:
    return each.text if isinstance(each, Atom) else str(each)


def _speaks_of(cell: Cell, claim: Claim, contexts: frozenset[str]) -> bool:
    """Whether a cell measured the claim's kernel under its condition, and came to an end that says something."""
    settings = cell.settings
    ran = (*cell.kernels_forward, *cell.kernels_recompute)
    backend = str(settings.get("backend", ""))
    chosen = backend == claim.backend or (backend != "default" and claim.backend in ran)
    conditions = (settings.get("checkpointing", "none") != "none", int(settings.get("cp", 1)) > 1)
    return (
        chosen
        and conditions == (claim.activation_checkpointing, claim.cp)
        and settings.get("context", "both") in contexts
        and cell.status not in ("unsupported", "skipped-needs-gpu", "flaky")
    )


def _confronted(claim: Claim, cells: Sequence[Cell]) -> Confronted:
    if claim.allowed is None:
        return Confronted(
            claim, "not-measured", (), f"it depends on {', '.join(claim.asks)}, which no probe brings about"
        )
    if not cells:
        return Confronted(claim, "not-measured", (), "no cell measured it here")
    bad = [cell for cell in cells if cell.outcome != "ok"]
    rule = "the rule allows it" if claim.allowed else "the rule forbids it"
    here = f"here it ends in {_end(bad[0])}" if bad else "it works here"
    verdict: Verdict = "confirmed"
    if claim.allowed and bad:
        verdict = "too-lax"
    elif not claim.allowed and not bad:
        verdict = "stricter-than-needed-here"
    return Confronted(claim, verdict, _names(bad or cells), f"{rule}, and {here}")


def _end(cell: Cell) -> str:
    return cell.outcome or cell.status


def _names(cells: Iterable[Cell]) -> tuple[str, ...]:
    return tuple(cell.name for cell in cells)
