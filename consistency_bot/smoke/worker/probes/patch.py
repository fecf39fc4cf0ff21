"""Patches with a life: is one needed here, does it work, can it be applied twice, does it do what it says."""

from importlib.metadata import PackageNotFoundError, version

import msgspec

from consistency_bot.errors import UsageError
from consistency_bot.probes import Patch, decode_options
from consistency_bot.smoke.cells import RankError
from consistency_bot.smoke.combinations import Combination, cells_of
from consistency_bot.smoke.worker.loading import load_function, patch_function
from consistency_bot.smoke.worker.measured import Measured, measured_error, site_of
from consistency_bot.smoke.worker.scene import Scene

Failures = tuple[tuple[str, str], ...]
"""Names of cells that did not end as they should, and how they ended."""


class Applied(msgspec.Struct, frozen=True):
    """One call of a patch: what it said (None: nothing), how it failed, and what still fails afterwards."""

    said: object
    error: RankError | None
    failures: Failures


def measure(cell: Combination, scene: Scene) -> Measured:
    """Tries the failure without the patch, with it, and with it applied twice."""
    name = str(cell.settings["patch"])
    before = _WITHOUT.of(name, scene)
    once = _apply(name, scene)
    if once.error is not None:
        outcome = "needed-and-broken" if before else "broken"
        return Measured(outcome=outcome, note="it raises", error=once.error)
    twice = _apply(name, scene)
    outcome, note = judged(before, once, twice)
    if outcome in ("needed-and-works", "no-longer-needed"):
        return Measured(outcome=outcome, note=note)
    return Measured(outcome=outcome, note=note, error=twice.error or _blamed(name, note, scene))


def expectation(cell: Combination, scene: Scene) -> str:
    """By the versions that the rules name; where they name none, needed or not is what the cell is to find out."""
    assert isinstance(scene.options, Patch)
    name = str(cell.settings["patch"])
    wanted = scene.options.versions.get(name)
    is_needed = bool(_WITHOUT.of(name, scene)) if wanted is None else _is_installed(wanted)
    return "needed-and-works" if is_needed else "no-longer-needed"


def judged(before: Failures, once: Applied, twice: Applied) -> tuple[str, str]:
    """The outcome of a patch that could be called, and a word of why."""
    if once.failures:
        if not before:
            return "broken", f"with it {_told(once.failures)}, without it nothing fails"
        if once.said is False:
            return "needed-and-broken", f"it says that nothing is to be patched, and {_told(once.failures)}"
        if once.failures == before:
            return "silent", f"it returned as if it had patched, and still {_told(once.failures)}"
        return "needed-and-broken", f"with it {_told(once.failures)}, without it {_told(before)}"
    if twice.error is not None:
        return "not-idempotent", "applied a second time it raises"
    if twice.failures:
        return "not-idempotent", f"applied a second time {_told(twice.failures)}"
    if once.said is True and twice.said is True:
        return "not-idempotent", "applied a second time it says that it patched again"
    if before:
        return "needed-and-works", f"without it {_told(before)}"
    return "no-longer-needed", "nothing fails without it" + (
        ", though it says that it patched" if once.said is True else ""
    )


def _told(failures: Failures) -> str:
    name, outcome = failures[0]
    more = f" and {len(failures) - 1} more" if len(failures) > 1 else ""
    return f"{name} ends in {outcome}{more}"


def _blamed(name: str, note: str, scene: Scene) -> RankError:
    """The patch function as the place of what it does not do."""
    code = getattr(load_function(patch_function(name, scene.order), scene.repository), "__code__", None)
    frames = [] if code is None else [(code.co_filename, code.co_firstlineno, code.co_name)]
    site = site_of(frames, scene.repository)
    return RankError(rank=scene.ranks.rank, type="Patch", message=note, site=site)


def _apply(name: str, scene: Scene) -> Applied:
    patch = load_function(patch_function(name, scene.order), scene.repository)
    try:
        said = patch()
    # A patch reaches into a library and may fail in whatever way that library does; that is an answer here.
    except Exception as error:  # noqa: BLE001
        return Applied(None, measured_error(error, scene.ranks.rank, scene.repository).error, ())
    return Applied(said, None, _failures(name, scene))


class _Without:
    """What fails without any patch, for all patches of a run: a patch cannot be taken back."""

    def __init__(self) -> None:
        self._failures: dict[str, Failures] = {}

    def of(self, name: str, scene: Scene) -> Failures:
        """What fails without the patch `name`. The first question of a run answers it for all of them."""
        assert isinstance(scene.options, Patch)
        if name not in self._failures:
            names = [cell.name for cell in cells_of(scene.options, scene.order.patches)]
            for each in names:
                # Its file may define what the failure needs.
                load_function(patch_function(each, scene.order), scene.repository)
            self._failures = {each: _failures(each, scene) for each in names}
        return self._failures[name]


_WITHOUT = _Without()


def _failures(name: str, scene: Scene) -> Failures:
    """What does not end as it should now. Raises UsageError where nothing could be tried."""
    assert isinstance(scene.options, Patch)
    told = dict(scene.options.probes.get(name, {}))
    if "name" not in told:
        raise UsageError(f"patch {name} has no `probe` that says how its failure occurs; name one in rules.yaml")
    probe = str(told.pop("name"))
    from consistency_bot.smoke.worker.probes import measured_by

    options = decode_options(probe, told)
    cells = [cell for cell in cells_of(options) if cell.ranks <= scene.ranks.world]
    if not cells or probe == "patch":
        raise UsageError(f"patch {name}: probe {probe} has no cell that one process can measure; tp-sp has `dry: true`")
    inner = msgspec.structs.replace(scene, options=options)
    found = [(cell, measured_by(probe, cell, inner)) for cell in cells]
    return tuple(
        (cell.name, each.outcome)
        for cell, each in found
        if each.outcome not in (each.expect or cell.expect, "no-kernel")
    )


def _is_installed(wanted: str) -> bool:
    """Whether the installed version is one that a requirement such as `torch>=2.9,<2.10` names."""
    from packaging.requirements import Requirement

    requirement = Requirement(wanted)
    try:
        installed = version(requirement.name)
    except PackageNotFoundError:
        return False
    return requirement.specifier.contains(installed, prereleases=True)
