"""`python -m consistency_bot.smoke.worker ORDER.json`, started once per rank by torchrun or alone."""

import os
import sys
from pathlib import Path

import torch
from torch.distributed.elastic.multiprocessing.errors import record

from consistency_bot.errors import UsageError
from consistency_bot.smoke.worker.running import read_order, run


# Where a rank ends in an error of its own, torchrun's parent then finds it as JSON (`TORCHELASTIC_ERROR_FILE`).
@record
def main(arguments: list[str] | None = None) -> int:
    """Does what the order in the file says. The exit status is 0 when the run came to its end, whatever its cells say."""
    given = sys.argv[1:] if arguments is None else arguments
    if len(given) != 1:
        raise UsageError(f"expected one argument, the file of the order; found {len(given)}")
    # Ranks share the cores of one machine, and the numbers are to be the same on all machines.
    torch.set_num_threads(1)
    return run(read_order(Path(given[0])))


def leave(status: int) -> None:
    """Ends the process at once: threads of torch that wait for a lost rank would keep it."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


if __name__ == "__main__":
    leave(main())
