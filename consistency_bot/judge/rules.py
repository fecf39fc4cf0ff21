"""All declared rules of a change, each asked of its twins."""

from collections.abc import Iterator, Sequence
from datetime import date

from msgspec.structs import replace

from consistency_bot.changed import Changed
from consistency_bot.judge.declared import Asking, RuleJudged
from consistency_bot.judge.reading import read_sides
from consistency_bot.judge.twins import Judged
from consistency_bot.model import Change, Finding, RuleChecked, Rules, Twins, TwinsChecked


class Declared:
    """The rules of a rules file, asked of the twins that a change touches.

    `judged` are these with what their rules say among their findings; `checked` are the rules that were asked.
    """

    def __init__(
        self, rules: Rules, change: Change, changed: Changed, today: date | None, judged: Sequence[Judged]
    ) -> None:
        self._rules = rules
        self._change = change
        self._changed = changed.paths
        self._today = today
        self.judged: list[Judged] = []
        self.checked: list[RuleChecked] = []
        for each in judged:
            answers = list(self._answers(each))
            found = tuple(finding for answer in answers for finding in self._findings(answer))
            self.judged.append(replace(each, findings=each.findings + found))
            self.checked += [answer.checked for answer in answers]

    def _answers(self, judged: Judged) -> Iterator[RuleJudged]:
        """What the rules of one twins say; an entry with captures makes twins called `id[name]`."""
        twins = judged.twins
        rules = [rule for rule in self._rules.declared if rule.twins == twins.entry and rule.mode != "off"]
        if rules:
            sides = [side for side in judged.sides if not twins.has_ended(side.side.name)]
            asking = Asking(twins, sides, self._change, self._changed, self._rules.source, self._today)
            yield from map(asking.ask, rules)

    def _findings(self, answer: RuleJudged) -> Sequence[Finding]:
        return answer.findings


class DeclaredWhole(Declared):
    """The same with what broke a rule before the change already, and of all twins (`--all`)."""

    def __init__(
        self, rules: Rules, change: Change, changed: Changed, today: date | None, judged: Sequence[Judged]
    ) -> None:
        known = {each.twins.entry for each in judged}
        asked = {rule.twins for rule in rules.declared}
        others = [each for each in rules.twins if each.id in asked and each.id not in known and each.mode != "off"]
        super().__init__(
            rules, change, changed, today, [*judged, *(_untouched(each, change, changed) for each in others)]
        )

    def _findings(self, answer: RuleJudged) -> Sequence[Finding]:
        return answer.findings + answer.before


def _untouched(twins: Twins, change: Change, changed: Changed) -> Judged:
    """Twins that the change leaves alone, for their rules."""
    sides = read_sides(twins, change, changed)
    paths = {side.versions.name: side.paths for side in sides}
    return Judged(twins, (), TwinsChecked(twins.id, paths, ()), sides=tuple(sides))
