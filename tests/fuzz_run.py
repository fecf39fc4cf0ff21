"""Runs the fuzz target for the parser and the differ; benchmarks/README.md says how."""

import argparse
import sys
import time
from collections import Counter

from fuzz_changes import Also, changes, hold_all
from hypothesis import HealthCheck, Phase, given, seed, settings
from memory_tree import Files

_SLICE = 2_000
"""hypothesis remembers what it has tried; slices keep that short."""


def main() -> None:
    """Runs so many inputs from a first seed on, and ends with the smallest one that fails."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1, help="of the first slice of 2,000 inputs")
    options = parser.parse_args()
    tried = 0
    verdicts: Counter[str] = Counter()
    start = time.process_time()
    number = options.seed
    while tried < options.inputs:

        @seed(number)
        @settings(
            max_examples=_SLICE,
            database=None,
            deadline=None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
        )
        @given(changes())
        def target(change: tuple[Files, Files, Also]) -> None:
            nonlocal tried
            tried += 1
            verdicts.update({str(each.verdict) for each in hold_all(*change).findings} or {"nothing"})

        target()
        number += 1
        sys.stdout.write(
            f"up to seed {number - 1}: {tried} inputs, {time.process_time() - start:.0f} s, {dict(verdicts)}\n"
        )
        sys.stdout.flush()


if __name__ == "__main__":
    main()
