"""The registry of patches as JSON, version 1: what other programs read. Additive changes only."""

from collections.abc import Sequence

import msgspec

from consistency_bot import __version__
from consistency_bot.model import Mode, RulesSource
from consistency_bot.patches.faults import Fault
from consistency_bot.patches.listing import Listing
from consistency_bot.patches.registry import PatchState, State
from consistency_bot.patches.sides import Sides
from consistency_bot.report.json_report import as_json
from consistency_bot.report.view import View
from consistency_bot.syntax.mentions import Mention


class UseJson(msgspec.Struct, frozen=True):
    """A place that names the function. `side` is null for a file of no twins, `function` at module level."""

    kind: str
    side: str | None
    path: str
    line: int
    end_line: int
    function: str | None


class FaultJson(msgspec.Struct, frozen=True):
    """Something wrong with a patch; `undecided` where that cannot be told for sure."""

    kind: str
    message: str
    path: str
    line: int
    undecided: bool


class PatchJson(msgspec.Struct, frozen=True):
    """A patch; `line` is null where its function is gone."""

    id: str
    state: State
    reason: str
    needed: str
    path: str
    line: int | None
    function: str
    mode: Mode
    upstream: str | None
    test: str | None
    expires: str | None
    uses: tuple[UseJson, ...]
    imports: tuple[UseJson, ...]
    tests: tuple[UseJson, ...]
    faults: tuple[FaultJson, ...]


class RegistryJson(msgspec.Struct, frozen=True):
    """All of it."""

    version: int
    tool: str
    head: str
    rules: RulesSource
    patches: tuple[PatchJson, ...]


def render_patches_json(listing: Listing, _: View) -> str:
    """The registry as JSON with two spaces of indentation."""
    patches = tuple(_patch(state, listing.sides) for state in listing.states)
    return as_json(RegistryJson(1, f"consistency-bot {__version__}", listing.head, listing.source, patches))


def _patch(state: PatchState, sides: Sides) -> PatchJson:
    patch = state.patch
    return PatchJson(
        id=patch.id,
        state=state.state,
        reason=state.reason,
        needed=patch.needed,
        path=patch.path,
        line=state.line or None,
        function=patch.symbol,
        mode=patch.mode,
        upstream=patch.upstream or None,
        test=patch.test or None,
        expires=str(patch.expires) if patch.expires is not None else None,
        uses=_uses(state.found.uses, sides),
        imports=_uses(state.found.imports, sides),
        tests=_uses(state.found.tests, sides),
        faults=tuple(map(_fault, state.faults)),
    )


def _uses(mentions: Sequence[Mention], sides: Sides) -> tuple[UseJson, ...]:
    return tuple(
        UseJson(each.kind, sides.of(each.path) or None, each.path, each.line, each.end_line, each.function or None)
        for each in mentions
    )


def _fault(fault: Fault) -> FaultJson:
    return FaultJson(fault.said[0].replace(" ", "_"), fault.message, fault.place.path, fault.place.line, fault.doubt)
