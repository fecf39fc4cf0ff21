"""What the commands' helps say alike: exit statuses, and the options that most of them take."""

import argparse
from collections.abc import Callable
from functools import partial

EXIT_DECLINED = 1
"""Of `port`, for findings and for files: no port can be made honestly, or not all that were asked for."""

WRONG = "2 the rules file or the command line is wrong"
GIT = "3 git could not answer"
BUG = "70 a bug of consistency-bot"


def statuses(*meanings: str) -> str:
    """The line of a help that lists exit statuses."""
    return f"exit status: {'; '.join(meanings)}"


class Help(argparse.HelpFormatter):
    """Help of one width everywhere: to ask the terminal for its own, argparse imports `shutil`, in every run."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=96)


Add = Callable[..., argparse.ArgumentParser]
"""Adds a command of a name to those that there are, and gives its parser."""


def add_commands(parser: argparse.ArgumentParser, name: str) -> Add:
    """What adds the commands of which one has to follow; the options have its name as `name`."""
    commands = parser.add_subparsers(dest=name, metavar=name.upper(), required=True)
    return partial(commands.add_parser, formatter_class=Help)


def add_repo(command: argparse.ArgumentParser) -> None:
    """`--repo`."""
    command.add_argument("--repo", default=".", metavar="DIR", help="a folder of the repository (default: this one)")


def add_rules_file(command: argparse.ArgumentParser) -> None:
    """`--rules`."""
    command.add_argument("--rules", metavar="FILE", help="the rules file (default: the repository's own)")


def add_output(command: argparse.ArgumentParser) -> None:
    """`--output`, of what is printed else."""
    command.add_argument("--output", metavar="FILE", help="write there instead of printing it")
