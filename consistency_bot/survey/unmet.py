"""What a declared rule is told about nothing: anchors, conditions and reasons that no side answers to in one tree.

Each is said only where it is sure: what is spelt on a side in any way, or cannot be told, passes in silence.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

import msgspec

from consistency_bot.attempts import Failure, attempt
from consistency_bot.facts import kind_of
from consistency_bot.facts.asking import Breach
from consistency_bot.facts.names import in_source, is_named
from consistency_bot.facts.patch_calls import Patches
from consistency_bot.model import Rule
from consistency_bot.syntax import Source
from consistency_bot.syntax.text import words_of

_NO_STEP = re.compile(r"[.*]")


def unmet_of(rule: Rule, facts: Mapping[str, object], sources: Sequence[Source]) -> Iterator[str]:
    """A sentence for each, by the facts of every side and the files that they were read in; empty where all is met."""
    yield from _anchors(rule, [each for each in facts.values() if isinstance(each, Patches)], sources)
    yield from _conditions(rule, sources)
    yield from _reasons(rule, facts)


def is_spelt(spelling: str, words: frozenset[bytes]) -> bool:
    """Whether the last name of a condition of one question is among the words; true where it has none."""
    from consistency_bot.facts.conditions.written import written_atom  # few rules files have conditions

    each, _ = written_atom(spelling)
    return _has_last(each.path, words)


def _anchors(rule: Rule, sides: Sequence[Patches], sources: Sequence[Source]) -> Iterator[str]:
    events = [event for side in sides for course in side.courses for event in course.events]
    for key, anchors in (("before", rule.keys.before), ("after", rule.keys.after)):
        for anchor in anchors if sides else ():
            if not any(event.is_named((anchor,)) for event in events) and not _may_be_called(anchor, sources):
                yield (
                    f"`{key}`: no side calls `{anchor}` here, so no patch is held against it: correct the name, or take"
                    " it out"
                )


def _may_be_called(anchor: str, sources: Sequence[Source]) -> bool:
    """Whether a file has every part of the name, the last one as something called: perhaps by a way that is not followed."""
    parts = [part.encode() for part in _NO_STEP.split(anchor) if part]
    if not all(any(part in each.data for each in sources) for part in parts):
        return False
    called = re.compile(rb"(?<!\w)(?<!def )(?<!class )" + in_source(anchor) + rb"\s*\(")
    return any(called.search(each.data) for each in sources)


def _conditions(rule: Rule, sources: Sequence[Source]) -> Iterator[str]:
    if not rule.keys.refuse:
        return
    from consistency_bot.facts.conditions.atoms import Atom  # few rules files have conditions
    from consistency_bot.facts.conditions.formulas import atoms_of
    from consistency_bot.facts.conditions.written import written

    words = frozenset[bytes]().union(*(words_of(each.data) for each in sources))
    for text in rule.keys.refuse:
        for each in atoms_of(written(text)):
            if not isinstance(each, Atom):
                continue
            spellings = rule.atoms.get(each.path[0], ()) if len(each.path) == 1 and each.test == "true" else ()
            if spellings and not any(is_spelt(one, words) for one in spellings):
                yield f"`refuse: {text}`: no side has a spelling of `{each.path[0]}` here: see `atoms`"
            elif not spellings and not _has_last(each.path, words):
                yield f"`refuse: {text}`: no side has the name `{each.path[-1]}` here: correct it, or take it out"


def _has_last(path: Sequence[str], words: frozenset[bytes]) -> bool:
    """Whether the words have the last step of a value's path: whoever asks about the value has to write that."""
    wanted = words_of(path[-1].encode()) if path else frozenset()
    return not wanted or not words.isdisjoint(wanted)


def _reasons(rule: Rule, facts: Mapping[str, object]) -> Iterator[str]:
    """Entries of `only` without which the rule would not say more."""
    if not rule.only or not getattr(kind_of(rule.check), "READS_CODE_ALONE", False):
        return
    bare = msgspec.structs.replace(rule, only={})
    found = attempt(partial(_breaches, bare, facts))
    if isinstance(found, Failure) or any(each.doubt and not each.what for each in found):
        return
    excused = [pair for breach in found for pair in _excusable(breach)]
    for side, reasons in rule.only.items():
        for name in reasons:
            if not any(one == side and is_named(what, (name,)) for one, what in excused):
                yield (
                    f"`only`: `{name}` is nothing that {side} alone does here, so its reason excuses nothing: correct"
                    " it, or take it out"
                )


def _breaches(rule: Rule, facts: Mapping[str, object]) -> list[Breach]:
    return list(kind_of(rule.check).breaches(rule, facts))


def _excusable(breach: Breach) -> Iterator[tuple[str, str]]:
    """(side, what `only` may name for it) of a breach; of one that is about tables, for each of its backends."""
    yield from ((side, breach.what) for side in breach.alone)
    for part in getattr(breach.grounds, "parts", ()):
        yield from ((side, part.backend) for side in (part.side, part.other) if side)
