"""Which pull requests a merge queue's group holds, as its commits' messages name them.

A message is anybody's text. What is read from it can only add acknowledgements that somebody with `write` gave to the
very same finding, in another pull request; it never makes a waiver or a trailer count: `is_known` is for that.
"""

import msgspec

from consistency_bot.git import read_subjects
from consistency_bot.git.history import pull_named
from consistency_bot.github.judging import Clone
from consistency_bot.github.subject import Subject

MOST = 50
"""Pull requests of one group that are asked about."""


class Numbers(msgspec.Struct, frozen=True):
    """`is_known` tells a group whose every commit on the queue's line names its pull request."""

    numbers: tuple[int, ...]
    is_known: bool


def numbers_of(clone: Clone, subject: Subject) -> Numbers:
    """The numbers that the commits, which have been fetched, name; the newest first. Raises GitError."""
    subjects = read_subjects(clone.folder, subject.base, subject.head)
    found = [pull_named(each) for each in subjects]
    numbers = tuple(dict.fromkeys(each for each in found if each is not None))
    # A group of one needs no names: the queue's branch has it.
    is_known = len(subjects) == 1 or (None not in found and len(numbers) <= MOST)
    return Numbers(numbers[:MOST], is_known)
