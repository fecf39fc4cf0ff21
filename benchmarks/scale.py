"""Measures what a check costs in a large repository, and what its cost grows with.

    scale.py [--bot COMMAND] [--runs N] [--files N ...]

Makes repositories of 5,000 and 50,000 files, with 40 pairs of twins among them, and checks changes of 5, 50 and 500
files, by rules that name the files, that name a folder with a wildcard, and that leave the folder open. A check should
cost what the change is worth, whatever the size of the tree. The columns are those of `budgets.py`. Exits 1 where a
median is above its budget.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator

from figures import DEFAULT_BOT, Case, found_bot, interpreter, measure, print_table
from synthetic import Synthetic, async_client, client, helpers, make

PAIRS = 40
CHANGES = ((5, 1), (50, 4), (500, PAIRS))
"""(files, pairs of twins) that change."""

SECONDS, MEBIBYTES = 3.0, 150.0
"""At most, for 500 files with 40 pairs."""


def main() -> int:
    """Make the repositories, measure every case and print the table; the exit status."""
    options = _options()
    with tempfile.TemporaryDirectory() as folder:
        rules = {name: _rules(folder, name, sides) for name, sides in KINDS.items()}
        cases = [Case("python -c pass", [interpreter(options.bot), "-c", "pass"])]
        for files in options.files:
            repo = os.path.join(folder, str(files))
            make(repo, Synthetic(files, PAIRS, CHANGES))
            cases.extend(_cases(options.bot, repo, files, rules))
        figures = [measure(case, options.runs, folder) for case in cases]
    return int(print_table(cases, figures))


def _options() -> argparse.Namespace:
    """The command line. The bot defaults to the one beside the running interpreter."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bot", default=DEFAULT_BOT)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--files", type=int, nargs="+", default=[5_000, 50_000])
    options = parser.parse_args()
    try:
        options.bot = found_bot(options.bot)
    except FileNotFoundError as error:
        parser.error(str(error))
    return options


def _named(pair: int) -> tuple[str, str]:
    return client(pair), async_client(pair)


def _with_helpers(pair: int) -> tuple[str, str]:
    return client(pair), f"{async_client(pair)}, {helpers(pair)}/*.py"


def _anywhere(pair: int) -> tuple[str, str]:
    return f"'**/client_{pair:02}.py'", f"'**/async_client_{pair:02}.py'"


KINDS: dict[str, Callable[[int], tuple[str, str]]] = {
    "named files": _named,
    "a folder's *.py": _with_helpers,
    "**/name.py": _anywhere,
}
"""Kinds of rules files: the sides of a pair, as YAML."""


def _rules(folder: str, name: str, sides: Callable[[int], tuple[str, str]]) -> str:
    path = os.path.join(folder, f"{list(KINDS).index(name)}.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write("version: 1\ntwins:\n")
        for pair in range(PAIRS):
            one, other = sides(pair)
            file.write(f"  - {{id: clients-{pair}, sides: {{blocking: {one}, async: [{other}]}}}}\n")
    return path


def _cases(bot: str, repo: str, files: int, rules: dict[str, str]) -> Iterator[Case]:
    """What is measured in one repository."""
    changes = [(count, "named files") for count, _ in CHANGES] + [(CHANGES[-1][0], name) for name in list(KINDS)[1:]]
    diff = ["git", "-C", repo, "diff", "--name-only", "main", f"change-{CHANGES[-1][0]}"]
    yield Case(f"{files} files: git diff --name-only, {CHANGES[-1][0]} changed", diff)
    for count, name in changes:
        command = [bot, "check", "--repo", repo, "--base", "main", "--head", f"change-{count}"]
        command += ["--rules", rules[name], "--format", "json"]
        is_full = (count, PAIRS) in CHANGES
        limits = (SECONDS, MEBIBYTES) if is_full else (None, None)
        yield Case(f"{files} files, {count} changed, {name}", command, *limits)


if __name__ == "__main__":
    sys.exit(main())
