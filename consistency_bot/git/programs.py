"""Programs that a configuration gives git to run while it only looks at files: they are switched off.

To compare a file on the disk with a commit, git runs the `clean` command of the filter that `.gitattributes` chooses
for the file. The command may be a script of the repository (`./tools/clean.py`), whose text is part of the change that
is judged, and nothing of that is ever run. Commands cannot be switched off altogether, only by their filter's name.
"""

from consistency_bot.errors import GitError
from consistency_bot.git.command import Git

_OFF = {
    "filter": ("clean=", "process=", "required=false"),
    "hook": ("enabled=false",),  # git 2.54 and newer; hooks that are files are set back for every command
}


def without_programs(git: Git) -> Git:
    """The same git, running no filter and no configured hook.

    A file with a filter is then compared as it lies on the disk. Raises GitError where a name cannot be switched off.
    """
    status, listed, message = git.ask("config", "-z", "--name-only", "--get-regexp", r"^(filter|hook)\..*\.")
    if status > 1:  # 1: there are none
        raise git.failure("`git config`", message)
    return Git(git.repo, git.env, git.settings + _switched_off(git.repo, listed))


def _switched_off(repo: str, listed: bytes) -> tuple[str, ...]:
    """The options that switch the listed configuration off; `repo` is for messages."""
    settings: dict[str, None] = {}
    for key in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        entry = key.rpartition(".")[0]
        if "=" in entry:  # `-c` would end the name there
            raise GitError(
                f"{repo}: expected names of filters and hooks without `=`, found [{entry}] in git's configuration,"
                " whose command could not be kept from running; rename it, or check a commit with --head REV"
            )
        for off in _OFF[entry.partition(".")[0]]:
            settings[f"{entry}.{off}"] = None
    return tuple(part for setting in settings for part in ("-c", setting))
