"""From where the functions of a side are entered, and which of them train."""

from collections.abc import Iterator
from functools import cached_property

from consistency_bot.facts.conditions.calls import CALLED, CallSite, SideCode, parts_of
from consistency_bot.facts.conditions.formulas import TRUE, Formula, conjunction
from consistency_bot.facts.conditions.frames import Frame, Spot
from consistency_bot.facts.conditions.reader import Reader
from consistency_bot.syntax import Definition
from consistency_bot.syntax.flow import Step
from consistency_bot.syntax.parsed import Attribute, Name

_MOST_FRAMES = 8
_MOST_CALLERS = 2
"""How many callers above one another are looked at."""

_MOST_LEADING = 3
"""How many functions may stand between a context and the training step that it is around."""

BACKWARD = b".backward("
"""What the code of a training step says somewhere."""


class Callers:
    """Asks who calls a function of the side."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._code: SideCode = reader.code
        self._known: dict[tuple[int, int], list[tuple[Frame, Formula]]] = {}
        self._leading: dict[Definition, dict[Definition, list[Step]]] = {}

    def entered(self, definition: Definition, depth: int = 0) -> list[tuple[Frame, Formula]]:
        """Each way into a function, and its condition. One without a caller where nobody on the side calls it.

        Empty for a helper that nobody mentions: a function of a side's further file, or one named as private.
        """
        key = (id(definition), depth)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = list(self._entered(definition, depth))
        return found

    def _entered(self, definition: Definition, depth: int) -> Iterator[tuple[Frame, Formula]]:
        sites = self.calls_of(definition) if definition.kind == "function" and depth < _MOST_CALLERS else []
        count = 0
        for site in sites:
            for frame, condition in self.entered(site.definition, depth + 1):
                count += 1
                if count > _MOST_FRAMES:
                    break
                if site.function is not site.definition.flow:
                    frame = self.nested(site, frame)  # noqa: PLW2901 - the nested function is entered there
                here = self._reader.reached(site, frame)
                spot = Spot.before(site.step, frame)
                yield Frame(definition.flow, definition, (site.call, spot)), conjunction([condition, here])
        if not sites and not self._is_unused(definition):
            yield self._reader.root(definition), TRUE

    def calls_of(self, definition: Definition) -> list[CallSite]:
        """The calls that mean this function, those in itself left out."""
        out = []
        for site in self._code.calls(definition.name):
            if site.definition is not definition:
                frame = self._frame(site)
                code = self._reader.function_of(site.call, Spot.before(site.step, frame))
                if code is not None and code.function is definition.flow:
                    out.append(site)
        return out

    def leading_to(self, definition: Definition) -> dict[Definition, list[Step]]:
        """The functions by which a function is called, each with its statements that lead there, nearest first."""
        found = self._leading.get(definition)
        if found is None:
            found = self._leading[definition] = {}
            frontier = [definition]
            for _ in range(_MOST_LEADING):
                sites = [site for each in frontier for site in self.calls_of(each)]
                frontier = [each for each in {site.definition: None for site in sites} if each not in found]
                for site in sites:
                    found.setdefault(site.definition, []).append(site.step)
        return found

    def _frame(self, site: CallSite) -> Frame:
        is_top = site.function is site.definition.flow
        return self._reader.root(site.definition) if is_top else Frame(site.function, site.definition)

    def nested(self, site: CallSite, outer: Frame) -> Frame:
        """A nested function, as seen from the function around it."""
        step = site.function.outer
        return Frame(site.function, site.definition, None, Spot.before(step, outer) if step is not None else None)

    def _is_unused(self, definition: Definition) -> bool:
        """Whether nothing on the side mentions a helper: what it does is then not done."""
        if definition.kind != "function" or definition.owner:
            return False
        if definition.source.is_main and not definition.name.startswith("_"):
            return False
        for each in self._code.mentions([definition.name]):
            parts = (part for expression in each.step.expressions for part, _ in parts_of(expression))
            if any(isinstance(part, Name | Attribute) and part.name == definition.name for part in parts):
                return False
        return True

    def trains(self, definition: Definition) -> bool:
        """Whether a function goes backward itself."""
        return any(each is definition for each in self.training)

    @cached_property
    def training(self) -> list[Definition]:
        """The functions that go backward."""
        return self._code.naming(["backward"], CALLED)
