"""The command `check`: from a change and its rules to a report and an exit status."""

import argparse
import os
import sys

from consistency_bot.check import check_change
from consistency_bot.cli.streams import print_report, say, write_report
from consistency_bot.errors import UsageError
from consistency_bot.git import read_change
from consistency_bot.model import Change, Report
from consistency_bot.report import View, ansi, plain, render
from consistency_bot.rules import RulesText, load_rules

EXIT_BLOCKS = 1


def run_check(options: argparse.Namespace) -> int:
    """Judge a change and report it: 0 where nothing blocks, 1 where something does. Raises BotError for the rest."""
    given = _read_rules(options.rules) if options.rules is not None else None
    with read_change(options.repo, options.base, options.head, options.staged) as change:
        rules = load_rules(change, given)
        for note in rules.notes:
            say(note)
        report = check_change(rules, change, options.all)
        text = render(report, options.format, _view(change, options.output))
    if options.output is None:
        print_report(text, "utf-8" if options.format == "json" else sys.stdout.encoding or "utf-8")
    else:
        write_report(options.output, text)
    return EXIT_BLOCKS if _is_blocked(report, options.fail_on) else 0


def _is_blocked(report: Report, fail_on: str) -> bool:
    return fail_on == "block" and any(finding.blocks for finding in report.findings)


def _read_rules(path: str) -> RulesText:
    """The file named by `--rules`. Raises UsageError where it cannot be read."""
    try:
        with open(path, "rb") as file:
            return RulesText(path, file.read())
    except OSError as error:
        raise UsageError(f"--rules {path}: expected a file that can be read, found: {error.strerror}") from None


def _view(change: Change, output: str | None) -> View:
    """Sources are read only where a format asks for them; colour is for a person who watches."""

    def lines(path: str) -> tuple[str, ...]:
        data = change.head.read(path)
        # Counted as editors do, at line ends only; `splitlines` would count form feeds too.
        return tuple(data.decode("utf-8-sig", "replace").replace("\r\n", "\n").split("\n")) if data is not None else ()

    is_watched = output is None and sys.stdout.isatty()
    is_coloured = is_watched and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    return View(lines, ansi if is_coloured else plain)
