"""Edits that only make sense together: what uses a new name, and what brings it in."""

import keyword
from collections.abc import Iterable, Sequence
from itertools import pairwise

import msgspec

from consistency_bot.port.changes import Run, Step
from consistency_bot.port.decisions import Decision
from consistency_bot.port.half import Half
from consistency_bot.port.imports import is_import
from consistency_bot.port.matching import Matching
from consistency_bot.syntax.source_rows import Row

_IMPORTS = ("import", "from")


class NewNames:
    """For each run the names that this side's change brings in and that the other side does not know yet."""

    def __init__(self, matching: Matching, new: Half, runs: Sequence[Run]) -> None:
        fresh = new.words - matching.mine.words - matching.theirs.words
        self.used: dict[Run, frozenset[str]] = {}
        self.bound: dict[Run, frozenset[str]] = {}
        for run in runs:
            rows = [new.rows[step.new] for step in run.steps if step.new is not None]
            self.used[run] = fresh & _names(rows)
            self.bound[run] = fresh & frozenset(name for row in rows for name in bound_by(row))

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


def bound_by(row: Row) -> list[str]:
    """The names that a row brings in: by an import, a definition, a parameter or an assignment."""
    words = row.words
    if row.kind != "code":
        return []
    if words[0] in _IMPORTS:
        start = words.index("import") + 1 if "import" in words else 1
        return [word for word in words[start:] if word.isidentifier() and not keyword.iskeyword(word)]
    plain = words[1:] if words[0] == "async" else words
    if plain[0] in ("def", "class"):
        inside = [a for a, b in pairwise(plain[2:]) if b in (":", "=", ",", ")") and a.isidentifier()]
        return [*plain[1:2], *inside]
    bound: list[str] = []
    depth = 0
    for index, word in enumerate(words):
        depth += (word in "([{") - (word in ")]}")
        if depth == 0 and (word in ("=", ":=") or (word == ":" and words[0] not in _HEADERS)):
            bound += [each for each in words[:index] if each.isidentifier()]
            break
        if word in ("as", "for") and index + 1 < len(words):
            bound.append(words[index + 1])
    return bound


_HEADERS = frozenset("if elif else for while with try except finally match case return raise assert lambda".split())


def agreed(decisions: Sequence[Decision], matching: Matching, new: Half) -> list[Decision]:
    """The decisions once they know of each other.

    A new name is used only where it is brought in, a doubtful place is taken only by what another edit needs, and an
    import is added only where an edit uses it.
    """
    names = NewNames(matching, new, [each.run for each in decisions])
    fine = {each.run for each in decisions if each.state in _GOOD}
    doubtful = {each.run for each in decisions if each.edits and not each.evidence.is_placed}
    kept = (fine - doubtful) | names.needed(doubtful, fine - doubtful)
    unfounded = names.unfounded(kept)
    followed = (len(kept) - len(unfounded)) / max(1, len(decisions))
    out: list[Decision] = []
    for each in decisions:
        evidence = msgspec.structs.replace(each.evidence, followed=followed)
        each = msgspec.structs.replace(each, evidence=evidence)  # noqa: PLW2901
        if each.run in unfounded:
            each = each.none("it uses a name that is not brought in over there")  # noqa: PLW2901
        elif each.run in fine - kept:
            each = each.without("the rows around the place are no neighbours over there")  # noqa: PLW2901
        out.append(each)
    return _with_used_imports(out, matching.mine, new)


_GOOD = ("already there", "counterpart found")


def _with_used_imports(decisions: list[Decision], old: Half, new: Half) -> list[Decision]:
    code = [each for each in decisions if not _imports(each.run, old, new)]
    used = frozenset[str]().union(*(each.words for each in code))
    out: list[Decision] = []
    for each in decisions:
        rows = _imports(each.run, old, new)
        before = {name for step, row in rows if step.new is None for name in bound_by(row)}
        before |= {name for step, _ in rows if step.old is not None for name in bound_by(old.rows[step.old])}
        brought = {name for step, row in rows if step.new is not None for name in bound_by(row)} - before
        is_idle = bool(each.edits) and bool(brought) and not brought & used
        out.append(each.none("nothing over there would use the import") if is_idle else each)
    return out


def _imports(run: Run, old: Half, new: Half) -> list[tuple[Step, Row]]:
    """The imports of a run of nothing else; empty for any other."""
    rows = [(step, new.rows[step.new] if step.new is not None else old.rows[step.old or 0]) for step in run.steps]
    return rows if all(is_import(row) for _, row in rows) else []
