"""What can be said of the patches of a rules file in one tree: needed or not, who calls them, and what is wrong."""

from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from consistency_bot.locks.search import locks_around
from consistency_bot.model import Patch, Tree
from consistency_bot.packages import normalised
from consistency_bot.patches.faults import Fault, Found, at_line, gone, of_calls, of_function, of_need
from consistency_bot.patches.known import Known
from consistency_bot.patches.mentions import Mentions
from consistency_bot.patches.needs import is_needed
from consistency_bot.patches.own_checks import Contradiction, contradictions
from consistency_bot.patches.sides import Sides
from consistency_bot.patches.versions import read_range
from consistency_bot.syntax import Definition
from consistency_bot.syntax.version_tests import version_checks

State = Literal["needed", "not_needed", "undecided", "gone"]


class PatchState(msgspec.Struct, frozen=True):
    """One patch in one tree. `reason` says why it is in its state; `line` is that of its function, 0 where it is gone."""

    patch: Patch
    state: State
    reason: str
    line: int = 0
    found: Found = Found()
    faults: tuple[Fault, ...] = ()


class Registry:
    """Reads patches in one tree. `known` is what has been read for another tree of the same change."""

    def __init__(self, tree: Tree, patches: Sequence[Patch], sides: Sides, known: Known) -> None:
        self._tree = tree
        self._sides = sides
        self._known = known
        names = sorted({each.symbol.rpartition(".")[2] for each in patches})
        self._mentions = Mentions(tree, sides.files(tree), names, known)

    def state(self, patch: Patch) -> PatchState:
        """Everything that a check has to know. Only where the sides do not decide is the whole tree searched."""
        definition = self._definition(patch)
        if definition is None:
            return PatchState(patch, "gone", "the function is not there", faults=(gone(patch),))
        if isinstance(definition, str):
            return PatchState(patch, "undecided", definition, faults=(gone(patch, definition),))
        wanted = read_range(patch.needed)
        assert wanted is not None, patch.needed  # the rules file would have been refused
        locks = locks_around(self._tree, patch.path, wanted.package, self._known.said)
        answer = is_needed(wanted, locks)
        near = self._mentions.on_sides(patch)
        is_decided = answer.need == "needed" and bool(near.uses)
        found = near if is_decided else self._mentions.anywhere(patch)
        checks = tuple(version_checks(definition.source, definition.node, normalised(wanted.package)))
        faults = [
            *of_need(patch, definition, answer, found, self._sides),
            *self._of_versions(definition, contradictions(wanted, checks, locks.locked)),
            *of_function(definition),
            *of_calls(patch, near.uses, self._sides),
        ]
        return PatchState(patch, answer.need, answer.reason, definition.header_line, found, tuple(faults))

    def state_with_uses(self, patch: Patch) -> PatchState:
        """The same with what the whole tree says of the function, needed or not."""
        state = self.state(patch)
        return msgspec.structs.replace(state, found=self._mentions.anywhere(patch)) if state.line else state

    def is_gone(self, patch: Patch) -> bool:
        """Whether the function is not there, with nothing else looked at."""
        return self._definition(patch) is None

    def _definition(self, patch: Patch) -> Definition | str | None:
        """The function; why it cannot be read; None where it is not there."""
        data = self._tree.read(patch.path)
        if data is None:
            return None
        source = self._known.source(patch.path, data)
        if isinstance(source, str):
            return source
        found = next((each for each in source.definitions if each.qualname == patch.symbol), None)
        if source.root.has_error and (found is None or found.is_broken):
            return f"a syntax error in line {source.first_error_line}"
        return found

    def _of_versions(self, definition: Definition, found: Iterator[Contradiction]) -> Iterator[Fault]:
        for each in found:
            where = f"`{each.said[1]}` ({definition.path}:{each.line})"
            message = f"`{definition.qualname}` checks the version itself, {where}, {each.message}."
            yield Fault(each.said, message, at_line(definition, each.line))
