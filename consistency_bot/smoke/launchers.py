"""From a command to what a machine or a scheduler is asked to run: text in, text out."""

import shlex

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.jobs import Job

LOCAL = "local"
_WORDS = ("command", "gpus", "ranks", "minutes", "job")


class Launcher(msgspec.Struct, frozen=True):
    """How commands are started: words of a template, in which `{command}` and others are filled in; none for `local`."""

    words: tuple[str, ...] = ()

    @property
    def is_local(self) -> bool:
        """Whether commands run as this machine's own processes."""
        return not self.words


def read_launcher(text: str) -> Launcher:
    """The launcher that `--launcher` spells. Raises UsageError for a template that has no place for the command."""
    if text.strip() == LOCAL:
        return Launcher()
    takes = "expected `local`, or a command such as `srun -n1 --gpus={gpus} --time={minutes} {command}`"
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise UsageError(f"--launcher {text}: {takes}; found: {error}") from None
    if not any("{command}" in word for word in words):
        raise UsageError(f"--launcher {text}: {takes}; found no {{command}} in it")
    return Launcher(words)


def launched(launcher: Launcher, command: list[str], job: Job, device: str, ranks: int) -> list[str]:
    """The whole command. A word that is `{command}` becomes the command's words; inside another word it is quoted.

    On a `cpu` no GPU is asked for. Braces that name none of `_WORDS` stay as they are.
    """
    if launcher.is_local:
        return command
    values = {
        "gpus": str(job.gpus if device == "cuda" else 0),
        "ranks": str(ranks),
        "minutes": str(job.minutes),
        "job": job.name,
        "command": shlex.join(command),
    }
    out: list[str] = []
    for word in launcher.words:
        out += command if word == "{command}" else [_filled(word, values)]
    return out


def _filled(word: str, values: dict[str, str]) -> str:
    parts = word.split("{")
    said = parts[0]
    for part in parts[1:]:
        name, closing, rest = part.partition("}")
        said += values[name] + rest if closing and name in values else "{" + part
    return said
