"""What the commands' helps say alike: exit statuses, and the options that most of them take."""

import argparse

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


def add_repo(command: argparse.ArgumentParser) -> None:
    """`--repo`."""
    command.add_argument("--repo", default=".", metavar="DIR", help="a folder of the repository (default: this one)")


def add_rules_file(command: argparse.ArgumentParser) -> None:
    """`--rules`."""
    command.add_argument("--rules", metavar="FILE", help="the rules file (default: the repository's own)")


def add_output(command: argparse.ArgumentParser) -> None:
    """`--output`, of what is printed else."""
    command.add_argument("--output", metavar="FILE", help="write there instead of printing it")
