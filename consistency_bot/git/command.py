"""Runs `git`: the environment it gets, one-shot commands, and what its failures mean to a user.

No command takes a revision or a path that a user typed: revisions are resolved to full object ids through the object
reader's standard input first, so that nothing can be mistaken for an option.
"""

import os
import subprocess

from consistency_bot.errors import GitError

REDIRECTING = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_NAMESPACE",
    "GIT_PREFIX",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_CONFIG",
    "GIT_GRAFT_FILE",
    "GIT_SHALLOW_FILE",
    "GIT_LITERAL_PATHSPECS",
    "GIT_GLOB_PATHSPECS",
    "GIT_NOGLOB_PATHSPECS",
    "GIT_ICASE_PATHSPECS",
)
"""Variables that would make git look elsewhere than in the folder it is told; a hook sets some of them.

What finds or guards objects stays: `GIT_OBJECT_DIRECTORY` and its alternates hold a push's new objects while a
pre-receive hook runs, and `GIT_CONFIG_*` is how containers set `safe.directory`.
"""

_SET_BACK = (
    "core.fsmonitor=",  # would start a program that the repository names; older git takes `false` for its name
    f"core.hooksPath={os.devnull}",  # writing a throw-away index runs a hook, `post-index-change`
    "core.splitIndex=false",  # would put half of a throw-away index into the repository
    "maintenance.auto=false",  # a partial clone that fetches a file is not to be packed anew by a check
    "diff.autoRefreshIndex=true",  # else a file counts as changed whose time stamp alone has moved
)
SETTINGS = tuple(part for setting in _SET_BACK for part in ("-c", setting))
"""Configuration that is set back for every command; what is named by the repository alone is in `programs`."""

_DAMAGED = "an object is missing or damaged: `git fsck` names it, a fresh clone restores it"
_WHICH_FOLDER = "pass the folder of a clone, a worktree or a bare repository with --repo"

CURES = {
    "detected dubious ownership": (
        "git refuses a repository that belongs to another user; if you trust it, run the `git config --global --add"
        " safe.directory …` that git names above, or run as the owner"
    ),
    "not a git repository": _WHICH_FOLDER,
    "cannot change to": _WHICH_FOLDER,
    "must be run in a work tree": (
        "a bare repository has no working tree and no index: name the commit to check with --head REV"
    ),
    "promisor remote": (
        "this is a partial clone, whose missing objects come from its remote: check that the remote can be reached,"
        " or run `git fetch --refetch --no-filter`"
    ),
    "safe.bareRepository": (
        "git is told to stay out of bare repositories that are not named to it: `git config --global"
        " safe.bareRepository all` lets it in"
    ),
    "index file": "git cannot read its index: deleting that file and `git reset` rebuild it from HEAD",
    "could not get object info": _DAMAGED,
    "unable to read": _DAMAGED,
    "bad object": _DAMAGED,
    "corrupt": _DAMAGED,
}
"""What git's message contains (always English, see `environment`), and what cures it."""


def environment() -> dict[str, str]:
    """The environment of every git child: this process's, less what redirects git, with plain English messages.

    `GIT_OPTIONAL_LOCKS=0` keeps a check from writing to the index, `GIT_TERMINAL_PROMPT=0` from waiting for a
    password when a partial clone has to fetch.
    """
    kept = {name: value for name, value in os.environ.items() if name not in REDIRECTING}
    return kept | {"LC_ALL": "C", "LANGUAGE": "", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0"}


class Git:
    """git in one repository: `repo` is any folder in it, `env` the environment of its children.

    `settings` are options for every command, on top of SETTINGS.
    """

    __slots__ = ("env", "repo", "settings")

    def __init__(self, repo: str, env: dict[str, str], settings: tuple[str, ...] = ()) -> None:
        self.repo = repo
        self.env = env
        self.settings = settings

    def with_env(self, **variables: str) -> "Git":
        """The same with variables set in its environment."""
        return Git(self.repo, self.env | variables, self.settings)

    def argv(self, *arguments: str | bytes) -> list[str | bytes]:
        """The command line."""
        return ["git", "-C", self.repo, *SETTINGS, *self.settings, *arguments]

    def start(self, *arguments: str) -> "subprocess.Popen[bytes]":
        """A child with pipes at standard input and output, its messages dropped. Raises GitError without git."""
        try:
            return subprocess.Popen(
                self.argv(*arguments),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=self.env,
            )
        except OSError as error:
            raise _cannot_start(error) from None

    def ask(self, *arguments: str | bytes, stdin: bytes = b"", seconds: float | None = None) -> tuple[int, bytes, str]:
        """Exit status, standard output and message of one command that may fail. Raises GitError without git.

        Raises `subprocess.TimeoutExpired` where it takes longer than `seconds`.
        """
        command = self.argv(*arguments)
        try:
            done = subprocess.run(command, input=stdin, capture_output=True, env=self.env, check=False, timeout=seconds)
        except OSError as error:
            raise _cannot_start(error) from None
        return done.returncode, done.stdout, done.stderr.decode("utf-8", "replace").strip()

    def output(self, *arguments: str, stdin: bytes = b"") -> bytes:
        """Standard output of one command. Raises GitError, with git's message and a cure, where it fails."""
        status, output, message = self.ask(*arguments, stdin=stdin)
        if status:
            raise self.failure(f"`git {arguments[0]}`", message)
        return output

    def output_within(self, seconds: float, *arguments: str) -> bytes | None:
        """Standard output of one command, empty where it fails; None where it takes longer. Raises GitError without git."""
        try:
            status, output, _ = self.ask(*arguments, seconds=max(seconds, 0.01))
        except subprocess.TimeoutExpired:
            return None
        return output if status == 0 else b""

    def is_shallow(self) -> bool:
        """Whether this clone's history is cut off. Raises GitError where git cannot tell."""
        return self.output("rev-parse", "--is-shallow-repository").strip() == b"true"

    def failure(self, asked: str, message: str) -> GitError:
        """The error for a command that failed: what was asked, where, git's own words, and the cure if one is known."""
        told = message or "it gave no reason"
        cure = next((cure for symptom, cure in CURES.items() if symptom in message), None)
        return GitError(f"{self.repo}: git could not answer {asked}: {told}" + (f"\n{cure}" if cure else ""))


def _cannot_start(error: OSError) -> GitError:
    """The error for a machine on which `git` does not run at all."""
    return GitError(f"expected a `git` command on PATH, but it does not start: {error}; install git (2.25 or newer)")
