"""What each built-in probe can be told in rules.yaml, decoded and checked without torch."""

import re
from collections.abc import Mapping
from typing import Annotated, Literal, get_args, get_origin, get_type_hints

import msgspec

from consistency_bot.errors import UsageError

KERNELS = ("MATH", "FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION")
"""The attention kernels that can be asked for, by PyTorch's names (`torch.nn.attention.SDPBackend`)."""

Mode = Literal["none", "wrapper", "reentrant", "selective"]
"""Ways to checkpoint activations: not at all, `checkpoint_wrapper`, that with re-entrant autograd, some operators kept."""

Context = Literal["forward-only", "both", "re-entered", "global"]
"""Where the choice of a kernel holds: while going forward, backward too, again in `context_fn`, or process-wide."""

Dtype = Literal["fp32", "bf16", "fp16"]

MODES: tuple[Mode, ...] = get_args(Mode)
CONTEXTS: tuple[Context, ...] = get_args(Context)

FIELD_OPERATORS = (
    "aten.alias.default",
    "aten.slice.Tensor",
    "aten.embedding.default",
    "aten._log_softmax.default",
    "aten.gather.default",
    "aten.linalg_vector_norm.default",
    "aten.cat.default",
)
"""Operators that tensor-parallel training has met: a slice of the hidden states, log probabilities, a gradient's norm."""

Backend = Annotated[str, msgspec.Meta(pattern=rf"^(default|any|({'|'.join(KERNELS)})(\+({'|'.join(KERNELS)}))*)$")]
"""`default` (what PyTorch picks), the name of one kernel, or several that it may pick from: `FLASH_ATTENTION+MATH`.

`any` is a list of all kernels. PyTorch then picks as it does by default, but from a list that somebody has given.
"""

Size = Annotated[int, msgspec.Meta(ge=1, le=64)]
Length = Annotated[int, msgspec.Meta(ge=1, le=65536)]
Mesh = Annotated[str, msgspec.Meta(pattern=r"^dp[1-9]\d?xtp[1-9]\d?$")]
Function = Annotated[str, msgspec.Meta(pattern=r"^[^:]+\.py::[A-Za-z_]\w*$")]
Expectation = Annotated[str, msgspec.Meta(pattern=r"^[^=]+=[a-z-]+$")]


class _Common(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`expect` holds `CELL=OUTCOME`, where `*` in CELL stands for any text: what else than the probe's own is right."""

    expect: tuple[Expectation, ...] = ()


class TpSp(_Common, frozen=True, kw_only=True):
    """Tensor and sequence parallelism against one process.

    Every combination of the lists is one cell, except that `sp` needs a `tp` above 1. Without `fsdp2` nothing is
    sharded over data-parallel ranks but in the cell that met the field's crash, which is always there then. `dp` is how
    many data-parallel ranks there are. `patches` are ids of patches in rules.yaml that are called first. With `dry` there is one process and no numbers: each of `meshes` in a fake group.
    """

    tp: tuple[Size, ...] = (1, 2)
    sp: tuple[bool, ...] = (False, True)
    dp: Size = 1
    fsdp2: tuple[bool, ...] = ()
    activation_checkpointing: tuple[Mode, ...] = MODES
    backends: tuple[Backend, ...] = ("default", "MATH", "FLASH_ATTENTION")
    dtypes: tuple[Dtype, ...] = ("fp32", "bf16")
    enable_gqa: tuple[bool, ...] = (False,)
    patches: tuple[str, ...] = ()
    dry: bool = False
    meshes: tuple[Mesh, ...] = ("dp1xtp2", "dp2xtp4")


class Recompute(_Common, frozen=True, kw_only=True):
    """Which attention kernel runs in the forward pass and which when it runs again, for each way to choose one."""

    backends: tuple[Backend, ...] = ("default", *KERNELS, "any")
    contexts: tuple[Context, ...] = CONTEXTS
    activation_checkpointing: tuple[Mode, ...] = ("wrapper", "reentrant", "selective")
    dtypes: tuple[Dtype, ...] = ("bf16",)
    lengths: tuple[Length, ...] = (448,)
    head_dims: tuple[Annotated[int, msgspec.Meta(ge=8, le=512)], ...] = (64,)
    masks: tuple[Literal["causal", "masked"], ...] = ("causal",)
    enable_gqa: tuple[bool, ...] = (False,)


class ContextParallel(_Common, frozen=True, kw_only=True):
    """Ring attention over two GPUs, for each attention kernel."""

    backends: tuple[Backend, ...] = ("default", "FLASH_ATTENTION", "EFFICIENT_ATTENTION", "CUDNN_ATTENTION")
    activation_checkpointing: tuple[Mode, ...] = ("none", "wrapper")
    dtypes: tuple[Dtype, ...] = ("bf16",)


class Operators(_Common, frozen=True, kw_only=True):
    """Whether DTensor knows how to shard each operator, as it is and (with `patch`) after a function was called."""

    operators: tuple[Annotated[str, msgspec.Meta(pattern=r"^\w+\.\w+(\.\w+)?$")], ...] = FIELD_OPERATORS
    patch: Function | None = None


class Patch(_Common, frozen=True, kw_only=True):
    """Whether the patches of an order are needed here, work, and can be applied twice.

    `patches` names those to judge (none: all). The program that writes the order adds from rules.yaml, by the patch's
    id, `probes`, how the failure is made to occur, and `versions`, for which versions it is said to be needed.
    """

    patches: tuple[str, ...] = ()
    probes: dict[str, dict[str, object]] = {}
    versions: dict[str, str] = {}


class SdpaRule(_Common, frozen=True, kw_only=True):
    """What rules about attention kernels speak of: each kernel with and without recomputation and context parallelism."""

    backends: tuple[Backend, ...] = (*KERNELS, "any")
    activation_checkpointing: tuple[Mode, ...] = ("none", "wrapper")
    cp: tuple[bool, ...] = (False, True)
    contexts: tuple[Literal["forward-only", "both"], ...] = ("forward-only", "both")
    dtypes: tuple[Dtype, ...] = ("bf16",)
    lengths: tuple[Length, ...] = (448,)


class Module(_Common, frozen=True, kw_only=True):
    """A repository's own tiny model and its own training step; docs/smoke/probes.md says what `module` is to give."""

    module: Function
    tp: tuple[Size, ...] = (1, 2)
    sp: tuple[bool, ...] = (False, True)
    dp: Size = 1
    activation_checkpointing: tuple[Mode, ...] = ("none", "wrapper")
    backends: tuple[Backend, ...] = ("default",)
    dtypes: tuple[Dtype, ...] = ("fp32",)
    reference: bool = True


Options = TpSp | Recompute | ContextParallel | Operators | Patch | SdpaRule | Module

OPTIONS: dict[str, type[Options]] = {
    "tp-sp": TpSp,
    "recompute": Recompute,
    "context-parallel": ContextParallel,
    "operators": Operators,
    "patch": Patch,
    "sdpa-rule": SdpaRule,
    "module": Module,
}
"""The built-in probes by name, and what each can be told."""

_ALL: dict[str, tuple[object, ...]] = {
    "activation_checkpointing": MODES,
    "backends": ("default", *KERNELS, "any"),
    "contexts": CONTEXTS,
    "dtypes": get_args(Dtype),
    "enable_gqa": (False, True),
    "head_dims": (64, 128),
    "lengths": (100, 192, 448, 512),
    "masks": ("causal", "masked"),
}
"""For sizes those at which kernels have been seen to differ: 192 and 448 leave 64 over 128, 100 is no multiple of 8."""

_SPOKEN: dict[str, dict[object, object]] = {"activation_checkpointing": {False: "none", True: "wrapper"}}

_SHAPES = {
    "backends": f"Expected `default`, `any`, or names of kernels joined by `+` ({', '.join(KERNELS)})",
    "expect": "Expected `CELL=outcome`",
    "meshes": "Expected a mesh such as `dp2xtp4`",
    "module": "Expected `path.py::function`",
    "operators": "Expected an operator such as `aten.alias.default`",
    "patch": "Expected `path.py::function`",
}
"""What to say where a text has the wrong form; one entry for each key whose values have one."""


def decode_options(probe: str, raw: Mapping[str, object]) -> Options:
    """What a probe is told. One value and a list of one are the same, and `all` is every value a list can have.

    Raises UsageError for a probe that does not exist, a key that it does not take, and a value that a key cannot have.
    """
    kind = OPTIONS.get(probe)
    if kind is None:
        raise UsageError(f"there is no probe `{probe}`{_meant(probe, OPTIONS)}; there are: {', '.join(OPTIONS)}")
    takes = kind.__struct_fields__
    for key in raw:
        if key not in takes:
            raise UsageError(
                f"probe {probe}: it takes no option `{key}`{_meant(key, takes)}; it takes: {', '.join(sorted(takes))}"
            )
    lists = {name for name, hint in get_type_hints(kind).items() if get_origin(hint) is tuple}
    told = {key: _listed(key, value) if key in lists else value for key, value in raw.items()}
    try:
        decoded = msgspec.convert(told, kind)
    except msgspec.ValidationError as error:
        raise UsageError(f"probe {probe}: {_said(error, told)}") from None
    for key in lists - {"expect", "patches", "fsdp2"}:
        if not getattr(decoded, key):
            raise UsageError(f"probe {probe}: `{key}` is an empty list, which leaves nothing to run; give it a value")
    return decoded


def _listed(key: str, value: object) -> object:
    """A value as the list that it stands for."""
    if value == "all" and key in _ALL:
        return _ALL[key]
    items = value if isinstance(value, list | tuple) else (value,)
    spoken = _SPOKEN.get(key, {})
    return tuple(spoken[item] if isinstance(item, bool) and item in spoken else item for item in items)


def _meant(word: str, known: object) -> str:
    """The known word that comes nearest, as a question; empty if none does."""
    import difflib

    near = difflib.get_close_matches(word, list(known), n=1)  # type: ignore[call-overload]
    return f" (did you mean `{near[0]}`?)" if near else ""


def _said(error: msgspec.ValidationError, told: Mapping[str, object]) -> str:
    """What is wrong, where, and what stands there."""
    missing = re.search(r"missing required field `(\w+)`", str(error))
    if missing:
        return f"it needs the option `{missing[1]}`: {_SHAPES[missing[1]].lower()}"
    text, _, place = str(error).partition(" - at `$.")
    key = place.rstrip("`").split("[")[0]
    if " matching regex " in text:
        text = _SHAPES[key]
    found = f"; found {told[key]!r}" if key in told else ""
    return f"`{key or 'options'}`: {text[:1].lower()}{text[1:]}{found}"
