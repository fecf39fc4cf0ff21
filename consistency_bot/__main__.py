"""`python -m consistency_bot`, the same as the command `consistency-bot`: one run, and the end of the process."""

import gc
import sys

from consistency_bot import cli


def main() -> int:
    """Run the command of the command line; the exit status.

    No garbage is collected: a run makes many small values that live to its end, and next to no cycles. To look through
    them again and again, and once more while the interpreter shuts down (which `freeze` spares), took a sixth of it.
    """
    gc.disable()
    status = cli.main()
    gc.freeze()
    return status


if __name__ == "__main__":
    sys.exit(main())
