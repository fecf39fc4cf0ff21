"""The throw-away git repository in which the demo's pull requests are made."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import consistency_bot
from consistency_bot.demo.story import CATCH_UP, RULES
from consistency_bot.errors import GitError, UsageError

EXAMPLE = "examples/policy_workers"
"""Where the example stands in a clone, and in the throw-away repository too, so that the patches fit both."""

_AUTHOR = {"NAME": "consistency-bot demo", "EMAIL": "demo@example.com", "DATE": "2026-01-05T08:00:00+0000"}

# What could change the outcome and is read without, or beside, the configuration files that are switched off below
# (and by a git older than 2.32 in spite of that).
_SETTINGS = tuple(
    part
    for setting in (
        "commit.gpgSign=false",
        "core.autocrlf=false",
        f"core.attributesFile={os.devnull}",
        f"core.excludesFile={os.devnull}",
        f"core.hooksPath={os.devnull}",
    )
    for part in ("-c", setting)
)


def find_example() -> Path:
    """The example's folder: in the clone that this package runs from, else the copy in the installed package.

    Raises UsageError where there is neither.
    """
    package = Path(consistency_bot.__file__).parent
    places = (package.parent / EXAMPLE, package / "_examples" / "policy_workers")
    for place in places:
        if (place / "pull_requests").is_dir():
            return place
    raise UsageError(f"demo needs the example workers, and neither {places[0]} nor {places[1]} is there: reinstall")


class DemoRepository:
    """A repository with the example on `main`; pull requests are branches of it. `path` is its folder."""

    def __init__(self, path: str, example: Path) -> None:
        self.path = path
        self._patches = example / "pull_requests"

    def open_pull_request(self, patch: str) -> str:
        """Make a branch of `main` with the patch as its one commit, and return the branch's name.

        Raises GitError where the patch no longer fits the example.
        """
        branch = patch.removesuffix(".patch")
        self.git("checkout", "--quiet", "-b", branch, "main")
        self.git("am", "--quiet", str(self._patches / patch))
        return branch

    def title(self, branch: str) -> str:
        """The first line of the branch's commit message."""
        return self.git("log", "-1", "--format=%s", branch).strip()

    def diffstat(self, branch: str) -> list[str]:
        """One line per file, as `git diff --stat` draws them."""
        return self.git("diff", "--stat=100", f"main...{branch}").splitlines()[:-1]

    def commit_main(self) -> None:
        """Commit the example as `main`, as it was before the pull request that catches up."""
        self.git("init", "--quiet", "--template=")
        self.git("symbolic-ref", "HEAD", "refs/heads/main")  # `init` calls the branch what the user's git likes
        self.git("apply", "--reverse", str(self._patches / CATCH_UP))
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message=Two training workers")

    def git(self, *arguments: str) -> str:
        """Standard output of a git command that knows nothing of the user's settings. Raises GitError if it fails."""
        kept = (name for name in os.environ if not name.startswith("GIT_") or name == "GIT_EXEC_PATH")
        environment = {name: os.environ[name] for name in kept}
        environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
        for role in ("AUTHOR", "COMMITTER"):
            environment |= {f"GIT_{role}_{key}": value for key, value in _AUTHOR.items()}
        command = ["git", "-C", self.path, *_SETTINGS, *arguments]
        try:
            done = subprocess.run(command, capture_output=True, env=environment, check=False, encoding="utf-8")
        except OSError as error:
            raise GitError(f"demo needs a `git` command on PATH, but it does not start: {error}") from None
        if done.returncode:
            raise GitError(f"demo: `git {' '.join(arguments)}` failed: {(done.stderr or done.stdout).strip()}")
        return done.stdout


@contextmanager
def demo_repository() -> Iterator[DemoRepository]:
    """A repository that is gone when the `with` ends, however it ends."""
    example = find_example()
    with tempfile.TemporaryDirectory(prefix="consistency-bot-demo-", ignore_cleanup_errors=True) as path:
        target = Path(path, EXAMPLE)
        target.mkdir(parents=True)
        for source in sorted(example.glob("*.py")):
            shutil.copyfile(source, target / source.name)
        Path(path, "rules.yaml").write_text(RULES, encoding="utf-8")
        repository = DemoRepository(path, example)
        repository.commit_main()
        yield repository
