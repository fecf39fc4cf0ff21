"""The words in which a run is told, in every format alike."""

from collections.abc import Sequence

from consistency_bot.smoke.cells import OUTPUT, Cell, Machine, RankError, Status
from consistency_bot.smoke.results import FAILED, NOT_HERE, JobRun

MARKS: dict[Status, str] = {
    "pass": "ok",
    "fail": "FAIL",
    "flaky": "flaky",
    "timeout": "TIME",
    "crash": "DIED",
    "unsupported": "-",
    "skipped-needs-gpu": "gpu?",
}
"""What stands in a grid, for eyes that see no colours."""

MEANING: dict[Status, str] = {
    "pass": "as expected",
    "fail": "not as expected",
    "flaky": "failed, and passed alone in fresh processes",
    "timeout": "a rank hung, or there was no time left",
    "crash": "a rank died",
    "unsupported": "this machine has no such kernel",
    "skipped-needs-gpu": "needs more GPUs than there are: not measured",
}
"""In the order in which a reader should look at them, what passed first."""


def mark(cell: Cell | None) -> str:
    """What stands in a grid for one cell: its mark, and the outcome where the mark does not say it; "" for no cell."""
    if cell is None:
        return ""
    return f"{MARKS[cell.status]} ({cell.outcome})" if _is_named(cell) else MARKS[cell.status]


def _is_named(cell: Cell) -> bool:
    is_plain = cell.status == "pass" and cell.outcome == "ok"
    return bool(cell.outcome) and cell.status not in NOT_HERE and not is_plain


def legend(cells: Sequence[Cell]) -> list[str]:
    """What each mark means that the grid of these cells has, with an example of an outcome that is named."""
    said = []
    for status, meaning in MEANING.items():
        of_status = [cell for cell in cells if cell.status == status]
        named = next((cell for cell in of_status if _is_named(cell)), None)
        if status == "pass" and named is not None:
            said += [f"{MARKS[status]}: {meaning}"] if not all(map(_is_named, of_status)) else []
            said.append(f"{mark(named)}: {meaning}; in brackets the outcome that was expected here")
        elif status == "fail" and named is not None:
            said.append(f"{mark(named)}: {meaning}; in brackets the outcome that was measured")
        elif of_status:
            said.append(f"{MARKS[status]}: {meaning}")
    return said


def noted(cells: Sequence[Cell]) -> list[str]:
    """What there is to say of cells that need no look."""
    return [f"{cell.name}: {cell.note}" for cell in cells if cell.status == "pass" and cell.note]


def counted(cells: Sequence[Cell]) -> str:
    """How many cells of each status, as in `72 pass, 2 unsupported`; `no cell` for none."""
    found = [cell.status for cell in cells]
    said = [f"{found.count(status)} {status}" for status in MEANING if status in found]
    return ", ".join(said) or "no cell"


def headline(run: JobRun) -> str:
    """One line about a job: what came out, how many cells, and how long it took."""
    time = f" in {run.seconds:.0f} s" if run.seconds else ""
    said = f"{run.job}: {run.outcome} ({counted(run.cells)}){time}"
    return f"{said}: {run.problem.splitlines()[0]}" if run.problem else said


def machine_line(machine: Machine) -> str:
    """Where it was measured, with the versions of all that has one."""
    named = {
        "torch": machine.torch,
        "CUDA": machine.cuda,
        "cuDNN": machine.cudnn,
        "NCCL": machine.nccl,
        "Python": machine.python,
    }
    versions = ", ".join(f"{name} {version}" for name, version in named.items() if version)
    gpus = ", ".join(_counted_gpus(machine.gpus)) or machine.device
    ranks = f"{machine.world_size} rank{'s' * (machine.world_size != 1)}"
    return f"{machine.host}: {gpus}, {ranks}, {versions}"


def _counted_gpus(gpus: Sequence[str]) -> list[str]:
    return [f"{gpus.count(name)} x {name}" if gpus.count(name) > 1 else name for name in dict.fromkeys(gpus)]


def to_look_at(cells: Sequence[Cell]) -> list[Cell]:
    """Those that failed in any way, the order kept."""
    return [cell for cell in cells if cell.status in FAILED]


def what_happened(cell: Cell) -> str:
    """What was measured and what was expected, in one line."""
    found = cell.outcome or cell.status
    expected = f", expected {cell.expect}" if cell.outcome and cell.outcome != cell.expect else ""
    numbers = [
        f"{name} error {value:.2g}"
        for name, value in (("loss", cell.loss_error), ("gradient", cell.gradient_error))
        if value is not None and cell.outcome != "ok"
    ]
    kernels = ""
    if cell.kernels_forward and cell.kernels_recompute and cell.kernels_forward != cell.kernels_recompute:
        kernels = f"; forward ran {', '.join(cell.kernels_forward)}, recomputation {', '.join(cell.kernels_recompute)}"
    note = f" ({cell.note})" if cell.note else ""
    again = f"; alone in fresh processes: {cell.confirmed}" if cell.confirmed else ""
    return f"{found}{expected}{note}{''.join(f'; {each}' for each in numbers)}{kernels}{again}"


def error_line(error: RankError) -> str:
    """What one rank raised, and where, with one line of its message; of a command the last line that it printed."""
    said = error.message.strip().splitlines()
    if error.type == OUTPUT:
        return f"last output: {said[-1]}" if said else "no output"
    message = f": {said[0]}" if said else ""
    site = f" at {error.site}" if error.site else ""
    return f"rank {error.rank}{site}: {error.type}{message}"


def rules_told(run: JobRun) -> list[str]:
    """What the cells say of rules: each claim that is not true here or stricter than it need be, then how many are which."""
    told = [f"rule {each.rule}: {each.verdict}: {each.note}" for each in run.rules if each.verdict in _TOLD]
    for rule in dict.fromkeys(each.rule for each in run.rules):
        found = [each.verdict for each in run.rules if each.rule == rule]
        counts = (f"{found.count(verdict)} {verdict}" for verdict in dict.fromkeys(found))
        told.append(f"rule {rule}: {', '.join(counts)}")
    return told


_TOLD = ("too-lax", "stricter-than-needed-here")
