"""The commands `smoke plan | run | report`: which jobs a change needs, running them, and what they came to."""

import argparse
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from types import FrameType

from consistency_bot.check import check_change
from consistency_bot.cli.given import read_given_rules, rules_of
from consistency_bot.cli.streams import put_out, say
from consistency_bot.errors import UsageError
from consistency_bot.git import find_working_folder, read_change
from consistency_bot.jobs import Job
from consistency_bot.model import Rules
from consistency_bot.rules import load_rules

ENDING = (signal.SIGTERM, signal.SIGHUP)
"""Signals that end a run as Ctrl-C does: with all that it started."""


def run_smoke(options: argparse.Namespace) -> int:
    """Do one of the three; the exit status. Raises BotError for what cannot be done at all."""
    return {"plan": _plan, "run": _run, "report": _report}[options.what](options)


def _plan(options: argparse.Namespace) -> int:
    from consistency_bot.planned import planned
    from consistency_bot.smoke.plan import PLAN_FORMATS, planned_by_report

    given = read_given_rules(options.rules)
    if options.report is not None:
        jobs = planned_by_report(options.report, given, options.repo)
    else:
        with read_change(options.repo, options.base, options.head, options.staged) as change:
            rules = rules_of(change, given)
            report = check_change(rules, change, False, datetime.now(UTC).date(), options.label)
        jobs = planned(rules, report.smoke)
    put_out(PLAN_FORMATS[options.format](jobs), options.format, options.output)
    return 0


def _run(options: argparse.Namespace) -> int:
    from consistency_bot.cli.progress import progress
    from consistency_bot.smoke.launchers import read_launcher
    from consistency_bot.smoke.results import exit_status
    from consistency_bot.smoke.running import run_jobs
    from consistency_bot.smoke.setting import Setting
    from consistency_bot.smoke.text import render_text

    launcher = read_launcher(options.launcher)
    rules, commit = _rules(options)
    setting = Setting(
        repository=find_working_folder(options.repo),
        commit=commit,
        out=os.path.abspath(options.out),
        device=options.device,
        launcher=launcher,
        patches=tuple(patch for patch in rules.patches if patch.mode != "off"),
        rules=tuple(rule for rule in rules.declared if rule.mode != "off"),
        cells=tuple(options.cell),
    )
    with _ended_as_by_ctrl_c(), progress() as watch:
        runs = run_jobs(_chosen(rules, options.jobs), setting, watch)
    put_out(render_text(runs), "text", None)
    say(f"results: {', '.join(os.path.join(options.out, f'{run.job}.jsonl') for run in runs)}")
    return exit_status(runs)


def _rules(options: argparse.Namespace) -> tuple[Rules, str]:
    """The rules with the jobs, and the commit that is checked out."""
    given = read_given_rules(options.rules)
    with read_change(options.repo, "HEAD", None) as here:
        commit = here.base_name
        if options.base is None:
            return load_rules(here, given), commit
    with read_change(options.repo, options.base, options.base) as there:
        return load_rules(there, given), commit


def _chosen(rules: Rules, names: list[str]) -> list[Job]:
    known = {job.name: job for job in rules.jobs}
    for name in names:
        if name not in known:
            takes = f"there {'are' if len(known) != 1 else 'is'}: {', '.join(known)}" if known else "there is none"
            raise UsageError(f"{rules.source.path} has no smoke job `{name}`; {takes}")
    if not known:
        raise UsageError(f"{rules.source.path} has no smoke jobs: write some under `smoke`; see docs/smoke/jobs.md")
    return [known[name] for name in dict.fromkeys(names or known)]


@contextmanager
def _ended_as_by_ctrl_c() -> Iterator[None]:
    """Signals of `ENDING` unwind the run, so that nothing of it lives on."""

    def end(number: int, _: FrameType | None) -> None:
        for each in ENDING:
            signal.signal(each, signal.SIG_IGN)
        raise SystemExit(128 + number)

    before = {number: signal.signal(number, end) for number in ENDING}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _report(options: argparse.Namespace) -> int:
    from consistency_bot.smoke.results import exit_status, read_run
    from consistency_bot.smoke.showing import RUN_FORMATS

    runs = [read_run(path) for path in options.files]
    put_out(RUN_FORMATS[options.format](runs), options.format, options.output)
    for path in options.picture:
        from consistency_bot.smoke.picture import draw

        draw(runs, path)
    return exit_status(runs)
