"""Measures what a run costs, beside a bare Python, `git diff --name-only` and the shell check that it replaces.

    budgets.py --mirrors DIR [--bot COMMAND] [--runs N]

DIR holds a clone of NVIDIA-NeMo/RL, a bare one is enough, as `NVIDIA-NeMo+RL/repo`. CPU seconds are user and system
time of the process with its git children, the median of all runs, and in brackets the least; memory is the peak of the
largest process. Exits 1 where a median is above its budget.
"""

import argparse
import os
import sys
import tempfile

from figures import DEFAULT_BOT, HERE, Case, found_bot, interpreter, measure, print_table

WORKERS = tuple(f"nemo_rl/models/policy/workers/dtensor_policy_worker{version}.py" for version in ("", "_v2"))
RULES = """version: 1
twins:
  - id: dtensor-policy-worker
    why: two implementations of one worker
    sides:
      v1: {}
      v2: [{}]
    same: [[DTensorPolicyWorker, DTensorPolicyWorkerV2]]
"""
TWO_FILES = RULES.format(*WORKERS)
WITH_HELPERS = RULES.format(WORKERS[0], f"{WORKERS[1]}, nemo_rl/models/automodel/*.py")

SMALL = "e05eefee3f3b9cb72076228d4d6d5e1d8b02002b"
"""Both workers and their patches change, by a few lines each."""

LARGE = "e2f48a997"
"""Both workers, of 1,964 and 1,149 lines, and two of their five helper modules change, by 260 lines."""

QUIET = "431192932"
"""Twelve files change, none of them a worker."""


def main() -> int:
    """Measure every case and print the table; the exit status."""
    options = _options()
    repo = os.path.join(options.mirrors, "NVIDIA-NeMo+RL", "repo")
    with tempfile.TemporaryDirectory() as folder:
        cases = _cases(options.bot, repo, folder)
        figures = [measure(case, options.runs, folder) for case in cases]
    return int(print_table(cases, figures))


def _options() -> argparse.Namespace:
    """The command line. The bot defaults to the one beside the running interpreter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", required=True, metavar="DIR")
    parser.add_argument("--bot", default=DEFAULT_BOT)
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    try:
        options.bot = found_bot(options.bot)
    except FileNotFoundError as error:
        parser.error(str(error))
    return options


def _cases(bot: str, repo: str, folder: str) -> list[Case]:
    """What is measured, the bare interpreter first."""
    return [
        Case("python -c pass", [interpreter(bot), "-c", "pass"]),
        Case("git diff --name-only", ["git", "-C", repo, "diff", "--name-only", f"{SMALL}^", SMALL]),
        Case("file_level_check.sh", [os.path.join(HERE, "file_level_check.sh"), repo, f"{SMALL}^", SMALL, *WORKERS]),
        Case("consistency-bot --version", [bot, "--version"], 0.06),
        Case("check, no twins touched", _check(bot, repo, QUIET, _rules(folder, TWO_FILES)), 0.07),
        Case("check, two workers", _check(bot, repo, SMALL, _rules(folder, TWO_FILES)), 0.15, 40),
        Case("check, two workers, large commit", _quick(_check(bot, repo, LARGE, _rules(folder, TWO_FILES))), 0.15, 40),
        Case("the same, with what the other side missed", _check(bot, repo, LARGE, _rules(folder, TWO_FILES))),
        Case("check, with helper modules", _check(bot, repo, SMALL, _rules(folder, WITH_HELPERS)), 0.25),
        Case(
            "check, with helper modules, large commit",
            _quick(_check(bot, repo, LARGE, _rules(folder, WITH_HELPERS))),
            0.25,
        ),
    ]


def _quick(command: list[str]) -> list[str]:
    """A check that looks for no ports, as one before a commit does."""
    return [*command, "--no-ports"]


def _rules(folder: str, text: str) -> str:
    """A rules file with this text."""
    path = os.path.join(folder, f"{len(os.listdir(folder))}.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def _check(bot: str, repo: str, commit: str, rules: str) -> list[str]:
    """The command that checks one commit against its parent."""
    change = ["--repo", repo, "--base", f"{commit}^", "--head", commit]
    return [bot, "check", *change, "--rules", rules, "--format", "json"]


if __name__ == "__main__":
    sys.exit(main())
