"""Measures what declared rules cost, beside a check by `bodies` alone, on the workers of NVIDIA-NeMo/RL.

    rules.py --mirrors DIR [--bot COMMAND] [--runs N] [--commit REV]

DIR holds a clone of NVIDIA-NeMo/RL as `NVIDIA-NeMo+RL/repo`. Each rule of `examples/nemo-rl/rules.yaml` is measured by
itself, so are its patches, and all of them together: CPU seconds of the process with its git children, the median of all runs and in brackets
the least, and how many times those of `bodies` alone. No rule by itself should take more than 1.5 times those; exits 1
where one does.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping

import yaml
from figures import DEFAULT_BOT, Case, found_bot, measure

COMMIT = "e05eefee3f3b9cb72076228d4d6d5e1d8b02002b"
"""Both workers and their patches change, by a few lines each."""

MOST = 1.5
HERE = os.path.dirname(os.path.abspath(__file__))
RULES = os.path.join(os.path.dirname(HERE), "examples", "nemo-rl", "rules.yaml")


def main() -> int:
    """Measure every rule and print the table; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mirrors", required=True, metavar="DIR")
    parser.add_argument("--bot", default=DEFAULT_BOT)
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--commit", default=COMMIT)
    options = parser.parse_args()
    try:
        bot = found_bot(options.bot)
    except FileNotFoundError as error:
        parser.error(str(error))
    repo = os.path.join(options.mirrors, "NVIDIA-NeMo+RL", "repo")
    change = ["--repo", repo, "--base", f"{options.commit}^", "--head", options.commit, "--format", "json"]
    with tempfile.TemporaryDirectory() as folder:
        cases = [Case(name, [bot, "check", *change, "--rules", path]) for name, path in _rules_files(folder)]
        figures = [measure(case, options.runs, folder) for case in cases]
    alone = figures[0].seconds
    print(f"{'what':<48} {'CPU s':>15} {'x bodies':>9}")
    for case, found in zip(cases, figures, strict=True):
        print(f"{case.name:<48} {found.seconds:>7.3f} ({found.least:.3f}) {found.seconds / alone:>9.2f}")
    return int(any(found.seconds > MOST * alone for found in figures[1:-1]))


def _rules_files(folder: str) -> Iterator[tuple[str, str]]:
    """(name, path) of rules files with no rule, with each of the rules alone, and with all of them."""
    with open(RULES, encoding="utf-8") as file:
        every: dict[str, object] = yaml.safe_load(file)
    rules, patches = every["rules"], every["patches"]
    assert isinstance(rules, list)
    assert isinstance(patches, dict)
    bodies = {key: every[key] for key in ("version", "twins")}
    # The jobs that a rule asks for are planned elsewhere and stand in the file with all of them alone.
    rules = [_without_jobs(each) for each in rules]
    patches = {name: _without_jobs(each) for name, each in patches.items()}
    sets: list[tuple[str, Mapping[str, object]]] = [
        ("bodies alone", bodies),
        *(
            (f"with {rule['check']} ({rule['id']})", bodies | {"atoms": every["atoms"], "rules": [rule]})
            for rule in rules
        ),
        ("with patches", bodies | {"patches": patches}),
        ("with all of them", every),
    ]
    for number, (name, content) in enumerate(sets):
        path = os.path.join(folder, f"{number}.yaml")
        with open(path, "w", encoding="utf-8") as file:
            yaml.safe_dump(dict(content), file)
        yield name, path


def _without_jobs(asking: Mapping[str, object]) -> dict[str, object]:
    return {key: said for key, said in asking.items() if key != "smoke"}


if __name__ == "__main__":
    sys.exit(main())
