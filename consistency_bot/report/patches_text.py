"""The registry of patches for people: each with its state and everything that names its function."""

from collections.abc import Iterator, Sequence

from consistency_bot.patches.listing import Listing
from consistency_bot.patches.registry import PatchState, State
from consistency_bot.patches.sides import Sides
from consistency_bot.report.view import Style, View
from consistency_bot.report.wording import RULES_FROM, short
from consistency_bot.syntax.mentions import Mention
from consistency_bot.visible import visible

STATES: dict[State, tuple[str, Style]] = {
    "needed": ("still needed", "good"),
    "not_needed": ("not needed", "bad"),
    "undecided": ("undecided", "warn"),
    "gone": ("stale entry", "bad"),
}
"""What is said of each state, and how it looks."""

_TOLD = frozenset({"undecided", "gone", "unreadable", "not needed"})
"""Faults that say no more than the state and the lists."""


def render_patches_text(listing: Listing, view: View) -> str:
    """One block for each patch, in the order of the rules file."""
    count = len(listing.states)
    where = f"{visible(listing.source.path)} {RULES_FROM[listing.source.from_]}"
    counted = f"{count or 'no'} patch{'es' * (count != 1)}"
    blocks = [view.paint(f"{visible(short(listing.head))}, {where}: {counted}", "dim")]
    blocks += ["\n".join(_patch(state, listing.sides, view)) for state in listing.states]
    return "\n\n".join(blocks) + "\n"


def _patch(state: PatchState, sides: Sides, view: View) -> Iterator[str]:
    patch = state.patch
    word, style = STATES[state.state]
    ending = " (switched off)" if patch.mode == "off" else ""
    yield f"{visible(patch.id)}: {view.paint(word, style)}{ending}"
    yield f"  {visible(state.reason)}; needed for {visible(patch.needed)}"
    at = f"{visible(patch.path)}:{state.line}" if state.line else visible(patch.path)
    yield f"  function: {at} {visible(patch.symbol)}"
    for name, value in (("upstream", patch.upstream), ("test", patch.test), ("expires", patch.expires)):
        if value:
            yield f"  {name}: {visible(str(value))}"
    if state.line:
        found = state.found
        yield from _places("calls", found.uses, sides) if found.uses else ["  calls: none"]
        yield from _places("imports", found.imports, sides)
        yield from _places("tests", [each for each in found.tests if each.kind != "import"], sides)
    if state.state == "not_needed":
        yield f"  {view.paint('to do', 'warn')}: remove the function, all that is listed here, and its entry in the rules"
    for fault in state.faults:
        if fault.said[0] not in _TOLD:
            yield f"  {view.paint('to do', 'warn')}: {visible(fault.message)}"


def _places(name: str, mentions: Sequence[Mention], sides: Sides) -> Iterator[str]:
    if mentions:
        yield f"  {name}:"
    for each in mentions:
        side = sides.of(each.path)
        words = (
            f"{side}:" if side else "",
            f"{each.path}:{each.line}",
            f"in {each.function}" if each.function else "",
            "(handed on, not called)" if each.kind == "reference" else "",
        )
        yield "    " + " ".join(visible(word) for word in words if word)
