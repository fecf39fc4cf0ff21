"""Stands in for the worker of a probe, without torch: `fake_worker.py ORDER`, one process that plays all ranks.

The file `plan.json` beside the results says what happens in a cell, by its name: `die`, `hang`, `raise`, `early` (ends
out of step after its line), `once` (fails unless it runs alone), `fail`, `orphan` (leaves a process), else it passes.
"""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from consistency_bot.probes import decode_options
from consistency_bot.smoke.cells import Cell, Ended, Machine, Order, Started, Status, Stopped
from consistency_bot.smoke.combinations import cells_of
from consistency_bot.smoke.results import Line, as_line

SITE = "model.py:7 in forward"


def main(order_path: str) -> int:
    import msgspec

    order = msgspec.json.decode(Path(order_path).read_bytes(), type=Order)
    plan = json.loads((Path(order_path).parent.parent / "plan.json").read_text())
    cells = [
        each
        for each in cells_of(decode_options(order.probe, order.options))
        if not order.only or each.name in order.only
    ]

    def add(line: Line) -> None:
        with open(order.results, "ab") as file:
            file.write(as_line(line))

    def stop(number: int, _: object) -> None:
        add(Stopped(name=running, rank=1, site=SITE))
        os._exit(143)

    running = ""
    signal.signal(signal.SIGTERM, stop)
    if plan.get("start") == "die":
        sys.stdout.write("no such device\n")
        return 1
    if plan.get("start") == "hang":
        time.sleep(1000)
    add(Machine(host="here", device="cpu", python="3", torch="2", world_size=2))
    for at, cell in enumerate(cells, 1):
        running, what = cell.name, plan.get(cell.name, "")
        add(Started(name=cell.name, at=at, total=len(cells)))
        if what == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        elif what == "hang":
            time.sleep(1000)
        elif what == "raise":
            error = {"message": "ValueError: wrong shape", "extraInfo": {"py_callstack": 'File "a.py", line 7, in f\n'}}
            Path(os.environ["TORCHELASTIC_ERROR_FILE"]).write_text(json.dumps({"message": error}))
            return 1
        elif what == "orphan":
            subprocess.Popen(["setsid", "sleep", plan["orphan"]])
        fails = what == "fail" or (what == "once" and len(order.only) != 1)
        status: Status = "fail" if fails else "timeout" if what == "early" else "pass"
        outcome = "wrong-numerics" if fails else "" if what == "early" else "ok"
        add(Cell(name=cell.name, settings=cell.settings, outcome=outcome, status=status, ranks=cell.ranks))
        if what == "early":
            return 3
    add(Ended(cells=len(cells), seconds=0.1))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
