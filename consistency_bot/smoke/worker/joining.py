"""The results of all ranks as one cell."""

from collections.abc import Iterable, Sequence

import msgspec

from consistency_bot.smoke.cells import Cell, RankError, Status
from consistency_bot.smoke.combinations import Combination
from consistency_bot.smoke.worker.measured import Measured, is_caused_by_another


def joined(cell: Combination, found: Sequence[Measured]) -> Cell:
    """One cell of what every rank has measured. The outcome is that of the rank which failed first hand."""
    errors = _causes_first(each.error for each in found if each.error is not None)
    guilty = [each for each in found if each.error is not None and not is_caused_by_another(each.error)]
    odd = [each for each in found if each.outcome != "ok"]
    tells = next(iter(guilty or odd or found))
    expect = tells.expect or cell.expect
    return Cell(
        name=cell.name,
        settings=cell.settings,
        outcome=tells.outcome,
        expect=expect,
        status=status_of(tells.outcome, expect),
        note=_note(tells, found),
        ranks=len(found),
        seconds=round(max(each.seconds for each in found), 3),
        kernels_forward=tells.kernels_forward,
        kernels_recompute=tells.kernels_recompute,
        loss_error=_largest(each.loss_error for each in found),
        gradient_error=_largest(each.gradient_error for each in found),
        errors=errors,
    )


def _note(tells: Measured, found: Sequence[Measured]) -> str:
    """The note of the rank that tells, with its number where not every rank has found the same."""
    if len({each.outcome for each in found}) > 1 and tells.error is None:
        return f"on rank {found.index(tells)}: {tells.note or tells.outcome}"
    if not tells.note and len({(each.kernels_forward, each.kernels_recompute) for each in found}) > 1:
        ran = (f"rank {at}: {' '.join(each.kernels_forward) or 'none'}" for at, each in enumerate(found))
        return f"ranks ran other kernels ({', '.join(ran)})"
    return tells.note


def cut_short(cell: Combination, found: Sequence[Measured | None], sites: dict[int, str], seconds: float) -> Cell:
    """A cell that some ranks have not come back from; `sites` says where those are."""
    missing = ", ".join(str(rank) for rank in sites)
    errors = [
        RankError(rank=rank, type="Hung", message=f"did not come back within {seconds:.0f} s", site=site)
        for rank, site in sites.items()
    ]
    errors += [each.error for each in found if each is not None and each.error is not None]
    without = cell.unmeasured("timeout", f"rank {missing} hung", _causes_first(errors))
    return msgspec.structs.replace(without, ranks=len(found), seconds=round(seconds, 3))


def left_out(cell: Combination, note: str) -> Cell:
    """A cell that needs more devices than there are."""
    return cell.unmeasured("skipped-needs-gpu", note)


def status_of(outcome: str, expect: str) -> Status:
    """What an outcome means against what was expected. A kernel that is not there says nothing about a rule."""
    if outcome == "no-kernel" != expect:
        return "unsupported"
    return "pass" if outcome == expect else "fail"


def are_out_of_step(found: Sequence[Measured]) -> bool:
    """Whether ranks ended a cell in different places, so that collectives of one may still wait for the other.

    A collective that has failed on all of them leaves connections behind that are of no use either.
    """
    if any(each.error is not None and is_caused_by_another(each.error) for each in found):
        return True
    return len({(each.error and (each.error.type, each.error.site), each.place) for each in found}) > 1


def _causes_first(errors: Iterable[RankError]) -> tuple[RankError, ...]:
    """By rank, but those that only waited for another one in vain come last."""
    return tuple(sorted(errors, key=is_caused_by_another))


def _largest(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return max(known, default=None)
