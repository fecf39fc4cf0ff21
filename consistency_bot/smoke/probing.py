"""One job with a built-in probe: all its cells, those behind a crash too, and once more alone those that failed."""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from consistency_bot.errors import SmokeError
from consistency_bot.model import Rule
from consistency_bot.probes import Options, decode_options
from consistency_bot.smoke.attempts import Attempt, Attempts
from consistency_bot.smoke.causes import last_lines, root_cause
from consistency_bot.smoke.cells import Cell, Machine, Order, RankError, Status
from consistency_bot.smoke.combinations import Combination, cells_of, ranks_of
from consistency_bot.smoke.commands import worker_command, worker_environment
from consistency_bot.smoke.confirming import SECONDS_TO_CONFIRM, FirstRun, SecondRun, confirmed
from consistency_bot.smoke.results import JobRun, RuleHeld
from consistency_bot.smoke.supervising import Ending, Watch


def run_probe(attempts: Attempts, blank: JobRun) -> JobRun:
    """The job's run; `blank` has what is known of it before."""
    job, setting = attempts.job, attempts.setting
    options = _options(attempts)
    cells = cells_of(options, [patch.id for patch in setting.patches])
    cells = tuple(each for each in cells if setting.wants(each.name))
    if not cells:
        raise SmokeError(f"the job {job.name} has {_no_cell(job.probe, setting.cells)}")
    probe = _Probe(attempts, options, cells)
    problem = probe.measure()
    if not problem:
        probe.confirm()
    found = [probe.found[cell.name] for cell in cells if cell.name in probe.found]
    rules = tuple(_held(setting.rules, found)) if job.probe == "sdpa-rule" and not problem else ()
    return msgspec.structs.replace(blank, machine=probe.machine, cells=tuple(found), rules=rules, problem=problem)


def _no_cell(probe: str, wanted: Sequence[str]) -> str:
    if wanted:
        return f"no cell named {' or '.join(wanted)}"
    return "no patch to judge: give one of `patches` a `probe`" if probe == "patch" else "no cell"


def _held(rules: Sequence[Rule], cells: Sequence[Cell]) -> Iterator[RuleHeld]:
    """What the cells say of each rule about attention kernels."""
    from consistency_bot.smoke.confront import claims_of, confront

    for rule in rules:
        for each in confront(claims_of(rule), cells) if rule.check == "sdpa_backends" else ():
            said = f"{each.claim.backend} where {each.claim.condition}: {each.note}"
            yield RuleHeld(rule=rule.id, verdict=each.verdict, note=said, cells=each.cells)


def _options(attempts: Attempts) -> Options:
    return decode_options(attempts.job.probe, _raw_options(attempts))


def _raw_options(attempts: Attempts) -> dict[str, object]:
    """The job's own, and for the probe that judges patches what the rules say of them."""
    raw: dict[str, object] = dict(attempts.job.options)
    if attempts.job.probe == "patch":
        patches = attempts.setting.patches
        raw["probes"] = {patch.id: patch.probe for patch in patches if patch.probe}
        raw["versions"] = {patch.id: patch.needed for patch in patches}
    return raw


class _Probe:
    """The cells of one job as they are found, by name."""

    def __init__(self, attempts: Attempts, options: Options, cells: Sequence[Combination]) -> None:
        self._attempts = attempts
        self._first = FirstRun(attempts.watch, lambda: attempts.seconds_left)
        self._cells = {cell.name: cell for cell in cells}
        device = attempts.device
        needed = ranks_of(options, device.kind)
        ranks = min(attempts.job.gpus or needed, needed)
        self._ranks = ranks if device.kind == "cpu" else max(1, min(ranks, device.gpus))
        self.found: dict[str, Cell] = {}
        self.machine: Machine | None = None

    def measure(self) -> str:
        """Run until every cell has its line; why it could not be done, "" where it could."""
        while left := [name for name in self._cells if name not in self.found]:
            attempt = self._run(left if self.found or self._attempts.setting.cells else (), self._first)
            ending = attempt.ending
            before = len(self.found)
            self.found |= {cell.name: cell for cell in ending.cells if cell.name in self._cells}
            if ending.running:
                self._lost(ending.running, attempt)
            if ending.how == "out-of-time":
                self._unmeasured("the job's time was over before its turn")
            elif len(self.found) == before:
                return f"{_how(ending)} before any cell was measured\n{last_lines(attempt.log)}".rstrip()
        return ""

    def confirm(self) -> None:
        """Run what failed once more, each cell alone: what passes then is flaky."""
        watch = self._attempts.watch
        for name in dict.fromkeys(self._first.to_confirm):
            if self._attempts.seconds_left >= SECONDS_TO_CONFIRM:
                attempt = self._run([name], SecondRun(watch))
                again = next((each for each in attempt.ending.cells if each.name == name), None)
                self.found[name] = confirmed(self.found[name], again)
            watch.ended(self._attempts.job.name, self.found[name])

    def _run(self, only: Iterable[str], watch: Watch) -> Attempt:
        attempts = self._attempts
        path = attempts.path("order")
        order = Order(
            job=attempts.job.name,
            probe=attempts.job.probe,
            options=_raw_options(attempts),
            device=attempts.device.kind,
            only=tuple(only),
            results=attempts.path("results"),
            repository=attempts.setting.repository,
            collective_timeout=attempts.collective_timeout,
            patches={patch.id: f"{patch.path}::{patch.symbol}" for patch in attempts.setting.patches},
        )
        with open(path, "wb") as file:
            file.write(msgspec.json.encode(order))
        variables = worker_environment(attempts.path("error")) | attempts.job.env
        attempt = attempts.run_worker(worker_command(path, self._ranks), variables, self._ranks, watch)
        self.machine = self.machine or attempt.ending.machine
        return attempt

    def _lost(self, name: str, attempt: Attempt) -> None:
        """A cell that was begun and has no line: a rank hung or died in it."""
        ending = attempt.ending
        status: Status = "crash" if ending.how in ("exited", "ended") else "timeout"
        stopped = [
            RankError(rank=each.rank, type="Stopped", message="told to stop here", site=each.site)
            for each in ending.stopped
            if each.name == name
        ]
        errors = (*root_cause(attempt.errors, attempt.log), *stopped)
        self._tell(self._cells[name].unmeasured(status, _how(ending), errors))

    def _unmeasured(self, note: str) -> None:
        for name, cell in self._cells.items():
            if name not in self.found:
                self._tell(cell.unmeasured("timeout", note))

    def _tell(self, cell: Cell) -> None:
        self.found[cell.name] = cell
        self._first.ended(self._attempts.job.name, cell)


def _how(ending: Ending) -> str:
    if ending.how == "stalled":
        return "nothing happened for too long"
    if ending.how == "out-of-time":
        return "the job's time was over"
    return f"the processes ended with status {ending.status}"
