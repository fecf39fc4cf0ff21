"""The commands `rules check`, `rules show` and `rules schema`: what a rules file means and sees."""

import argparse

from consistency_bot.cli.given import one_tree
from consistency_bot.cli.streams import is_coloured, put_out


def run_rules(options: argparse.Namespace) -> int:
    """Run one of them: 0. Raises BotError, among them RulesError with every mistake of the file."""
    return {"check": _check, "show": _show, "schema": _schema}[options.what](options)


def _check(options: argparse.Namespace) -> int:
    """Mistakes are raised while the file is read; what matches nothing in this tree is told and no failure."""
    from consistency_bot.report.rules_text import render_notices
    from consistency_bot.survey.notices import notices_of

    with one_tree(options) as (rules, change):
        text = render_notices(rules, notices_of(rules, change.head))
    put_out(text, "text", options.output)
    return 0


def _show(options: argparse.Namespace) -> int:
    from consistency_bot.patches.listing import list_patches
    from consistency_bot.report import View, ansi, plain
    from consistency_bot.report.rules_text import render_seen
    from consistency_bot.survey.seen import seen_twins

    view = View(paint=ansi if is_coloured(options.output) else plain)
    with one_tree(options) as (rules, change):
        patches = list_patches(rules, change.head, change.head_name)
        text = render_seen(rules, seen_twins(rules, change.head), patches, view)
    put_out(text, "text", options.output)
    return 0


def _schema(options: argparse.Namespace) -> int:
    import json

    from consistency_bot.rules.json_schema import json_schema

    put_out(json.dumps(json_schema(), indent=2) + "\n", "json", options.output)
    return 0
