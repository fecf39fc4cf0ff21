"""Edits that only make sense together: what uses a new name, and what brings it in."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import msgspec

from consistency_bot.port.bindings import added_by, bound_in
from consistency_bot.port.changes import Run, is_of_imports
from consistency_bot.port.decisions import LITTLE_AGREES, Decision
from consistency_bot.port.half import Half
from consistency_bot.port.matching import Matching
from consistency_bot.port.words import is_name
from consistency_bot.syntax import Definition
from consistency_bot.syntax.source_rows import Row


class NewNames:
    """For each run the names that this side's change brings in and that the other side does not know yet."""

    def __init__(self, matching: Matching, new: Half, runs: Sequence[Run]) -> None:
        fresh = new.words - matching.mine.words - matching.theirs.words
        self.used: dict[Run, frozenset[str]] = {}
        self.bound: dict[Run, frozenset[str]] = {}
        for run in runs:
            rows = new.rows[run.new_start : run.new_end]
            self.used[run] = fresh & _names(rows)
            self.bound[run] = fresh & bound_in(rows)

    def needed(self, weak: Iterable[Run], kept: Iterable[Run]) -> set[Run]:
        """Those of the weak runs that bring in a new name which a kept one uses."""
        used = set(kept)
        waiting, out = set(weak), set[Run]()
        while True:
            wanted = frozenset().union(*(self.used[run] for run in used))
            more = {run for run in waiting - out if self.bound[run] & wanted}
            if not more:
                return out
            out |= more
            used |= more

    def unfounded(self, kept: Iterable[Run]) -> set[Run]:
        """Those of the runs that use a name which this side's change brings in with another run, one that is not kept."""
        kept = set(kept)
        brought = frozenset().union(*self.bound.values()) if self.bound else frozenset()
        dropped: set[Run] = set()
        while True:
            there = frozenset().union(*(self.bound[run] for run in kept - dropped))
            more = {run for run in kept - dropped if (self.used[run] & brought) - there}
            if not more:
                return dropped
            dropped |= more


def _names(rows: Iterable[Row]) -> frozenset[str]:
    return frozenset(piece.text for row in rows if row.kind == "code" for piece in row.pieces if piece.is_name)


_GOOD = ("already there", "counterpart found")

Gate = Callable[[Decision], bool]
"""Whether enough speaks for an edit."""


def agreed(decisions: Sequence[Decision], matching: Matching, new: Half, is_wanted: Gate) -> list[Decision]:
    """The decisions once they know of each other.

    A new name is used only where it is brought in, a doubtful place is taken only by what another edit needs, and an
    import is added only where an edit uses it.
    """
    names = NewNames(matching, new, [each.run for each in decisions])
    followed = _followed(decisions, names)
    decisions = _gated([_with(each, followed=followed) for each in decisions], matching.mine, new, is_wanted)
    kept = _kept(decisions, names)
    unfounded = names.unfounded(kept)
    out: list[Decision] = []
    for each in decisions:
        if each.run in unfounded:
            out.append(each.none("it uses a name that is not brought in over there"))
        elif each.edits and each.run not in kept:
            out.append(each.without("the rows around the place are no neighbours over there"))
        else:
            out.append(each)
    return _with_used_imports(out, matching, new, is_wanted)


def _kept(decisions: Sequence[Decision], names: NewNames) -> set[Run]:
    """What can stand: what is sure of its place, and what that needs."""
    fine = {each.run for each in decisions if each.state in _GOOD}
    doubtful = {each.run for each in decisions if each.edits and not each.evidence.is_placed}
    return (fine - doubtful) | names.needed(doubtful, fine - doubtful)


def _followed(decisions: Sequence[Decision], names: NewNames) -> float:
    kept = _kept(decisions, names)
    return (len(kept) - len(names.unfounded(kept))) / max(1, len(decisions))


def _gated(decisions: Sequence[Decision], old: Half, new: Half, is_wanted: Gate) -> list[Decision]:
    """The decisions that the gate lets through, the others without their edits.

    Where it keeps something out of a function, it is asked again about what changes the same names there.
    """
    owners = [old.owner_at(each.run.start) for each in decisions]
    kept_out: dict[Definition, set[str]] = {}
    for each, owner in zip(decisions, owners, strict=True):
        if owner.kind == "function" and (each.state not in _GOOD or (each.edits and not is_wanted(each))):
            kept_out.setdefault(owner, set()).update(_changed_names(each.run, old, new))
    out: list[Decision] = []
    for each, owner in zip(decisions, owners, strict=True):
        is_settled = owner not in kept_out or not kept_out[owner] & _changed_names(each.run, old, new)
        asked = _with(each, is_settled=is_settled)
        out.append(asked if is_wanted(asked) else asked.without(LITTLE_AGREES))
    return out


def _changed_names(run: Run, old: Half, new: Half) -> set[str]:
    """The names that the run says more often or less often than what stood there before."""
    counts: Counter[str] = Counter()
    for step in run.steps:
        for half, number, sign in ((old, step.old, -1), (new, step.new, 1)):
            if number is not None and half.rows[number].kind == "code":
                for word in filter(is_name, half.rows[number].words):
                    counts[word] += sign
    return {name for name, count in counts.items() if count}


def _with(decision: Decision, **known: float) -> Decision:
    return msgspec.structs.replace(decision, evidence=msgspec.structs.replace(decision.evidence, **known))


def _with_used_imports(decisions: list[Decision], matching: Matching, new: Half, is_wanted: Gate) -> list[Decision]:
    old = matching.mine
    imports = {each.run: added_by(each.run, old, new) for each in decisions if is_of_imports(each.run, old, new)}
    others = [each for each in decisions if each.run not in imports]
    used = frozenset[str]().union(*(each.words for each in others))
    used |= new.imported.moved_since(old.imported) & matching.theirs.imported.names
    out: list[Decision] = []
    for each in decisions:
        brought = imports.get(each.run, set())
        is_used = not (each.edits and brought) or bool(brought & used)
        asked = _with(each, is_used=is_used)
        is_kept = is_used or (_is_to_be_used(brought, others, new) and is_wanted(asked))
        out.append(asked if is_kept else each.none("nothing over there would use the import"))
    return out


def _is_to_be_used(brought: set[str], others: Iterable[Decision], new: Half) -> bool:
    """Whether one run uses it and is left to a person, for whom it is drafted with what else is written."""
    if not any(each.edits for each in others):
        return False
    users = [each for each in others if brought & _names(new.rows[each.run.new_start : each.run.new_end])]
    return len(users) == 1 and users[0].reason == LITTLE_AGREES
