"""One exception per exit code: what was expected, what was found, where, and what to do next.

Only `cli` turns these into a message on standard error and an exit status. Everything else raises them.
"""


class BotError(Exception):
    """An error that a user can act on. `exit_code` is the status the process ends with."""

    exit_code = 70


class RulesError(BotError):
    """The rules file is wrong. `problems` holds one located sentence per mistake, never none."""

    exit_code = 2

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class UsageError(BotError):
    """The command line asks for something that does not exist or does not go together."""

    exit_code = 2


class GitError(BotError):
    """git could not answer: unknown revision, no merge base, shallow history, no repository."""

    exit_code = 3


class GitHubError(BotError):
    """GitHub could not be reached, or did not do what it was asked."""

    exit_code = 4


class Refused(GitHubError):
    """GitHub refuses this token: it lacks the right, or the thing is not there for it (401, 403, 404)."""


class SmokeError(BotError):
    """A smoke job could not be run: no torch, no such device, a launcher that cannot start it. It did not fail."""

    exit_code = 5
