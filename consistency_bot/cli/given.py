"""What a command is given: the rules file, the one tree that it is about, what a change's commits acknowledge."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec.structs import replace

from consistency_bot.cli.streams import say
from consistency_bot.errors import UsageError
from consistency_bot.git import ACKNOWLEDGEMENT, read_change
from consistency_bot.model import Change, Rules, RulesSource
from consistency_bot.rules import RulesText, load_rules


def read_given_rules(path: str | None) -> RulesText | None:
    """The file named by `--rules`; None where none is named. Raises UsageError where it cannot be read."""
    if path is None:
        return None
    try:
        with open(path, "rb") as file:
            return RulesText(path, file.read())
    except OSError as error:
        raise UsageError(f"--rules {path}: expected a file that can be read, found: {error.strerror}") from None


def rules_of(change: Change, given: RulesText | None) -> Rules:
    """The rules of a change; what there is to note about them is said to whoever runs the command. Raises as `load_rules` does."""
    rules = load_rules(change, given)
    for note in rules.notes:
        say(note)
    return rules


def may_acknowledge(change: Change) -> bool:
    """Whether the commits of a change may acknowledge a finding: a single one without the word does not."""
    return change.message is None or ACKNOWLEDGEMENT.lower().encode() in change.message.lower()


@contextmanager
def one_tree(options: argparse.Namespace) -> Iterator[tuple[Rules, Change]]:
    """The rules of one tree, and that tree as the head of a change that changes nothing but what is not committed.

    The tree is the commit `--head`, or else the working tree. Raises BotError as a check would.
    """
    given = read_given_rules(options.rules)
    with read_change(options.repo, options.head or "HEAD", options.head) as change:
        rules = load_rules(change, given)
        if rules.source.from_ == "base":  # base is the one tree itself
            rules = replace(rules, source=RulesSource(rules.source.path, "head"))
        yield rules, change
