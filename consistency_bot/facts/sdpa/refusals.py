"""The combinations that a side refuses: what raises around the places where it chooses."""

import re
from collections.abc import Iterable, Iterator

from consistency_bot.facts.conditions import exits
from consistency_bot.facts.conditions.formulas import FALSE, Formula, conjunction
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.facts.sdpa.callers import Callers
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Step


class Refusals:
    """Finds what raises under conditions that say one of the words; other conditions are in no table."""

    def __init__(self, reader: Reader, callers: Callers, words: Iterable[str]) -> None:
        self._reader = reader
        self._callers = callers
        any_of = "|".join(map(re.escape, sorted(words)))
        self._words = re.compile(rf"\b(?:{any_of})\b".encode())

    def near(self, homes: Iterable[Definition]) -> Iterator[Formula]:
        """What raises in these functions, in those that call them, in what these call, and where the object is made."""
        starts = {id(each): each for each in homes if each.kind == "function"}
        for each in list(starts.values()):
            starts.update((id(site.definition), site.definition) for site in self._callers.calls_of(each))
        owners = {(each.path, each.owner) for each in starts.values() if each.owner}
        for each in self._reader.code.definitions:
            if each.kind != "function" or not (b"raise" in each.text or b"assert" in each.text):
                continue
            is_near = id(each) in starts or (each.name == "__init__" and (each.path, each.owner) in owners)
            if is_near or any(id(site.definition) in starts for site in self._callers.calls_of(each)):
                yield from self._in(each)

    def _in(self, definition: Definition) -> Iterator[Formula]:
        steps = [
            step
            for step in definition.flow.body.walk()
            if step.kind in ("raise", "assert") and all(self._words.search(each) for each in _tested(step))
        ]
        for frame, condition in self._callers.entered(definition) if steps else ():
            for step in steps:
                raises = exits.raises(self._reader, step, frame)
                if raises is not FALSE:
                    yield conjunction([condition, raises])


def _tested(step: Step) -> Iterator[bytes]:
    """The source of every test around a statement, its own included."""
    if step.kind == "assert":
        yield step.own
    owner = step.block.owner
    while owner is not None:
        if owner.kind in ("if", "match"):
            yield owner.own
        owner = owner.block.owner
