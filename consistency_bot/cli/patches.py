"""The command `patches`: the registry of monkey-patches in one tree."""

import argparse

from consistency_bot.cli.given import one_tree
from consistency_bot.cli.streams import is_coloured, put_out
from consistency_bot.patches.listing import list_patches
from consistency_bot.report import PATCH_FORMATS, View, ansi, plain


def run_patches(options: argparse.Namespace) -> int:
    """List every patch with its state: 0, whatever it is. Raises BotError where there are no rules or no tree."""
    with one_tree(options) as (rules, change):
        listing = list_patches(rules, change.head, change.head_name)
    view = View(paint=ansi if is_coloured(options.output) else plain)
    put_out(PATCH_FORMATS[options.format](listing, view), options.format, options.output)
    return 0
