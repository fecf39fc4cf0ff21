"""What the command line takes. argparse: 5 ms to import, where click takes 20."""

import argparse
from collections.abc import Callable

from consistency_bot import __version__
from consistency_bot.cli.option_parts import (
    BUG,
    GIT,
    WRONG,
    Add,
    Help,
    add_commands,
    add_output,
    add_repo,
    add_rules_file,
    statuses,
)
from consistency_bot.report import FORMATS, PATCH_FORMATS

_JUDGED = "0 nothing blocks; 1 something blocks"
_GITHUB = "4 GitHub could not be reached, or refused"
_NOT_RUN = "5 a smoke job could not be run, or nothing ran"


EXIT_CODES = statuses(_JUDGED, WRONG, GIT, f"{_GITHUB} (`github` alone)", f"{_NOT_RUN} (`smoke` alone)", BUG)
"""Of all commands; the help of each has its own."""

_CHECK_EXIT_CODES = statuses(_JUDGED, WRONG, GIT, BUG)
_GITHUB_EXIT_CODES = statuses(_JUDGED, WRONG, GIT, _GITHUB, BUG)
_TREE_EXIT_CODES = statuses("0 told, whatever there is to tell", WRONG, GIT, BUG)
_DEMO_EXIT_CODES = statuses("0 the story came out as told", "1 it did not", "2 the example is not there", GIT, BUG)
_PRINTING_EXIT_CODES = statuses("0 printed", "2 the command line is wrong", BUG)


def parse(arguments: list[str]) -> argparse.Namespace:
    """The options of one command. Raises SystemExit after printing where nothing is to be run: help, or a mistake."""
    parser = argparse.ArgumentParser(
        "consistency-bot",
        description="Says when two implementations of one thing stop being in step.",
        epilog=EXIT_CODES,
        formatter_class=Help,
    )
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    add = add_commands(parser, "command")
    # The others are there for the help, and for a slip: to make them takes 2 ms.
    named = arguments[0] if arguments else ""
    for add_command in (_COMMANDS[named],) if named in _COMMANDS else _COMMANDS.values():
        add_command(add)
    return parser.parse_args(arguments)


_CHECK = (
    "Judge a change by the twins that the rules file declares. Without options: everything in the working tree that"
    " the default branch does not have."
)


_EXPLAIN = (
    "Print what a word of a report or a rules file means, with a good and a bad example for the kinds of rules. Without a"
    " word: list all that are known."
)
_PORT = (
    "Write the other side's change. With fingerprints of a check's findings, or --all: print it as a patch, or make it in"
    " the working tree (--apply). Without either: list what can be ported. With --from and --onto: one file's change"
    " written into its twin, printed as a whole."
)
_PORT_EXIT_CODES = statuses(
    "0 printed or made",
    "1 declined, and nothing of that is printed",
    "2 the command line or the rules file is wrong, or a file would be overwritten that is not committed",
    GIT,
    BUG,
)


def _add_port(add: Add) -> None:
    port = add("port", help="write the other side's change", description=_PORT, epilog=_PORT_EXIT_CODES)
    port.add_argument("fingerprints", nargs="*", metavar="FINGERPRINT", help="a finding, by eight digits or more")
    port.add_argument("--all", action="store_true", help="every finding that a side missed a change")
    port.add_argument("--safe", action="store_true", help="only what is sure, and quiet when it is judged again")
    port.add_argument("--apply", action="store_true", help="make the change in the working tree")
    dirty = "with --apply: also in files with changes that are not committed"
    port.add_argument("--allow-dirty", action="store_true", help=dirty)
    port.add_argument("--patch", metavar="FILE", help="write the patch there instead of printing it")
    port.add_argument("--explain", action="store_true", help="say for each part of the change what was decided and why")
    add_repo(port)
    port.add_argument("--base", metavar="REV", help="judge since the merge base with REV (default: default branch)")
    port.add_argument("--head", metavar="REV", help="judge the commit REV (default: the working tree)")
    add_rules_file(port)
    old_and_new = "a file before and after the change, without any repository"
    port.add_argument("--from", dest="from_", nargs=2, metavar=("OLD", "NEW"), help=old_and_new)
    port.add_argument("--onto", metavar="FILE", help="its twin, before the change")
    port.add_argument("--diff", action="store_true", help="print a unified diff instead of the whole file")


def _add_explain(add: Add) -> None:
    words = "what a word of a report or a rules file means"
    explain = add("explain", help=words, description=_EXPLAIN, epilog=_PRINTING_EXIT_CODES)
    word = "a verdict, a concept, a kind of rule, or another word (default: list all that there are)"
    explain.add_argument("words", metavar="WORD", nargs="*", help=word)


def _add_demo(add: Add) -> None:
    demo = "build a throw-away repository from the example and tell its story"
    add("demo", help=demo, description=demo, epilog=_DEMO_EXIT_CODES)


def _add_check(add: Add) -> None:
    check = add("check", help="judge a change", description=_CHECK, epilog=_CHECK_EXIT_CODES)
    add_repo(check)
    check.add_argument("--base", metavar="REV", help="judge since the merge base with REV (default: default branch)")
    heads = check.add_mutually_exclusive_group()
    heads.add_argument("--head", metavar="REV", help="judge the commit REV, by the base commit's rules file")
    heads.add_argument("--staged", action="store_true", help="judge what is staged, by the working tree's rules file")
    add_rules_file(check)
    check.add_argument("--format", choices=list(FORMATS), default="text", help="of the report (default: text)")
    url = "address of the repository on the web, for links to lines (default: GitHub's, inside its Actions)"
    check.add_argument("--repository-url", metavar="URL", help=url)
    acks = "acknowledgements, one `FINGERPRINT reason` a line, beside those in the commits' messages"
    check.add_argument("--acks", metavar="FILE", help=acks)
    ports = "write the other side's change for what one side missed (default: in all formats but text and github)"
    check.add_argument("--ports", action=argparse.BooleanOptionalAction, help=ports)
    check.add_argument("--output", metavar="FILE", help="write the report there instead of printing it")
    check.add_argument("--all", action="store_true", help="also list what differed before, in all twins")
    check.add_argument(
        "--fail-on", choices=["never", "block"], default="block", help="when to exit with 1 (default: block)"
    )


GITHUB_TASKS = {
    "report": "judge what the event is about; write the comment and the commit status",
    "status": "judge what the event is about; write the commit status alone",
    "smoke": "tell what smoke jobs came to, in a status for each, and write the comment anew",
    "command": "do what a comment asks for: /consistency ack | recheck | port | smoke | help",
}


def _add_github(add: Add) -> None:
    inside = "inside GitHub Actions: judge, and write what came out"
    github = add("github", help=inside, epilog=_GITHUB_EXIT_CODES)
    github.description = (
        "Inside a job of GitHub Actions: everything is taken from its event file and its environment (GITHUB_TOKEN;"
        " without it nothing is written on GitHub)."
    )
    add_task = add_commands(github, "task")
    for name, text in GITHUB_TASKS.items():
        _add_task(add_task(name, help=text, description=text, epilog=_GITHUB_EXIT_CODES))


def _add_task(task: argparse.ArgumentParser) -> None:
    add_repo(task)
    task.add_argument("--event", metavar="FILE", help="the event (default: GITHUB_EVENT_PATH)")
    fetch = "fetch the commits and their history from REMOTE first (default: all is here)"
    task.add_argument("--fetch", default="", metavar="REMOTE", help=fetch)
    task.add_argument("--output", metavar="FILE", help="write the JSON report there")
    label = (
        "label pull requests by verdict: `PREFIX: drift`, `PREFIX: unknown`, `PREFIX: acknowledged` (default: do not)"
    )
    task.add_argument("--label", default="", metavar="PREFIX", help=label)
    fail_on = "when to exit with 1 (default: block); the commit status does not depend on it"
    task.add_argument("--fail-on", choices=["never", "block"], default="block", help=fail_on)
    results = "a folder with results files of `smoke run` (for the task smoke)"
    task.add_argument("--results", default="", metavar="DIR", help=results)
    task.add_argument("--dry-run", action="store_true", help="print what would be written, and write nothing on GitHub")


def _add_patches(add: Add) -> None:
    listed = "list monkey-patches: whether each is still needed, and everything that names its function"
    patches = add("patches", help="list monkey-patches", description=listed, epilog=_TREE_EXIT_CODES)
    _add_tree(patches)
    patches.add_argument("--format", choices=list(PATCH_FORMATS), default="text", help="of the list (default: text)")


def _add_smoke(add: Add) -> None:
    from consistency_bot.cli.smoke_options import EXIT_CODES, add_smoke

    jobs = "run smoke jobs on real hardware: which a change needs, running them, what they came to"
    add_smoke(add("smoke", help=jobs, epilog=EXIT_CODES))


def _add_rules(add: Add) -> None:
    rules = add("rules", help="what a rules file means and sees", epilog=_TREE_EXIT_CODES)
    add_what = add_commands(rules, "what")
    check = "tell every mistake of a rules file, and what in it matches nothing in this tree"
    _add_tree(add_what("check", help="find mistakes", description=check, epilog=_TREE_EXIT_CODES))
    show = "tell what every rule sees in this tree: sides, files, functions, facts"
    _add_tree(add_what("show", help="tell what rules see", description=show, epilog=_TREE_EXIT_CODES))
    add_output(add_what("schema", help="print the JSON Schema of rules files", epilog=_PRINTING_EXIT_CODES))


def _add_tree(command: argparse.ArgumentParser) -> None:
    """What a command about one tree takes."""
    add_repo(command)
    command.add_argument("--head", metavar="REV", help="look at the commit REV (default: the working tree)")
    add_rules_file(command)
    add_output(command)


_COMMANDS: dict[str, Callable[[Add], None]] = {
    "check": _add_check,
    "explain": _add_explain,
    "port": _add_port,
    "demo": _add_demo,
    "github": _add_github,
    "patches": _add_patches,
    "smoke": _add_smoke,
    "rules": _add_rules,
}
"""What adds each command, in the order of the help."""
