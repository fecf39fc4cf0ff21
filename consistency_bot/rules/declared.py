"""The entries of `rules` as values: what the kinds of rules read."""

from datetime import date

import msgspec

from consistency_bot.model import Mode, Rule, RuleKeys
from consistency_bot.rules.places import Spot
from consistency_bot.rules.schema import AnyRule, RulesFile

_MAPPINGS_OF_PATHS = frozenset({"files"})


def declared_rules(decoded: RulesFile, top: Spot) -> tuple[Rule, ...]:
    """The rules in the order of the file; a rule without a mode has that of its twins."""
    modes = {twins.id: twins.mode for twins in decoded.twins}
    atoms = {name: _texts(spellings) for name, spellings in decoded.atoms.items()}
    lines = [spot.line for spot in top.get("rules").items]
    return tuple(
        _rule(entry, modes.get(entry.twins, "block"), atoms, line)
        for entry, line in zip(decoded.rules, lines, strict=True)
    )


def _rule(entry: AnyRule, mode: Mode, atoms: dict[str, tuple[str, ...]], line: int) -> Rule:
    return Rule(
        id=entry.id,
        twins=entry.twins,
        check=str(type(entry).__struct_config__.tag),
        keys=_keys(entry),
        why=entry.why,
        mode=entry.mode or mode,
        only=entry.only,
        expires=date.fromisoformat(entry.expires) if entry.expires is not None else None,
        atoms=atoms,
        line=line,
        smoke=entry.smoke,
    )


def _keys(entry: AnyRule) -> RuleKeys:
    """The kind's own keys."""
    given: dict[str, object] = {}
    for name in RuleKeys.__struct_fields__:
        value = getattr(entry, name, None)
        if name in _MAPPINGS_OF_PATHS and isinstance(value, dict):
            given[name] = {key: _texts(paths) for key, paths in value.items()}
        elif isinstance(value, str) and isinstance(getattr(RuleKeys(), name), tuple):
            given[name] = (value,)
        elif value is not None:
            given[name] = value
    return msgspec.convert(given, RuleKeys)


def _texts(given: str | tuple[str, ...]) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given
