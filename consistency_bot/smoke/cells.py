"""What a run writes down and what is made of it: one JSON line for the machine, then one for each cell.

Written by the ranks (rank 0), read by the parent, kept in the results file of a job. Nothing here needs torch.
"""

from typing import Literal

import msgspec

Status = Literal["pass", "fail", "unsupported", "skipped-needs-gpu", "timeout", "crash", "flaky"]
"""What an outcome means, measured against what was expected.

`unsupported`: this machine has no such kernel. `timeout`, `crash`: there is no outcome, since a rank hung or died.
`flaky`: it failed, and a run of it alone in fresh processes did not.
"""

Settings = dict[str, str | int | bool]
"""What was asked for, in words a person reads (`tp`, `sp`, `checkpointing`, …), in the order in which a table shows them."""


class Machine(msgspec.Struct, frozen=True, kw_only=True, tag="machine", tag_field="kind"):
    """Where the cells that follow were measured. Versions are empty where the machine has no such thing."""

    host: str
    device: Literal["cpu", "cuda"]
    gpus: tuple[str, ...] = ()
    python: str
    torch: str
    cuda: str = ""
    cudnn: str = ""
    nccl: str = ""
    world_size: int = 1


OUTPUT = "Output"
"""Type of an error that is none: the last lines that a command printed."""


class RankError(msgspec.Struct, frozen=True, kw_only=True):
    """What one rank raised. `site` is `file:line in function` of the innermost frame that is the probe's or the team's.

    `rank` is null for what a command printed: nobody knows what is below it.
    """

    rank: int | None
    type: str
    message: str
    site: str = ""


class Cell(msgspec.Struct, frozen=True, kw_only=True, tag="cell", tag_field="kind"):
    """One measured combination. `name` is unique in its job and what people write to run it alone.

    `outcome` is what was measured (`ok`, `checkpoint-mismatch`, `silent-kernel-change`, `no-strategy`,
    `wrong-numerics`, `no-kernel`, `error`, …; empty where nothing was, since a rank hung or died, or a device is
    missing), `expect` what the probe or the job says it should be.
    `loss_error` and `gradient_error` are relative to the one-process reference; null where nothing was compared.
    `kernels_forward` and `kernels_recompute` are the attention kernels that ran, in order.
    `confirmed` is the outcome of a second run in fresh processes, empty where there was none.
    """

    name: str
    settings: Settings
    outcome: str
    expect: str = "ok"
    status: Status
    note: str = ""
    ranks: int = 1
    seconds: float = 0.0
    kernels_forward: tuple[str, ...] = ()
    kernels_recompute: tuple[str, ...] = ()
    loss_error: float | None = None
    gradient_error: float | None = None
    errors: tuple[RankError, ...] = ()
    confirmed: str = ""


class Started(msgspec.Struct, frozen=True, kw_only=True, tag="started", tag_field="kind"):
    """A cell that has begun: what was running when a rank hung or died. `total` is how many cells the run has."""

    name: str
    at: int
    total: int


class Stopped(msgspec.Struct, frozen=True, kw_only=True, tag="stopped", tag_field="kind"):
    """Where one rank was when it was told to stop (SIGTERM) in the middle of the cell `name`. Any rank writes it.

    What it knows of a cell that hung or lost a rank and has no line of its own. A rank that was killed leaves none, and
    a rank that is told to stop although its cell is finished leaves one that says nothing new.
    """

    name: str
    rank: int
    site: str = ""


class Ended(msgspec.Struct, frozen=True, kw_only=True, tag="ended", tag_field="kind"):
    """The last line of a run that came to its end. Without it the run is to be started again for the cells that remain.

    A run also ends early, with a status other than 0, where its ranks are out of step after a cell and cannot be
    brought back into step (a rank hung, or NCCL): that cell has its line.
    """

    cells: int
    seconds: float


Line = Machine | Started | Cell | Stopped | Ended


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """What the ranks are to do: a file, since torchrun abbreviates options. `python -m consistency_bot.smoke.worker ORDER`.

    `probe` is the probe's name and `options` its own keys of rules.yaml. `only` names the cells to run (empty: all).
    `results` is the file that rank 0 appends lines to. `collective_timeout` is in seconds, the innermost of the three
    bounds. `repository` is the checkout of the code under check, which probes that run a team's own code import from.
    `patches` are patch functions (`path.py::function`) that a probe is to apply or to judge, by the patch's id.
    """

    job: str
    probe: str
    options: dict[str, object] = {}
    device: Literal["cpu", "cuda"] = "cpu"
    only: tuple[str, ...] = ()
    results: str
    repository: str = "."
    collective_timeout: float = 20.0
    patches: dict[str, str] = {}
