"""Which changes touched some lines before: what `git log -L` knows, within a second or two.

Only in a clone that has all of its history and all of its files: where history is cut off the last commit that is there
would seem to have written everything, and a partial clone would ask its remote for each version of a file.
"""

import os
import re
import time

from consistency_bot.git.command import Git, environment
from consistency_bot.model import Place, Touch

MOST = 3
"""Changes told of one place, the newest of them."""

OWN = 20
"""Commits of the change itself that may stand before those."""

SECONDS = 2.0
"""Of waiting for git, for all places together; then nothing more is told."""

_NAMED = re.compile(r"\(#(\d{1,9})\)$|^Merge pull request #(\d{1,9}) ")


def pull_named(subject: str) -> int | None:
    """The pull request that a commit's first line names in one of GitHub's own ways; None where it names none."""
    found = _NAMED.search(subject)
    return int(found[1] or found[2]) if found is not None else None


class History:
    """The history of one commit's lines, without the commits since `base`: both full ids."""

    __slots__ = ("_base", "_git", "_head", "_left", "_own", "_why_not")

    def __init__(self, repo: str, base: str, head: str) -> None:
        self._git = Git(os.path.abspath(repo), environment())
        self._base, self._head = base, head
        self._left = SECONDS
        self._own: frozenset[str] = frozenset()
        self._why_not: str | None = None

    @property
    def why_not(self) -> str:
        """Why nothing is told, as the end of a sentence; empty where it can be, or nobody has asked yet."""
        return self._why_not or ""

    def touched(self, place: Place) -> tuple[Touch, ...]:
        """The last changes of a place's lines before this change, the newest first.

        Empty for a place without lines, for lines that this change adds, and where `why_not` says so. Raises GitError
        where git does not start.
        """
        if place.line < 1 or place.end_line < place.line:
            return ()
        if self._why_not is None:
            self._open()
        return () if self._why_not else self._asked(place)

    def _open(self) -> None:
        if self._git.is_shallow():
            self._why_not = "this clone's history is cut off (`fetch-depth: 0` at actions/checkout brings it)"
            return
        if self._git.ask("config", "--get-regexp", r"^remote\..*\.promisor$")[0] == 0:
            self._why_not = (
                "this clone has not all files (`fetch-depth: 0` without `filter` at actions/checkout brings them)"
            )
            return
        self._why_not = ""
        own = self._git.output("rev-list", f"{self._base}..{self._head}", "--")
        self._own = frozenset(own.decode("ascii").split())

    def _asked(self, place: Place) -> tuple[Touch, ...]:
        # Of merged pull requests the merges are told, not what was merged: their messages have the numbers.
        options = ("--first-parent", "--no-patch", "--no-ext-diff", "--no-textconv", "--format=%H%x00%as%x00%s")
        many = f"--max-count={MOST + min(len(self._own), OWN)}"
        lines = f"-L{place.line},{place.end_line}:{place.path}"
        began = time.monotonic()
        printed = self._git.output_within(self._left, "log", *options, many, lines, self._head, "--")
        self._left -= time.monotonic() - began
        if printed is None or self._left <= 0:
            self._why_not = f"git took more than {SECONDS:.0f} seconds"
            return ()
        records = (line.split("\0", 2) for line in printed.decode("utf-8", "replace").split("\n") if line)
        told = [Touch(commit, day, pull_named(subject)) for commit, day, subject in records if commit not in self._own]
        return tuple(told[:MOST])
