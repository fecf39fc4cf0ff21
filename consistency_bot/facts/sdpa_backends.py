"""`sdpa_backends`: which attention backends each side may choose, in every combination of the conditions that occur.

With recomputation the forward pass runs twice. If the second run may choose another backend than the first one did, what
it saves has another shape, and training ends with "Recomputed values have different metadata". So a table says what may
be chosen in the forward pass and, where that runs again, what may be chosen then.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.conditions.formulas import Formula
from consistency_bot.facts.conditions.vocabulary import Vocabulary
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
    names = [said.names for said in facts.values()]
    words = Vocabulary(rule.atoms, [*formulas, *refused], names)
    forbid = {backend: words.wanted(text) for backend, text in rule.keys.forbid.items()}
    require = {backend: words.wanted(text) for backend, text in rule.keys.require.items()}
    wanted = [*forbid.values(), *require.values()]
    try:
        grid = Grid(words, list(facts.values()), wanted)
    except ValueError as error:
        yield from _too_many(facts, str(error))
        return
    by_name = recomputed_by_name([*wanted, *map(words.of, formulas)], words)
    judgement = Judgement(facts, {name: decided(said, grid, by_name) for name, said in facts.items()}, grid)
    yield from _judged(rule, judgement, forbid, require)


def _judged(
    rule: Rule, judgement: Judgement, forbid: Mapping[str, Formula], require: Mapping[str, Formula]
) -> Iterator[Breach]:
    own = [part for backend, where in forbid.items() for part in judgement.forbidden(backend, where)]
    own += [part for backend, where in require.items() for part in judgement.required(backend, where)]
    conditions = {**rule.keys.forbid, **rule.keys.require}
    for part in own:
        yield _breach(_Grounds(judgement, (part,), conditions))
    pairs: dict[frozenset[str], list[Part]] = {}
    for part in judgement.differing(own):
        if part.backend not in rule.only.get(part.side, {}):
            pairs.setdefault(frozenset((part.side, part.other)), []).append(part)
    for parts in pairs.values():
        yield _breach(_Grounds(judgement, tuple(parts), conditions))


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


def _too_many(facts: Mapping[str, SaidOfSide], reason: str) -> Iterator[Breach]:
    """With too many conditions for a table nothing is decided; said once for each side that chooses at all."""
    for name, said in facts.items():
        if said.home is not None and list(said.formulas()):
            place = Place(name, said.home.path, 1, 0)
            message = f"Which backends {name} may choose ({said.home.path}:1) cannot be laid out as a table."
            yield Breach(name, _TABLES, message, place, said=("size",), doubt=f"it depends on {reason}")


def told(facts: SaidOfSide) -> Iterator[str]:
    """The table of one side by itself, and the process-wide switches."""
    formulas: Sequence[Formula] = list(facts.formulas())
    words = Vocabulary({}, [*formulas, *facts.refused], [facts.names])
    try:
        grid = Grid(words, [facts], [])
    except ValueError as error:
        yield f"no table: it depends on {error}"
        return
    side = decided(facts, grid, recomputed_by_name([words.of(each) for each in formulas], words))
    if formulas:
        yield from told_of(facts, grid, side)
