"""The command `check`: from a change and its rules to a report and an exit status."""

import argparse
import os
from datetime import UTC, datetime

from consistency_bot.check import check_change, never_there
from consistency_bot.cli.given import may_acknowledge, read_given_rules, rules_of
from consistency_bot.cli.streams import is_coloured, put_out, say
from consistency_bot.errors import UsageError
from consistency_bot.git import read_change
from consistency_bot.model import BLOCKING, Change, Report, Rules
from consistency_bot.report import PORTED, Links, View, ansi, is_address, plain, render
from consistency_bot.report.sources import lines_at_head

EXIT_BLOCKS = 1


def run_check(options: argparse.Namespace) -> int:
    """Judge a change and report it: 0 where nothing blocks, 1 where something does. Raises BotError for the rest."""
    given = read_given_rules(options.rules)
    address = _address(options.repository_url)
    with read_change(options.repo, options.base, options.head, options.staged) as change:
        if change.head_name == change.base_name:  # as it should be after a merge, and when the two are mixed up
            say(f"nothing to judge: base has head ({change.head_name[:12]}) already; were --base and --head mixed up?")
        rules = rules_of(change, given)
        report = judged(rules, change, options.repo, options.acks, show_standing=options.all)
        if not report.twins_checked:  # else it would pass for in step whatever is changed
            for what in never_there(rules, change):
                say(f"note: {what}")
        is_ported = options.format in PORTED if options.ports is None else options.ports
        if is_ported and any(each.verdict == "missed" for each in report.findings):
            from consistency_bot.porting import with_ports

            report = with_ports(report, rules, change)
        text = render(report, options.format, _view(change, options.output, address))
    put_out(text, options.format, options.output)
    return EXIT_BLOCKS if _is_blocked(report, options.fail_on) else 0


def judged(rules: Rules, change: Change, repo: str, acks: str | None = None, *, show_standing: bool = False) -> Report:
    """The report on a change, with what its commits and the file `acks` acknowledge. Raises BotError."""
    report = check_change(rules, change, show_standing, datetime.now(UTC).date())
    if acks is None and not (any(each.verdict in BLOCKING for each in report.findings) and may_acknowledge(change)):
        return report
    from consistency_bot.cli.acknowledged import acknowledged

    return acknowledged(report, change, repo, acks)


def _is_blocked(report: Report, fail_on: str) -> bool:
    return fail_on == "block" and any(finding.blocks for finding in report.findings)


def _address(given: str | None) -> str | None:
    """The repository's address on the web: the one given, else the one that GitHub Actions tells its jobs, else None.

    Raises UsageError where the one given is no address.
    """
    if given is not None:
        if not is_address(given):
            raise UsageError(f"--repository-url {given}: expected an address such as https://github.com/OWNER/NAME")
        return given
    server, name = os.environ.get("GITHUB_SERVER_URL", ""), os.environ.get("GITHUB_REPOSITORY", "")
    address = f"{server}/{name}"
    return address if server and name and is_address(address) else None


def _view(change: Change, output: str | None, address: str | None) -> View:
    """Sources are read only where a format asks for them; colour is for a person who watches.

    Only a commit has lines with an address.
    """
    is_commit = change.head_name not in ("WORKTREE", "INDEX")
    links = Links(address, change.head_name) if address is not None and is_commit else None
    return View(lines_at_head(change), ansi if is_coloured(output) else plain, links)
