"""What the messages of a change's commits say in their last lines, as in `Signed-off-by: Ada`."""

import os

import msgspec

from consistency_bot.git.command import Git, environment

ACKNOWLEDGEMENT = "Consistency-Ack"
"""The trailer with which a commit acknowledges a finding."""


class Trailer(msgspec.Struct, frozen=True):
    """One value of a trailer, on one line; the commit's full id, and its author's name, which anybody can choose."""

    commit: str
    author: str
    value: str


def read_trailers(repo: str, base: str, head: str, name: str) -> list[Trailer]:
    """The trailers of that name in the commits that head has and base has not, the newest commit first.

    `base` and `head` are full commit ids, or `HEAD`. Raises GitError.
    """
    git = Git(os.path.abspath(repo), environment())
    values = f"%(trailers:key={name},valueonly=true,unfold=true,separator=%x0a)"
    printed = git.output("log", "-z", f"--format=%H%n%an%n{values}", f"{base}..{head}", "--")
    found = []
    for record in printed.decode("utf-8", "replace").split("\0"):
        commit, _, rest = record.partition("\n")
        author, _, lines = rest.partition("\n")
        found += [Trailer(commit, author, line) for line in lines.split("\n") if line.strip()]
    return found


def read_subjects(repo: str, base: str, head: str) -> list[str]:
    """The first lines of the messages of head's own line of commits since base, the newest first. Raises GitError."""
    git = Git(os.path.abspath(repo), environment())
    printed = git.output("log", "-z", "--first-parent", "--format=%s", f"{base}..{head}", "--")
    return [each for each in printed.decode("utf-8", "replace").split("\0") if each]
