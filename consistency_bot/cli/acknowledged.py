"""Acknowledgements on somebody's own machine: there, whoever runs the check may say that a difference is meant."""

from consistency_bot.acknowledgements import (
    Acknowledgement,
    acknowledge,
    read_acknowledgement,
    read_acknowledgements,
    with_not_taken,
)
from consistency_bot.cli.given import may_acknowledge
from consistency_bot.cli.streams import say
from consistency_bot.errors import UsageError
from consistency_bot.git import ACKNOWLEDGEMENT, INDEX, WORKTREE, read_trailers
from consistency_bot.model import Change, Report


def acknowledged(report: Report, change: Change, repo: str, path: str | None) -> Report:
    """The report with what the file at `path`, if any, and the commits of the change acknowledge.

    Raises UsageError where the file cannot be read, or holds something else.
    """
    given = _of_file(path) if path is not None else []
    head = "HEAD" if change.head_name in (WORKTREE, INDEX) else change.head_name
    for trailer in read_trailers(repo, change.base_name, head, ACKNOWLEDGEMENT) if may_acknowledge(change) else ():
        read = read_acknowledgement(trailer.value, "trailer", trailer.author)
        if read is not None:
            given.append(read)
        else:
            say(
                f"{ACKNOWLEDGEMENT} of commit {trailer.commit[:12]} is not taken: expected `FINGERPRINT reason`, found {trailer.value}"
            )
    report, untaken = acknowledge(report, given)
    for each in untaken:
        say(f"the acknowledgement of {each.finding} is not taken: {each.why}")
    return with_not_taken(report, untaken)


def _of_file(path: str) -> list[Acknowledgement]:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise UsageError(f"--acks {path}: expected a file that can be read, found: {reason}") from None
    return read_acknowledgements(text, path)
