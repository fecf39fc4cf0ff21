"""The cells of each probe: what it would measure, in which order, and on how many ranks. No torch is needed to say so."""

from collections.abc import Iterable, Iterator
from fnmatch import fnmatchcase
from itertools import product
from typing import Literal

import msgspec

from consistency_bot.probes import (
    ContextParallel,
    Module,
    Operators,
    Options,
    Patch,
    Recompute,
    SdpaRule,
    TpSp,
)
from consistency_bot.smoke.cells import Cell, RankError, Settings, Status

_CHECKPOINTING = {
    "none": "",
    "wrapper": "checkpointing",
    "reentrant": "reentrant-checkpointing",
    "selective": "selective-checkpointing",
}


class Combination(msgspec.Struct, frozen=True, kw_only=True):
    """One cell before it was measured. `ranks` is how many processes it needs, on CUDA each with a GPU of its own.

    With `needs_gpu` there is no kernel for it on a CPU.
    """

    name: str
    settings: Settings
    expect: str = "ok"
    ranks: int = 1
    needs_gpu: bool = False

    def unmeasured(self, status: Status, note: str, errors: tuple[RankError, ...] = ()) -> Cell:
        """What becomes of it where there is no outcome."""
        return Cell(
            name=self.name,
            settings=self.settings,
            outcome="",
            expect=self.expect,
            status=status,
            note=note,
            ranks=self.ranks,
            errors=errors,
        )


def cells_of(options: Options, patches: Iterable[str] = ()) -> tuple[Combination, ...]:
    """All cells that a probe has with these options; `patches` are the ids of an order's patches."""
    cells = _cells(options, tuple(patches))
    return tuple(_expecting(cell, options.expect) for cell in cells)


def ranks_of(options: Options, device: Literal["cpu", "cuda"] = "cpu") -> int:
    """How many ranks the cells can all run on that this device can run at all."""
    able = (cell for cell in cells_of(options) if device == "cuda" or not cell.needs_gpu)
    return max((cell.ranks for cell in able), default=1)


def is_told(name: str, options: Options) -> bool:
    """Whether the job itself says what the cell is to end in."""
    return any(fnmatchcase(name, each.rpartition("=")[0]) for each in options.expect)


def _cells(options: Options, patches: tuple[str, ...]) -> Iterator[Combination]:
    match options:
        case TpSp():
            return _dry(options) if options.dry else _tp_sp(options)
        case Recompute():
            return _recompute(options)
        case ContextParallel():
            return _context_parallel(options)
        case Operators():
            return _operators(options)
        case Patch():
            return _patch(options, patches)
        case SdpaRule():
            return _sdpa_rule(options)
        case Module():
            return _module(options)


def _expecting(cell: Combination, expectations: tuple[str, ...]) -> Combination:
    """The cell with what the job says about it; the last word counts."""
    for each in expectations:
        pattern, _, outcome = each.rpartition("=")
        if fnmatchcase(cell.name, pattern):
            cell = msgspec.structs.replace(cell, expect=outcome)
    return cell


def _tp_sp(options: TpSp) -> Iterator[Combination]:
    """The matrix, the plainest parallelism first, so that what fails first is the least that fails."""
    field = False
    for fsdp2, (tp, sp) in product(options.fsdp2 or (False,), _parallel(options.tp, options.sp)):
        for mode, backend, dtype, gqa in product(
            options.activation_checkpointing, options.backends, options.dtypes, options.enable_gqa
        ):
            ranks = max(options.dp * tp, 2 if fsdp2 else 1)
            yield _parallel_cell(_word(fsdp2=fsdp2, tp=tp, sp=sp, mode=mode), backend, dtype, gqa=gqa, ranks=ranks)
            field = field or (tp == 2 and sp and mode == "wrapper")
    if field and not options.fsdp2:
        for backend, dtype in product(options.backends[:1], options.dtypes):
            word = _word(fsdp2=True, tp=2, sp=True, mode="wrapper")
            yield _parallel_cell(word, backend, dtype, gqa=options.enable_gqa[0], ranks=options.dp * 2)


def _dry(options: TpSp) -> Iterator[Combination]:
    for mesh, fsdp2, sp in product(options.meshes, options.fsdp2 or (True,), options.sp):
        dp, tp = (int(part[2:]) for part in mesh.split("x"))
        if sp and tp == 1:
            continue
        for mode, backend, dtype, gqa in product(
            options.activation_checkpointing, options.backends[:1], options.dtypes[:1], options.enable_gqa
        ):
            word = {"dp": dp, **_word(fsdp2=fsdp2, tp=tp, sp=sp, mode=mode)}
            yield _parallel_cell(word, backend, dtype, gqa=gqa, ranks=1)


def _parallel(sizes: tuple[int, ...], sequence: tuple[bool, ...]) -> Iterator[tuple[int, bool]]:
    """What can be of tensor parallel sizes and sequence parallelism: one rank has no sequence to share out."""
    for tp, sp in product(sizes, sequence):
        if tp > 1 or not sp:
            yield tp, sp
        elif False not in sequence:
            yield tp, False


def _word(*, fsdp2: bool, tp: int, sp: bool, mode: str) -> Settings:
    return {"fsdp2": fsdp2, "tp": tp, "sp": sp, "checkpointing": mode}


def _parallel_cell(settings: Settings, backend: str, dtype: str, *, gqa: bool, ranks: int) -> Combination:
    """One cell by the name that people give it: `fsdp2+tp2+sp+checkpointing/default/fp32`."""
    dp = settings.get("dp")
    words = (
        f"dp{dp}" if dp is not None else "",
        "fsdp2" if settings["fsdp2"] else "",
        f"tp{settings['tp']}",
        "sp" if settings["sp"] else "",
        _CHECKPOINTING[str(settings["checkpointing"])],
    )
    name = "/".join(("+".join(word for word in words if word), backend, dtype, *(("gqa",) if gqa else ())))
    return Combination(
        name=name, settings={**settings, "backend": backend, "dtype": dtype, "enable_gqa": gqa}, ranks=ranks
    )


def _recompute(options: Recompute) -> Iterator[Combination]:
    for dtype, length, head_dim, mask, gqa in product(
        options.dtypes, options.lengths, options.head_dims, options.masks, options.enable_gqa
    ):
        shape: Settings = {"dtype": dtype, "length": length, "head_dim": head_dim, "mask": mask, "enable_gqa": gqa}
        last = f"{dtype}/s{length}/d{head_dim}/{mask}{'/gqa' if gqa else ''}"
        for mode, backend, context in product(options.activation_checkpointing, options.backends, options.contexts):
            # Re-entrant checkpointing takes no `context_fn`, and what is the default needs no context.
            if (mode in ("reentrant", "none") and context == "re-entered") or (
                backend == "default" and context != options.contexts[0]
            ):
                continue
            chosen = "default" if backend == "default" else f"{backend}/{context}"
            yield Combination(
                name=f"{mode}/{chosen}/{last}",
                settings={"checkpointing": mode, "backend": backend, "context": context, **shape},
                expect=_expected(mode, context, backend),
            )


def _expected(mode: str, context: str, backend: str) -> str:
    """What a choice that does not hold while the forward pass runs again is to end in."""
    if context != "forward-only" or backend in ("default", "any") or mode == "none":
        return "ok"
    return "silent-kernel-change" if mode == "reentrant" else "checkpoint-mismatch"


def _context_parallel(options: ContextParallel) -> Iterator[Combination]:
    for mode, backend, dtype in product(options.activation_checkpointing, options.backends, options.dtypes):
        words = "+".join(word for word in ("cp2", _CHECKPOINTING[mode]) if word)
        settings: Settings = {"cp": 2, "checkpointing": mode, "backend": backend, "dtype": dtype}
        yield Combination(name=f"{words}/{backend}/{dtype}", settings=settings, ranks=2, needs_gpu=True)


def _operators(options: Operators) -> Iterator[Combination]:
    # All operators as they are come first: a patch cannot be taken back.
    for patched in (False, True) if options.patch else (False,):
        for operator in options.operators:
            name = f"{operator}/patched" if patched else operator
            yield Combination(name=name, settings={"operator": operator, "patched": patched})


def _patch(options: Patch, patches: tuple[str, ...]) -> Iterator[Combination]:
    # A patch that nobody can make fail is not judged, unless somebody asks for it by name: then that is an error.
    for patch in options.patches or [each for each in patches if each in options.probes]:
        yield Combination(name=patch, settings={"patch": patch}, expect="needed-and-works")


def _sdpa_rule(options: SdpaRule) -> Iterator[Combination]:
    for cp, mode, backend, context in product(
        options.cp, options.activation_checkpointing, options.backends, options.contexts
    ):
        # Without recomputation, and in a ring, the choice holds for one pass: there is one place for it.
        if context != options.contexts[-1] and (cp or mode == "none"):
            continue
        for dtype, length in product(options.dtypes, options.lengths):
            words = "+".join(word for word in ("cp2" if cp else "", _CHECKPOINTING[mode]) if word) or "plain"
            settings: Settings = {"cp": 2 if cp else 1, "checkpointing": mode, "backend": backend, "context": context}
            settings |= {"dtype": dtype, "length": length}
            yield Combination(
                name=f"{words}/{backend}/{context}/{dtype}/s{length}",
                settings=settings,
                expect="ok" if cp else _expected(mode, context, backend),
                ranks=2 if cp else 1,
                needs_gpu=cp,
            )


def _module(options: Module) -> Iterator[Combination]:
    for tp, sp in _parallel(options.tp, options.sp):
        for mode, backend, dtype in product(options.activation_checkpointing, options.backends, options.dtypes):
            word = _word(fsdp2=False, tp=tp, sp=sp, mode=mode)
            yield _parallel_cell(word, backend, dtype, gqa=False, ranks=options.dp * tp)
