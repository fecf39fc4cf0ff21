"""The declared rules of a change, each asked of its twins."""

from collections.abc import Sequence
from datetime import date

from consistency_bot.changed import Changed
from consistency_bot.judge.declared import Asking, RuleJudged
from consistency_bot.judge.reading import SideRead
from consistency_bot.model import Change, Rules, Twins


class Declared:
    """The rules of a rules file, for one change."""

    def __init__(self, rules: Rules, change: Change, changed: Changed, today: date | None) -> None:
        self._rules = rules
        self._change = change
        self._changed = changed
        self._today = today
        self._reminded: set[str] = set()

    def ask(self, twins: Twins, sides: Sequence[SideRead]) -> list[RuleJudged]:
        """What the rules of these twins say about their sides; that one has expired is told once, for all pairs."""
        rules = [rule for rule in self._rules.declared if rule.twins == twins.entry and rule.mode != "off"]
        if not rules:
            return []
        sides = [side for side in sides if not twins.has_ended(side.side.name)]
        asking = Asking(twins, sides, self._change, self._changed, self._rules.source, self._today, self._reminded)
        return [asking.ask(rule) for rule in rules]
