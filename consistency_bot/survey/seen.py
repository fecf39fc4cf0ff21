"""The twins of a rules file in one tree: every side with its files and functions, and what its rules read there."""

from collections.abc import Iterator, Sequence

import msgspec

from consistency_bot.captures import pairs_of
from consistency_bot.changed import Changed
from consistency_bot.facts import kind_of
from consistency_bot.facts.asking import SideAt, filled
from consistency_bot.judge.reading import SideRead, read_sides
from consistency_bot.model import Change, ChangedPath, Rule, Rules, Tree, Twins
from consistency_bot.paths import captures_as_wildcards, captures_in, is_python, split_symbol
from consistency_bot.survey.unmet import unmet_of
from consistency_bot.syntax import Source


class FileSeen(msgspec.Struct, frozen=True):
    """A file of a side, and the functions and classes that are compared in it, as (qualified name, line)."""

    path: str
    functions: tuple[tuple[str, int], ...] = ()


class RuleSeen(msgspec.Struct, frozen=True):
    """What a declared rule reads: for each side its facts as lines, none where it sees nothing there.

    `unmet` are sentences about what the rule is told and no side answers to; None where a side is not there or cannot be
    read, so that nobody can tell.
    """

    rule: Rule
    sides: tuple[tuple[str, tuple[str, ...]], ...]
    unmet: tuple[str, ...] | None = None

    @property
    def is_empty(self) -> bool:
        """Whether it sees nothing on any side."""
        return not any(lines for _, lines in self.sides)


class TwinsSeen(msgspec.Struct, frozen=True):
    """Twins, or one pair of an entry with captures: their sides as (name, files), and their rules.

    `words` are all words of the sides' Python files, of those that symbols are taken from these alone. `is_clear` tells
    that all that the sides name is there, is Python and can be read.
    """

    twins: Twins
    sides: tuple[tuple[str, tuple[FileSeen, ...]], ...]
    rules: tuple[RuleSeen, ...]
    words: frozenset[bytes]
    is_clear: bool = False


def seen_twins(rules: Rules, tree: Tree) -> Iterator[TwinsSeen]:
    """All twins in the order of the rules file, those that are switched off included; none for captures of nothing."""
    for entry in rules.twins:
        still = _still(entry, tree)
        changed = Changed(still)
        for twins in pairs_of(entry, still, changed):
            with read_sides(twins, still, changed) as sides:
                declared = (rule for rule in rules.declared if rule.twins == twins.entry)
                yield _seen(twins, sides, [filled(rule, dict(twins.captured)) for rule in declared], tree)


def _seen(twins: Twins, sides: Sequence[SideRead], rules: Sequence[Rule], tree: Tree) -> TwinsSeen:
    here = [SideAt(side.side.name, side.versions.head, side.paths, tree) for side in sides if side.exists]
    wanted = [side for side in sides if side.side.name != twins.retired or side.exists]
    is_clear = _are_clear(wanted)
    sources = [source for side in wanted for source in side.sources] if is_clear else None
    return TwinsSeen(
        twins,
        tuple((side.side.name, tuple(_files(side))) for side in sides),
        tuple(_rule(rule, here, sources) for rule in rules),
        frozenset().union(*(source.words for side in sides for source in side.sources)),
        is_clear,
    )


def _still(twins: Twins, tree: Tree) -> Change:
    """A change that touches every file that captures can name, and alters none: so that each pair is found."""
    patterns = [split_symbol(pattern)[0] for side in twins.sides for pattern in side.patterns]
    named = tree.find([captures_as_wildcards(path) for path in patterns if captures_in(path)])
    return Change("", "", tree, tree, tuple(ChangedPath(path, path) for path in named))


def _files(side: SideRead) -> Iterator[FileSeen]:
    for path in side.paths:
        found = [each for each in side.versions.head if each.path == path and each.qualname]
        yield FileSeen(path, tuple((each.qualname, each.header_line) for each in found))


def _rule(rule: Rule, sides: Sequence[SideAt], sources: Sequence[Source] | None) -> RuleSeen:
    """What a rule reads on the sides that are there; without the files of all that have to be, nothing is unmet."""
    kind = kind_of(rule.check)
    facts = {side.name: kind.read(rule, side) for side in sides}
    told = tuple((name, tuple(kind.told(each))) for name, each in facts.items())
    return RuleSeen(rule, told, tuple(unmet_of(rule, facts, sources)) if sources is not None else None)


def _are_clear(sides: Sequence[SideRead]) -> bool:
    """Whether all that the sides name is there, is Python and can be read."""
    return all(
        side.exists
        and not (side.lacking or side.opaque or side.unread)
        and side.sources
        and all(is_python(each.path) and not each.is_broken for each in side.sources)
        for side in sides
    )
