"""All patches of a rules file in one tree, as `consistency-bot patches` lists them."""

import msgspec

from consistency_bot.model import Rules, RulesSource, Tree
from consistency_bot.patches.known import Known
from consistency_bot.patches.registry import PatchState, Registry
from consistency_bot.patches.sides import Sides


class Listing(msgspec.Struct, frozen=True):
    """The registry of one tree: its name, the rules file, the patches in the order of that file, names of sides."""

    head: str
    source: RulesSource
    states: tuple[PatchState, ...]
    sides: Sides


def list_patches(rules: Rules, tree: Tree, name: str) -> Listing:
    """The state of every patch, those that are switched off included, with all that names its function."""
    sides = Sides(rules.twins)
    registry = Registry(tree, rules.patches, sides, Known())
    return Listing(name, rules.source, tuple(map(registry.state_with_uses, rules.patches)), sides)
