"""What the commands `smoke plan | run | report` take."""

import argparse

from consistency_bot.cli.option_parts import (
    BUG,
    GIT,
    WRONG,
    add_commands,
    add_output,
    add_repo,
    add_rules_file,
    statuses,
)

_PASSED = "0 what could run here passed, and something did; 1 something failed"
_NOT_RUN = "5 a job could not be run, or nothing ran"
_NO_RESULTS = "2 the command line is wrong, or a file is no results file"
EXIT_CODES = statuses(_PASSED, WRONG, GIT, _NOT_RUN, BUG)
_PLAN_EXIT_CODES = statuses("0 told, whether a job is needed or none", WRONG, GIT, BUG)
_REPORT_EXIT_CODES = statuses(_PASSED, _NO_RESULTS, _NOT_RUN, BUG)
PLAN = (
    "Tell which smoke jobs a change needs, and why: a rule, its twins or a patch changed, the locked torch, or what"
    " `when` in the rules says. The jobs are those of the base commit's rules where --head names a commit."
)
RUN = (
    "Run smoke jobs of the rules file on the working tree. This executes code of the repository: the job's command, the"
    " patches and the modules that the rules name. No JOB means all."
)
REPORT = "Print what runs came to, those of several machines side by side."


def add_smoke(smoke: argparse.ArgumentParser) -> None:
    """Add the three to `smoke`."""
    add = add_commands(smoke, "what")
    _add_plan(add("plan", help="which jobs a change needs", description=PLAN, epilog=_PLAN_EXIT_CODES))
    _add_run(add("run", help="run jobs", description=RUN, epilog=EXIT_CODES))
    _add_report(add("report", help="what runs came to", description=REPORT, epilog=_REPORT_EXIT_CODES))


def _add_repository(command: argparse.ArgumentParser) -> None:
    add_repo(command)
    add_rules_file(command)


def _add_plan(plan: argparse.ArgumentParser) -> None:
    _add_repository(plan)
    plan.add_argument(
        "--base", metavar="REV", help="the change since the merge base with REV (default: default branch)"
    )
    heads = plan.add_mutually_exclusive_group()
    heads.add_argument("--head", metavar="REV", help="the change up to the commit REV (default: the working tree)")
    heads.add_argument("--staged", action="store_true", help="the change up to what is staged")
    report = "take the jobs from a JSON report of `consistency-bot check` instead of looking again"
    plan.add_argument("--report", metavar="FILE", help=report)
    label = "a label of the pull request; may be given several times"
    plan.add_argument("--label", action="append", default=[], metavar="NAME", help=label)
    formats = "text, json, or matrix for `strategy.matrix` of a GitHub workflow (default: text)"
    plan.add_argument("--format", choices=["text", "json", "matrix"], default="text", help=formats)
    add_output(plan)


def _add_run(run: argparse.ArgumentParser) -> None:
    run.add_argument("jobs", nargs="*", metavar="JOB", help="jobs of the rules file (default: all)")
    _add_repository(run)
    base = "take the jobs from the rules of the commit REV (default: from the working tree's)"
    run.add_argument("--base", metavar="REV", help=base)
    cell = "run only cells of this name, in which `*` stands for any text; may be given several times"
    run.add_argument("--cell", action="append", default=[], metavar="NAME", help=cell)
    device = "where tensors live; auto: on a GPU where PyTorch sees one (default: auto)"
    run.add_argument("--device", choices=["auto", "cpu", "cuda"], default="auto", help=device)
    launcher = (
        '`local`, or a scheduler\'s command such as "srun -n1 --gpus={gpus} --time={minutes} {command}"'
        " (default: local)"
    )
    run.add_argument("--launcher", default="local", metavar="TEMPLATE", help=launcher)
    out = "folder for one results file per job (default: smoke-results)"
    run.add_argument("--out", default="smoke-results", metavar="DIR", help=out)


def _add_report(report: argparse.ArgumentParser) -> None:
    report.add_argument("files", nargs="+", metavar="FILE", help="results files of `smoke run`")
    formats = "text, json or markdown (default: text)"
    report.add_argument("--format", choices=["text", "json", "markdown"], default="text", help=formats)
    add_output(report)
    picture = "draw the matrix there; the ending tells the format, .png or .svg (needs matplotlib)"
    report.add_argument("--picture", action="append", default=[], metavar="FILE", help=picture)
