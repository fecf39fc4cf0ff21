"""The kind `calls`: the named calls get the same arguments on every side."""

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from consistency_bot.facts.asking import Breach, SideAt
from consistency_bot.facts.conditions.calls import CallSite, last_name, parts_of, steps_of
from consistency_bot.facts.conditions.formulas import TRUE
from consistency_bot.facts.conditions.frames import Spot, inside
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.facts.conditions.values import Choices, Literal, Path
from consistency_bot.facts.items import Item, Items, Wording, items_of, lines_of, missing, unlike
from consistency_bot.facts.likeness import spelt_alike
from consistency_bot.facts.names import in_source, is_named
from consistency_bot.model import Place, Rule
from consistency_bot.syntax.imported import dotted
from consistency_bot.syntax.parsed import Call, worded

READS_CODE_ALONE = True
_WORDING = Wording("passes", "pass", "as")
_CALLING = Wording("calls", "call", "as")
_DOUBT = "what they are worth cannot be told from the source"


def read(rule: Rule, side: SideAt) -> Items:
    """The named calls and their arguments, as items called `name()` and `name(argument)`."""
    return items_of(side, _Reading(rule, side).items())


def breaches(rule: Rule, facts: Mapping[str, Items]) -> Iterator[Breach]:
    """Calls that a side lacks, arguments that it does not pass, and those that are worth something else."""
    sides = list(facts.values())
    calls = [replace(side, every=tuple(each for each in side.every if _is_call(each))) for side in sides]
    yield from missing(calls, _CALLING)
    every = {each.name for side in calls for each in side.every}
    lacking = {(side.side, name) for side in calls for name in every.difference(side.by_name())}
    arguments = [replace(side, every=tuple(each for each in side.every if not _is_call(each))) for side in sides]
    for each in missing(arguments, _WORDING):
        if (each.side, f"{each.what.partition('(')[0]}()") not in lacking:  # told already: the whole call is missing
            yield each
    yield from unlike(arguments, _WORDING)


def told(facts: Items) -> Iterator[str]:
    """One line for each call, and for each of its arguments."""
    return lines_of(facts)


def _is_call(item: Item) -> bool:
    """Whether it is about a call itself, and not about an argument of one."""
    return item.name.endswith("()")


class _Reading:
    def __init__(self, rule: Rule, side: SideAt) -> None:
        self._side = side
        self._names: Sequence[str] = rule.keys.names
        self._reader = Reader(side.code)

    def items(self) -> Iterator[Item]:
        words = sorted({in_source(name) for name in self._names})
        mention = re.compile(rb"\b(?:%s)\s*\(" % b"|".join(words))
        for definition in self._reader.code.mentioning(mention):
            names = definition.source.imported
            for function, step in steps_of(definition):
                if mention.search(step.own):
                    for expression in step.expressions:
                        for part, guards in parts_of(expression):
                            if isinstance(part, Call) and self._is_wanted(part, names):
                                yield from self._of_call(CallSite(part, step, function, definition, guards))

    def _is_wanted(self, call: Call, names: Mapping[str, str]) -> bool:
        name = last_name(call.callee)
        return bool(name) and (is_named(name, self._names) or is_named(dotted(call.callee, names), self._names))

    def _of_call(self, site: CallSite) -> Iterator[Item]:
        name = last_name(site.call.callee)
        path, function = site.definition.path, site.definition.qualname or None
        yield Item(f"{name}()", "", Place(self._side.name, path, site.call.line, site.call.line, function))
        spot = Spot.before(site.step, inside(site.function, self._reader.root(site.definition)))
        for number, each in enumerate(site.call.arguments):
            label = each.name or str(number + 1)
            if each.name in ("*", "**"):
                label = f"{each.name}{spelt_alike(worded(each.value))}"
            place = Place(self._side.name, path, each.value.line, each.value.line, function)
            value, is_read = _worth(self._reader.value(each.value, spot), spelt_alike(worded(each.value)))
            yield Item(f"{name}({label})", value, place, "" if is_read or each.name in ("*", "**") else _DOUBT)


def _worth(choices: Choices, written: str) -> tuple[str, bool]:
    """(what an argument is worth, whether that is read): a constant, a path, or its text."""
    guard, value = choices[0] if len(choices) == 1 else (None, None)
    if guard is TRUE and isinstance(value, Literal):
        return repr(value.value), True
    if guard is TRUE and isinstance(value, Path) and value.steps:
        return value.text, False
    return written, False
