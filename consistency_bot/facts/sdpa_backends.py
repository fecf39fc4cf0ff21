"""`sdpa_backends`: which attention backends each side may choose, in every combination of the conditions that occur.

With recomputation the forward pass runs twice. If the second run may choose another backend than the first one did, what
it saves has another shape, and training ends with "Recomputed values have different metadata". So a table says what may
be chosen in the forward pass and, where that runs again, what may be chosen then.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.conditions.formulas import Formula, TooMany, atoms_of_all
from consistency_bot.facts.conditions.vocabulary import Vocabulary
from consistency_bot.facts.names import is_named
from consistency_bot.facts.sdpa.faults import Judgement, Part, new_in
from consistency_bot.facts.sdpa.side import SaidOfSide, read_side
from consistency_bot.facts.sdpa.tables import Grid, decided, recomputed_by_name
from consistency_bot.facts.sdpa.telling import Telling, told_of
from consistency_bot.model import Place, Rule

READS_CODE_ALONE = True
_TABLES = "tables"


class _Grounds(msgspec.Struct, frozen=True):
    """What a breach is made of: its parts, and the tables that they are about."""

    judgement: Judgement
    parts: tuple[Part, ...]
    conditions: Mapping[str, str]


def read(rule: Rule, side: SideAt) -> SaidOfSide:
    """What the side says about backends at this revision."""
    texts = (
        *rule.keys.forbid.values(),
        *rule.keys.require.values(),
        *(each for given in rule.atoms.values() for each in given),
    )
    words = frozenset(word for text in texts for word in re.findall(r"\w+", text))
    return read_side(side.definitions, rule.keys.arguments, words)


def breaches(rule: Rule, facts: Mapping[str, SaidOfSide]) -> Iterator[Breach]:
    """Each side that breaks `forbid` or `require` for a backend, and each pair of sides with unlike tables."""
    formulas = [formula for said in facts.values() for formula in said.formulas()]
    refused = [formula for said in facts.values() for formula in said.refused]
    words = Vocabulary(rule.atoms, atoms_of_all([*formulas, *refused]), [said.names for said in facts.values()])
    try:
        yield from _judged(rule, words, facts)
    except TooMany as error:
        yield from _judged_apart(rule, words, facts, str(error))


def _judged_apart(rule: Rule, words: Vocabulary, facts: Mapping[str, SaidOfSide], reason: str) -> Iterator[Breach]:
    """Each side by itself, where there are too many conditions to compare sides; no table is a doubt about a side."""
    is_told = False
    for name, said in facts.items():
        try:
            yield from _judged(rule, words, {name: said})
        except TooMany as error:
            is_told = True
            yield _doubt(name, said, str(error))
    if not is_told:
        name, said = next(iter(facts.items()))
        yield _doubt(name, said, f"{reason} of all sides together")


def _judged(rule: Rule, words: Vocabulary, facts: Mapping[str, SaidOfSide]) -> list[Breach]:
    """What these sides break, all of it. Raises `TooMany`."""
    forbid = {backend: words.wanted(text) for backend, text in rule.keys.forbid.items()}
    require = {backend: words.wanted(text) for backend, text in rule.keys.require.items()}
    wanted = [*forbid.values(), *require.values()]
    grid = Grid(words, list(facts.values()), wanted)
    formulas = [words.of(formula) for said in facts.values() for formula in said.formulas()]
    by_name = recomputed_by_name([*wanted, *formulas], words)
    judgement = Judgement(facts, {name: decided(said, grid, by_name) for name, said in facts.items()}, grid)
    own = [part for backend, where in forbid.items() for part in judgement.forbidden(backend, where)]
    own += [part for backend, where in require.items() for part in judgement.required(backend, where)]
    pairs: dict[frozenset[str], list[Part]] = {}
    for part in judgement.differing(own):
        if not is_named(part.backend, rule.only.get(part.side, {})):
            pairs.setdefault(frozenset((part.side, part.other)), []).append(part)
    conditions = {**rule.keys.forbid, **rule.keys.require}
    return [
        _breach(_Grounds(judgement, tuple(parts), conditions)) for parts in (*([each] for each in own), *pairs.values())
    ]


def further(base: Breach, head: Breach) -> Breach | None:
    """The cells in which head breaks the rule and base did not."""
    old, new = base.grounds, head.grounds
    if not isinstance(old, _Grounds) or not isinstance(new, _Grounds):
        return None
    parts = [new_in(old.judgement, old.parts, new.judgement, each) for each in new.parts]
    left = tuple(each for each in parts if each is not None)
    return _breach(msgspec.structs.replace(new, parts=left)) if left else None


def _breach(grounds: _Grounds) -> Breach:
    telling = Telling(grounds.judgement, grounds.conditions)
    parts = sorted(grounds.parts, key=lambda part: not part.surely)
    lead = parts[0]
    is_pair = bool(lead.other)
    names = list(grounds.judgement.tables)
    pair = tuple(sorted({lead.side, lead.other}, key=names.index)) if is_pair else ()
    return Breach(
        side=pair[0] if is_pair else lead.side,
        what=_TABLES if is_pair else lead.backend,
        message=telling.sentence(parts),
        place=telling.place(lead.side, lead),
        counterpart=telling.counterpart(lead),
        said=(lead.kind, *pair),
        alone=() if is_pair else (lead.side,),
        doubt=grounds.judgement.doubt(lead),
        between=pair,
        cured=telling.cured(parts),
        table=telling.table(parts),
        extent=telling.extent(parts),
        grounds=grounds,
    )


def _doubt(name: str, said: SaidOfSide, reason: str) -> Breach:
    """That nothing can be told about a side, for it has too many conditions for a table."""
    path = said.home.path if said.home is not None else ""
    message = f"Which backends {name} may choose ({path}:1) cannot be laid out as a table."
    return Breach(name, "", message, Place(name, path, 1, 0), said=("size",), doubt=f"it depends on {reason}")


def told(facts: SaidOfSide) -> Iterator[str]:
    """The table of one side by itself, and the process-wide switches."""
    formulas: Sequence[Formula] = list(facts.formulas())
    words = Vocabulary({}, atoms_of_all([*formulas, *facts.refused]), [facts.names])
    try:
        grid = Grid(words, [facts], [])
    except TooMany as error:
        yield f"no table: it depends on {error}"
        return
    side = decided(facts, grid, recomputed_by_name([words.of(each) for each in formulas], words))
    if formulas:
        yield from told_of(facts, grid, side)
